package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

// profiled returns the seconds of parts from the table of a profile.
func profiled(t *testing.T, text string) map[string]float64 {
	t.Helper()
	seconds := map[string]float64{}
	_, text, ok := strings.Cut(text, "part ")
	require.True(t, ok, text)
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		name, rest, ok := strings.Cut(line, "  ")
		require.True(t, ok, line)
		s, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		require.NoError(t, err, line)
		seconds[name] = s
	}
	return seconds
}

// requireWhole: the parts add up to all of the time, each rounded to a millisecond.
func requireWhole(t *testing.T, seconds map[string]float64) {
	t.Helper()
	sum := 0.0
	for _, s := range seconds {
		sum += s
	}
	require.InDelta(t, 2*seconds["all"], sum, 1e-3*float64(len(seconds)))
}

func TestProfile(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	args := []string{"run", "surfaces", "--epochs", "2", "--train", "20", "--out", t.TempDir()}
	code, stdout, stderr := nkf(t, append(args, "--profile")...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "figures and result: ", "the result comes first")
	seconds := profiled(t, stdout)
	requireWhole(t, seconds)
	for _, part := range []string{"start of the process", "building graphs", "training steps", "writing"} {
		require.Positive(t, seconds[part], part)
	}

	code, stdout, stderr = nkf(t, append(args, "--profile", "--json")...)
	require.Equal(t, exitDone, code, stderr)
	require.NotContains(t, stdout, "training steps")
	seconds = profiled(t, stderr)
	requireWhole(t, seconds)

	code, stdout, stderr = nkf(t, args...)
	require.Equal(t, exitDone, code, stderr)
	require.NotContains(t, stdout+stderr, "training steps")
}

// TestProfileOfTraining: a run has all parts, and nearly all of its time is in them.
func TestProfileOfTraining(t *testing.T) {
	xlatest.Real(t)
	t.Setenv("GOMLX_BACKEND", "")
	code, stdout, stderr := nkf(t, "run", "tu", "--dataset", "BZR", "--epochs", "1", "--workers", "1",
		"--profile", "--out", t.TempDir())
	require.Equal(t, exitDone, code, stderr)
	seconds := profiled(t, stdout)
	requireWhole(t, seconds)
	for _, part := range []string{"reading data", "compiling", "transfer to the device", "training steps",
		"evaluation"} {
		require.Positive(t, seconds[part], part)
	}
	require.Less(t, seconds["rest"], seconds["all"]/5)
}
