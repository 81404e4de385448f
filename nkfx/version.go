package nkfx

import (
	"regexp"
	"runtime"
	"runtime/debug"

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
	NKF   string `json:"nkf"`   // release, followed by the commit where the binary knows it
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
	v.Processor = xla.Processor()
	return v
}

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
