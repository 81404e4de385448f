package bench

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// few are small cases of all races.
var few = []Case{
	{Race: Meshes, Simplices: 8},
	{Race: Integrals, Degree: 1, Dim: 3, Simplices: 20},
	{Race: Integrals, Degree: 2, Dim: 4, Simplices: 5},
	{Race: Signatures, Dim: 2, Depth: 3, Points: 4, Batch: 2},
	{Race: Signatures, Dim: 2, Depth: 3, Points: 4, Batch: 2, Gradient: true},
	{Race: Epochs, Dataset: "ERing", Model: "path"},
}

// run times the few cases with peers that a shell script plays: PyTorch is twice there, and one of its
// programs fails; the others do not start.
func run(t *testing.T, o Options) (*Report, string) {
	t.Helper()
	o.Seconds, o.Progress, o.Device = 0.001, io.Discard, "cpu"
	report := must(Run(context.Background(), backendtest.Get(t, "go"), "go", o))
	var out strings.Builder
	require.NoError(t, report.Print(&out))
	return report, out.String()
}

const fakePython = `#!/bin/sh
case "$3" in
*torch) echo '{"version": "torch none"}';;
*) echo "ModuleNotFoundError: No module named '$3'" >&2; exit 1;;
esac
while read -r line; do
	case "$line" in
	*'"do":"names"'*) echo '{"result": ["eager", "lastlayer", "broken"]}';;
	*'"do":"make"'*'"broken"'*) echo '{"error": "OutOfMemoryError: 12 GiB"}';;
	*'"do":"make"'*'"lastlayer"'*) echo '{"result": 7.00001}';;
	*'"do":"make"'*) echo '{"result": 7}';;
	*'"do":"run"'*) echo '{"result": [50.0]}';;
	*) echo '{"result": 0}';;
	esac
done
`

// TestRun runs all programs of nkf beside peers, and finds both and their ratio in the tables.
func TestRun(t *testing.T) {
	python := filepath.Join(t.TempDir(), "python")
	require.NoError(t, os.WriteFile(python, []byte(fakePython), 0o777))
	report, text := run(t, Options{Cases: few, Python: python})
	require.Equal(t, []string{"torch none"}, report.Peers)
	require.Equal(t, []string{
		"integrals_jax does not start: ModuleNotFoundError: No module named 'integrals_jax'",
		"signatures_signax does not start: ModuleNotFoundError: No module named 'signatures_signax'",
		"signatures_pysiglib does not start: ModuleNotFoundError: No module named 'signatures_pysiglib'",
	}, report.Missing)
	require.Len(t, report.Results, 1+2*(3+3)+2+(1+3))
	for _, r := range report.Results {
		if r.Program == "torch broken" {
			require.Equal(t, "OutOfMemoryError: 12 GiB", r.Skipped)
			continue
		}
		require.Empty(t, r.Skipped, r.Program)
		require.Positive(t, r.Runs)
		require.Greater(t, r.Least, 0.0)
		require.LessOrEqual(t, r.Least, r.Seconds)
	}
	for _, part := range []string{"nkf corners", "nkf vertices", "nkf chunks", "torch eager", "50000",
		"24/20", "48/28", "triangles", "value and gradient", "path", "×fastest",
		"Missing: integrals_jax",
		"torch broken, epochs of path on ERing: OutOfMemoryError: 12 GiB"} {
		require.Contains(t, text, part)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, "×first") && i+1 < len(lines) {
			require.NotContains(t, lines[i+1], "-  -", "both ratios are there")
		}
	}
}

// TestPeerEnds: a peer that is killed in one case, as for want of memory, takes part in the next again.
func TestPeerEnds(t *testing.T) {
	const kills = `*'"do":"run"'*)
		[ -e "$0.killed" ] || { touch "$0.killed"; kill -9 $$; }
		echo '{"result": [50.0]}';;`
	python := filepath.Join(t.TempDir(), "python")
	script := strings.Replace(fakePython, `*'"do":"run"'*) echo '{"result": [50.0]}';;`, kills, 1)
	require.Contains(t, script, "kill -9")
	require.NoError(t, os.WriteFile(python, []byte(script), 0o777))
	saved := 0
	report, _ := run(t, Options{Cases: few[1:3], Python: python, Save: func(r *Report) error {
		saved = len(r.Results)
		return nil
	}})
	require.Len(t, report.Results, 2*(3+3))
	require.Equal(t, len(report.Results), saved)
	for i, r := range report.Results[:6] {
		switch {
		case i < 3:
			require.Empty(t, r.Skipped)
		case r.Program != "torch broken":
			require.Contains(t, r.Skipped, "integrals_torch has ended", r.Program)
		}
	}
	for _, r := range report.Results[6:] {
		require.Equal(t, r.Program != "torch broken", r.Skipped == "", r.Program+r.Skipped)
	}
}

// TestLimit: no case begins when the time is up, and the report says which.
func TestLimit(t *testing.T) {
	report, text := run(t, Options{Cases: few, Limit: time.Nanosecond})
	require.Empty(t, report.Results)
	require.Len(t, report.Left, len(few))
	require.Contains(t, text, "No time left for 1-forms in dimension 3, 20 simplices")
	require.Contains(t, text, "No time left for epochs of path on ERing")
}

// TestTooSlow: a program is left out of a case if a call took long on an earlier one.
func TestTooSlow(t *testing.T) {
	backend, c := backendtest.Get(t, "go"), few[1]
	results := must(race(context.Background(), backend, nil, c, 0.001, map[string]bool{"nkf vertices": true}))
	require.Equal(t, []string{"", "too slow before", ""},
		[]string{results[0].Skipped, results[1].Skipped, results[2].Skipped})
}

// TestCheck: all laws and reference values hold, and a wrong reference is reported.
func TestCheck(t *testing.T) {
	holds := func(t *testing.T, backend compute.Backend) {
		results := Check(backend)
		require.Len(t, results, 2*6+2*2)
		for _, r := range results {
			require.Empty(t, r.Error, r.Name)
		}
	}
	backend := backendtest.Get(t, "go")
	holds(t, backend)
	if backendtest.Long() { // a program is compiled for every law
		t.Run("xla", func(t *testing.T) { holds(t, backendtest.Get(t, "xla:cpu")) })
	}
	right := reference
	defer func() { reference = right }()
	reference = bytes.Clone(right)
	const integrals = `"integrals": [`
	at := bytes.Index(reference, []byte(integrals)) + len(integrals)
	reference[at+bytes.IndexAny(reference[at:], "12345678")]++ // the first digit of the first
	failed := 0
	for _, r := range Check(backend) {
		if r.Error != "" {
			failed++
			require.Contains(t, r.String(), "FAILS")
		}
	}
	require.Equal(t, 2, failed, "in both types")
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
