package nkfx

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The versions in the code are those that go.mod requires.
func TestPinnedVersions(t *testing.T) {
	mod := must(os.ReadFile("../go.mod"))
	for module, version := range map[string]string{
		"github.com/gomlx/gomlx":  gomlxVersion,
		"github.com/gomlx/go-xla": goxlaVersion,
	} {
		required := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(module) + ` (\S+)`).FindSubmatch(mod)
		require.NotNil(t, required, module)
		require.Equal(t, string(required[1]), version, module)
	}
}

// TestOneRelease: the program, CHANGELOG.md, the go.mod in README.md and the tags name the same release.
func TestOneRelease(t *testing.T) {
	changes := must(os.ReadFile("../CHANGELOG.md"))
	release := regexp.MustCompile(`(?m)^## (v\S+) \(\d{4}-\d\d-\d\d\)$`).FindSubmatch(changes)
	require.NotNil(t, release)
	require.Equal(t, nkfVersion, string(release[1]))
	unreleased := changes[:bytes.Index(changes, release[0])]
	for entry := range bytes.SplitSeq(unreleased, []byte("\n- ")) {
		text, _, _ := bytes.Cut(entry, []byte("\n\n"))
		require.LessOrEqual(t, bytes.Count(text, []byte("\n")), 2, "an entry is about one thing: %s", text)
	}
	readme := must(os.ReadFile("../README.md"))
	require.Contains(t, string(readme), "require "+Module+" "+nkfVersion+"\n")

	tags, err := exec.Command("git", "tag", "--list", "v*").Output()
	if err == nil && len(tags) > 0 { // a clone may come without
		require.Contains(t, strings.Fields(string(tags)), nkfVersion)
	}
}

func TestVersionsOf(t *testing.T) {
	pinned := Versions{NKF: nkfVersion, Go: runtime.Version(), GoMLX: gomlxVersion, GoXLA: goxlaVersion}
	require.Equal(t, pinned, versionsOf(&debug.BuildInfo{}))
	require.NotEmpty(t, Version().NKF)
	require.NotEmpty(t, Version().Processor)

	checkout := &debug.BuildInfo{
		Main: debug.Module{Path: Module, Version: "(devel)"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
		},
	}
	require.Equal(t, nkfVersion+"+0123456789ab.dirty", versionsOf(checkout).NKF)
	checkout.Settings[1].Value = "false"
	require.Equal(t, nkfVersion+"+0123456789ab", versionsOf(checkout).NKF)
	for _, between := range []string{
		"v0.0.0-20260101000000-0123456789ab", "v0.2.1-0.20260101000000-0123456789ab",
		"v0.3.0-pre.0.20260101000000-0123456789ab+dirty",
	} {
		checkout.Main.Version = between
		require.Equal(t, nkfVersion+"+0123456789ab", versionsOf(checkout).NKF)
	}
	checkout.Main.Version = "v1.2.3"
	require.Equal(t, "v1.2.3", versionsOf(checkout).NKF)

	elsewhere := &debug.BuildInfo{
		Main: debug.Module{Path: "example.com/mine", Version: "v9.9.9"},
		Deps: []*debug.Module{
			{Path: Module, Version: "v1.2.3"},
			{Path: "github.com/gomlx/gomlx", Version: "v1.0.0", Replace: &debug.Module{Version: "v2.0.0"}},
			{Path: "github.com/gomlx/go-xla", Version: "v3.0.0"},
		},
	}
	require.Equal(t, Versions{NKF: "v1.2.3", Go: runtime.Version(), GoMLX: "v2.0.0", GoXLA: "v3.0.0"},
		versionsOf(elsewhere))
}

// TestProgramsWithoutACommit: the version of a program names its code: by a release or a clean commit of nkf
// alone, else by the program itself.
func TestProgramsWithoutACommit(t *testing.T) {
	clean := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"},
		{Key: "vcs.modified", Value: "false"}}
	dirty := []debug.BuildSetting{clean[0], {Key: "vcs.modified", Value: "true"}}
	replaced := []*debug.Module{{Path: "example.com/a", Replace: &debug.Module{Path: "../a"}}}
	const between = "v0.3.1-0.20260101000000-0123456789ab"
	for name, x := range map[string]struct {
		main, version string
		settings      []debug.BuildSetting
		deps          []*debug.Module
		want          bool
	}{
		"a clean commit":                {Module, "(devel)", clean, nil, true},
		"a clean commit of a release":   {Module, nkfVersion, clean, nil, true},
		"go install of a release":       {Module, nkfVersion, nil, nil, true},
		"go install of a commit":        {Module, between, nil, nil, false}, // its version does not show it
		"-buildvcs=false":               {Module, "(devel)", nil, nil, false},
		"go test":                       {Module, "", nil, nil, false},
		"changes on a commit":           {Module, between + "+dirty", dirty, nil, false},
		"changes on a release":          {Module, nkfVersion + "+dirty", dirty, nil, false},
		"a commit with changed modules": {Module, "(devel)", clean, replaced, false},
		"a program of one's own":        {"example.com/mine", "v1.0.0", clean, nil, false},
		"a program without modules":     {"", "", nil, nil, false},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Path: x.main, Version: x.version}, Settings: x.settings,
			Deps: x.deps}
		require.Equal(t, x.want, identified(info, versionsOf(info).NKF), name)
	}

	file := must(os.ReadFile(must(os.Executable())))
	require.Equal(t, fmt.Sprintf("%s+sha256.%.6x", nkfVersion, sha256.Sum256(file)), Version().NKF)
}
