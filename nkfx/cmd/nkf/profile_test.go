package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

// profiled returns the seconds of parts and how programs came about, from the tables of a profile.
func profiled(t *testing.T, text string) (seconds map[string]float64, programs map[string]string) {
	t.Helper()
	seconds, programs = map[string]float64{}, map[string]string{}
	_, text, ok := strings.Cut(text, "part ")
	require.True(t, ok, text)
	parts, compiled, _ := strings.Cut(text, "\nprogram ")
	for _, line := range strings.Split(strings.TrimSpace(parts), "\n")[1:] {
		name, rest, ok := strings.Cut(line, "  ")
		require.True(t, ok, line)
		s, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		require.NoError(t, err, line)
		seconds[name] = s
	}
	for _, line := range strings.Split(strings.TrimSpace(compiled), "\n")[1:] {
		fields := strings.Fields(line)
		require.Len(t, fields, 3, line)
		programs[fields[0]] = fields[2]
	}
	return seconds, programs
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
	seconds, programs := profiled(t, stdout)
	requireWhole(t, seconds)
	for _, part := range []string{"start of the process", "building graphs", "training steps", "writing"} {
		require.Positive(t, seconds[part], part)
	}
	require.Empty(t, programs)

	code, stdout, stderr = nkf(t, append(args, "--profile", "--json")...)
	require.Equal(t, exitDone, code, stderr)
	require.NotContains(t, stdout, "training steps")
	seconds, _ = profiled(t, stderr)
	requireWhole(t, seconds)

	code, stdout, stderr = nkf(t, args...)
	require.Equal(t, exitDone, code, stderr)
	require.NotContains(t, stdout+stderr, "training steps")
}

// TestProfileOfPrograms: what a run compiled the next one loads.
func TestProfileOfPrograms(t *testing.T) {
	xlatest.Real(t)
	t.Setenv("GOMLX_BACKEND", "")
	args := []string{"run", "tu", "--dataset", "BZR", "--epochs", "1", "--workers", "1", "--profile"}
	t.Setenv("NKF_PROGRAMS", t.TempDir())
	for _, how := range []string{"compiled", "loaded"} {
		code, stdout, stderr := nkf(t, append(args, "--out", t.TempDir())...)
		require.Equal(t, exitDone, code, stderr)
		seconds, programs := profiled(t, stdout)
		requireWhole(t, seconds)
		require.Len(t, programs, 3)
		for name, is := range programs {
			require.Equal(t, how, is, name)
		}
		for _, part := range []string{"reading data", "compiling", "transfer to the device",
			"training steps", "evaluation"} {
			require.Positive(t, seconds[part], part)
		}
		require.Less(t, seconds["rest"], seconds["all"]/5)
	}
	t.Setenv("NKF_PROGRAMS", "off")
	code, stdout, stderr := nkf(t, append(args, "--out", t.TempDir())...)
	require.Equal(t, exitDone, code, stderr)
	_, programs := profiled(t, stdout)
	require.Len(t, programs, 3)
	for name, is := range programs {
		require.Equal(t, "compiled", is, name)
	}
}
