package xla

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine makes the test run on one with these files, and with nvidia-smi if it prints something.
func machine(t *testing.T, smi string, files map[string]string) {
	t.Helper()
	before := systemRoot
	systemRoot = t.TempDir()
	t.Cleanup(func() { systemRoot = before })
	for name, text := range files {
		path := filepath.Join(systemRoot, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	bin := t.TempDir()
	if smi != "" {
		script := "#!/bin/sh\ncat <<'E'\n" + smi + "\nE\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte(script), 0o755))
	}
	t.Setenv("PATH", bin+":/bin:/usr/bin")
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	require.NoError(t, os.Unsetenv("CUDA_VISIBLE_DEVICES"))
}

// Files of the driver, as it writes them.
const (
	versionFile = "proc/driver/nvidia/version"
	openDriver  = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release  (dvs)\n" +
		"GCC version:  gcc version 12.3.0\n"
	oldDrivers = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n"
	cardFile   = "proc/driver/nvidia/gpus/0000:01:00.0/information"
	card       = "Model: \t\t NVIDIA H200\nIRQ:   \t\t 123\nGPU UUID: \t GPU-1\n"
)

// TestCards: cards are found by the files of the driver or by nvidia-smi, whichever there is.
func TestCards(t *testing.T) {
	for name, c := range map[string]struct {
		smi   string
		files map[string]string
		want  Cards
	}{
		"none": {want: Cards{Cards: []Card{}, Error: "there is no NVIDIA card, or no driver for it"}},
		"driver without a card": {
			files: map[string]string{versionFile: openDriver},
			want: Cards{Driver: "580.65.06", Cards: []Card{},
				Error: "there is no NVIDIA card, or no driver for it"},
		},
		"files of the driver": {
			files: map[string]string{versionFile: openDriver, cardFile: card},
			want:  Cards{Driver: "580.65.06", Cards: []Card{{Name: "NVIDIA H200"}}},
		},
		"a device alone, in a container": {
			files: map[string]string{"dev/nvidia0": ""},
			want:  Cards{Cards: []Card{}},
		},
		"the control device is no card": {
			files: map[string]string{"dev/nvidiactl": ""},
			want:  Cards{Cards: []Card{}, Error: "there is no NVIDIA card, or no driver for it"},
		},
		"an old driver": {
			files: map[string]string{versionFile: oldDrivers, cardFile: card},
			want: Cards{Driver: "550.54.15", Cards: []Card{{Name: "NVIDIA H200"}},
				Error: "the NVIDIA driver 550.54.15 is older than 580, which CUDA 13 needs"},
		},
		"nvidia-smi": {
			smi: "581.15, NVIDIA RTX A1000, 4096\n581.15, NVIDIA GB10, [N/A]",
			want: Cards{Driver: "581.15", Cards: []Card{{Name: "NVIDIA RTX A1000", Memory: 4096},
				{Name: "NVIDIA GB10"}}},
		},
		"nvidia-smi of an old driver": {
			smi: "535.1, NVIDIA A, 1",
			want: Cards{Driver: "535.1", Cards: []Card{{Name: "NVIDIA A", Memory: 1}},
				Error: "the NVIDIA driver 535.1 is older than 580, which CUDA 13 needs"},
		},
		"nvidia-smi that finds nothing": {
			smi:  "No devices were found",
			want: Cards{Cards: []Card{}, Error: "there is no NVIDIA card, or no driver for it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			machine(t, c.smi, c.files)
			require.Equal(t, c.want, FindCards(t.Context()))
			for _, nothing := range []string{"", "-1"} {
				t.Setenv("CUDA_VISIBLE_DEVICES", nothing)
				require.EqualError(t, HasCard(), "CUDA_VISIBLE_DEVICES hides all NVIDIA cards")
			}
		})
	}
}
