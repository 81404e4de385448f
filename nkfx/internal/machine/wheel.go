package machine

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// platform is the machine that the program runs on.
const platform = runtime.GOOS + "/" + runtime.GOARCH

// machines are the names of platforms in those of wheels.
var machines = map[string]string{"linux/amd64": "x86_64", "linux/arm64": "aarch64"}

// wheel is a pinned Python wheel, known by its SHA-256 on each platform.
type wheel struct {
	name, version string
	sums          map[string]string // by platform
}

// String returns the wheel's name and version.
func (w wheel) String() string { return w.name + " " + w.version }

// pinned returns an error if there is no wheel for this platform.
func (w wheel) pinned() error {
	if w.sums[platform] == "" {
		return fmt.Errorf("there is no %s wheel for %s", w.name, platform)
	}
	return nil
}

// check returns an error unless the file at path is the wheel.
func (w wheel) check(path string) error {
	got, err := fileio.SHA256(path)
	if err != nil {
		return err
	}
	if want := w.sums[platform]; got != want {
		return fmt.Errorf("%s is not the pinned file (SHA-256 %s, not %s)", path, got, want)
	}
	return nil
}

// in returns the wheel's file in a folder, "" if it is not there.
func (w wheel) in(dir string) string {
	pattern := strings.ReplaceAll(w.name, "-", "_") + "-" + w.version + "-*" + machines[platform] + ".whl"
	if found, _ := filepath.Glob(filepath.Join(dir, pattern)); len(found) > 0 {
		return found[0]
	}
	return ""
}

// download stores the wheel from the Python package index in dir, whole or not at all, and reports to
// progress, if it is not nil, how many bytes are there.
func (w wheel) download(ctx context.Context, dir string, progress func(done, total int64)) (string, error) {
	var index struct {
		Releases map[string][]struct{ Filename, URL string }
	}
	var from *url.URL
	err := fetch(ctx, "https://pypi.org/pypi/"+w.name+"/json", nil, func(r *http.Response) error {
		from = r.Request.URL
		return json.NewDecoder(r.Body).Decode(&index)
	})
	if err != nil {
		return "", err
	}
	name := regexp.MustCompile("-manylinux.*_" + machines[platform] + `\.whl$`)
	for _, release := range index.Releases[w.version] {
		if name.MatchString(release.Filename) {
			address, err := from.Parse(release.URL) // mirrors have relative ones
			if err != nil {
				return "", err
			}
			path := filepath.Join(dir, release.Filename)
			return path, w.save(ctx, address.String(), path, progress)
		}
	}
	return "", fmt.Errorf("the package index has no %s for %s", w, platform)
}

// save stores what an address serves at path, whole and if it is the wheel, or not at all.
func (w wheel) save(ctx context.Context, address, path string, progress func(done, total int64)) error {
	err := fileio.Write(path, 0o666, func(file io.Writer) error {
		hash := sha256.New()
		err := fetch(ctx, address, progress, func(r *http.Response) error {
			_, err := io.Copy(io.MultiWriter(file, hash), r.Body)
			return err
		})
		if got := hex.EncodeToString(hash.Sum(nil)); err == nil && got != w.sums[platform] {
			err = fmt.Errorf("the file at %s has the SHA-256 %s instead of %s: it is another version or was "+
				"damaged on the way", address, got, w.sums[platform])
		}
		return err
	})
	if cause := errors.Unwrap(err); cause != nil {
		err = cause // mostly that of the network; one of the disk names the file by itself
	}
	return err
}

//go:embed wheels.txt
var wheelsText string

// The pinned wheels: XLA's plug-ins for the CPU and for NVIDIA's cards, and the libraries that this one
// loads.
var (
	pins         = readWheels(wheelsText)
	cpuWheel     = pins[0]
	cudaWheel    = pins[1]
	nvidiaWheels = pins[2:]
)

// readWheels reads a list of wheels.
func readWheels(text string) (wheels []wheel) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var name, version, amd64, arm64 string
		if _, err := fmt.Sscan(line, &name, &version, &amd64, &arm64); err != nil {
			panic(err) // a fault of the list
		}
		sums := map[string]string{"linux/amd64": amd64, "linux/arm64": arm64}
		wheels = append(wheels, wheel{name, version, sums})
	}
	return wheels
}
