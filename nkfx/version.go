package nkfx

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// Module is the path of the Go module that this package belongs to.
const Module = "github.com/neuralkforms/nkf"

// The versions that go.mod pins, for binaries without a list of modules, such as those of go test.
const (
	nkfVersion   = "v0.3.0"
	gomlxVersion = "v0.28.3"
	goxlaVersion = "v0.4.1"
)

// Versions identifies the software and the processor that computed a result.
type Versions struct {
	// NKF is the release, followed by the commit that the program was built from, or, where that does not say
	// what its code is, by the start of the SHA-256 of its file.
	NKF   string `json:"nkf"`
	Go    string `json:"go"`    // the Go toolchain
	GoMLX string `json:"gomlx"` // github.com/gomlx/gomlx
	GoXLA string `json:"goxla"` // github.com/gomlx/go-xla

	// Processor is what XLA's CPU backend compiles for. On another kind the same seed gives other
	// roundings, which a training makes larger.
	Processor string `json:"processor"`
}

// pseudo matches the version that Go gives to a commit without a tag.
var pseudo = regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}(\+dirty)?$`)

// Version returns the versions that are built into the running program, and the processor.
func Version() Versions {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	v := versionsOf(info)
	if !identified(info, v.NKF) {
		separator := "+"
		if strings.Contains(v.NKF, "+") {
			separator = "."
		}
		v.NKF += separator + "sha256." + executable()
	}
	v.Processor = xla.Processor()
	return v
}

// identified reports whether a version says what the code of the program is: that of a release or of a
// commit, and nothing but nkf.
func identified(info *debug.BuildInfo, version string) bool {
	has := func(key, value string) bool {
		return slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
			return s.Key == key && (s.Value == value || value == "")
		})
	}
	replaced := slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Replace != nil })
	return info.Main.Path == Module && !replaced && !has("vcs.modified", "true") &&
		(has("vcs.revision", "") || info.Main.Version == version)
}

// executable returns the first 12 digits of the SHA-256 of the running program. Where its file cannot be
// read, they are random: nothing has been made by the same program.
var executable = sync.OnceValue(func() string {
	file, err := os.Open("/proc/self/exe") // also if the file was replaced since
	if err != nil {
		path, e := os.Executable()
		if file, err = os.Open(path); e != nil || err != nil {
			return rand.Text()[:12]
		}
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return rand.Text()[:12]
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6])
})

// versionsOf returns the versions in info, or the pinned ones of modules that it does not list.
//
// nkf is the main module in its own checkout, and a dependency of programs and notebooks that
// import it.
func versionsOf(info *debug.BuildInfo) Versions {
	v := Versions{NKF: nkfVersion, Go: runtime.Version(), GoMLX: gomlxVersion, GoXLA: goxlaVersion}
	versions := map[string]*string{
		Module: &v.NKF, "github.com/gomlx/gomlx": &v.GoMLX, "github.com/gomlx/go-xla": &v.GoXLA,
	}
	for i, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Replace != nil {
			m = &debug.Module{Path: m.Path, Version: m.Replace.Version}
		}
		if m.Version == "" || m.Version == "(devel)" || i == 0 && pseudo.MatchString(m.Version) {
			continue // a checkout between two releases; its commit is among the settings
		}
		if version := versions[m.Path]; version != nil {
			*version = m.Version
		}
	}
	if info.Main.Path == Module && v.NKF == nkfVersion {
		v.NKF += revision(info)
	}
	return v
}

// revision returns "+" and the first 12 digits of the commit in info, with ".dirty" after
// uncommitted changes, or "" without a commit.
func revision(info *debug.BuildInfo) string {
	var commit, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ".dirty"
		}
	}
	if commit == "" {
		return ""
	}
	return "+" + commit[:min(12, len(commit))] + dirty
}
