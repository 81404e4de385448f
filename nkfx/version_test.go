package nkfx

import (
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// The versions in the code are those that go.mod requires.
func TestPinnedVersions(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	for module, version := range map[string]string{
		"github.com/gomlx/gomlx":  gomlxVersion,
		"github.com/gomlx/go-xla": goxlaVersion,
	} {
		required := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(module) + ` (\S+)`).FindSubmatch(mod)
		require.NotNil(t, required, module)
		require.Equal(t, string(required[1]), version, module)
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
	checkout.Main.Version = "v0.0.0-20260101000000-0123456789ab"
	require.Equal(t, nkfVersion+"+0123456789ab", versionsOf(checkout).NKF)
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
