package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Finder finds published files in folders, in a cache and on the network, in this order.
type Finder struct {
	Folders    []string                // hold files at Source.Path, or by their bare name
	Cache      string                  // folder that downloads are stored in
	Client     *http.Client            // nil: one that stays on HTTPS
	Offline    bool                    // download nothing
	AnyContent bool                    // take files of the user's own whatever their checksum
	MaxBytes   int64                   // largest download; 0: 256 MiB
	Patience   time.Duration           // how long a download may stand still; 0: 30 seconds
	Progress   func(done, total int64) // called during downloads if not nil; total is -1 where unknown
}

// NewFinder returns the usual finder: the folder $NKF_DATA; $NKF_SHARED/datasets or, where that is not set,
// shared/datasets beside the checkout around the working directory; the user's cache; the network.
func NewFinder() *Finder {
	f := &Finder{}
	if folder := os.Getenv("NKF_DATA"); folder != "" {
		f.Folders = append(f.Folders, folder)
	}
	if shared := os.Getenv("NKF_SHARED"); shared != "" {
		f.Folders = append(f.Folders, filepath.Join(shared, "datasets"))
	} else if root, err := Checkout("."); err == nil {
		f.Folders = append(f.Folders, filepath.Join(filepath.Dir(root), "shared", "datasets"))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		f.Cache = filepath.Join(cache, "nkf")
	}
	return f
}

// Find returns the path of the data set of that name, as the usual finder finds it.
func Find(ctx context.Context, name string) (string, error) {
	source, err := Lookup(name)
	if err != nil {
		return "", err
	}
	return NewFinder().Find(ctx, source)
}

// Find returns the path of a file with the source's checksum, downloading it if need be.
//
// A file in one of the folders or the cache with another checksum is an error unless AnyContent is set. Where
// there is none and none can be had, the error says so in one sentence with the ways to provide it.
func (f *Finder) Find(ctx context.Context, source Source) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(source.Path)) {
		return "", fmt.Errorf("%s: the path %q does not stay below a folder of data sets",
			source.Name, source.Path)
	}
	for _, place := range f.places(source) {
		sum, err := FileSHA256(place)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // a place may be a file
		case err != nil:
			return "", fmt.Errorf("%s: %w", source.Name, err)
		case sum != source.SHA256 && !f.AnyContent:
			return "", fmt.Errorf("%s: %s has the SHA-256 %s, but the published file has %s: remove it to "+
				"have the published one found or downloaded, or open it by its path to use it as it is",
				source.Name, place, sum, source.SHA256)
		default:
			return place, nil
		}
	}
	cause := errors.New("this finder is offline")
	if !f.Offline {
		stored, err := f.download(ctx, source)
		if err == nil {
			return stored, nil
		}
		cause = err
	}
	reach := ""
	if source.URL != "" {
		reach = ", or let this machine reach " + source.URL
	}
	return "", fmt.Errorf("%s is in none of the folders [%s] and was not downloaded (%w): put the file %s "+
		"into a folder that $NKF_DATA names, or at shared/datasets/%s beside the checkout%s",
		source.Name, strings.Join(append(f.Folders[:len(f.Folders):len(f.Folders)], f.Cache), ", "),
		cause, path.Base(source.Path), source.Path, reach)
}

// places returns the paths at which the file may lie, best first.
func (f *Finder) places(source Source) []string {
	var places []string
	for _, folder := range f.Folders {
		places = append(places, filepath.Join(folder, filepath.FromSlash(source.Path)),
			filepath.Join(folder, path.Base(source.Path)))
	}
	if f.Cache != "" {
		places = append(places, filepath.Join(f.Cache, filepath.FromSlash(source.Path)))
	}
	return places
}

// FileSHA256 returns the SHA-256 of the file's bytes in hexadecimal. A pipe or a device, which may have no
// end, is an error.
func FileSHA256(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("read %s: it is not a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// moduleLine is the line of go.mod by which a checkout is known.
var moduleLine = regexp.MustCompile(`(?m)^module github\.com/neuralkforms/nkf\s*$`)

// Checkout returns the nearest folder from dir upwards that holds the go.mod of nkf.
func Checkout(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		content, _ := os.ReadFile(filepath.Join(at, "go.mod")) // absent from most
		if moduleLine.Match(content) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not in a checkout of nkf: go there, or name its folder", dir)
		}
	}
}
