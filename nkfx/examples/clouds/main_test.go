package main

import (
	"context"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// write makes a table of two circles of points each, which are near each other or not.
func write(t *testing.T, file string, clouds, first int) {
	t.Helper()
	f, err := os.Create(file)
	require.NoError(t, err)
	w := csv.NewWriter(f)
	require.NoError(t, w.Write([]string{"cloud", "class", "x", "y"}))
	for i := range clouds {
		circles := synthetic.Circles{Points: 30, Noise: 0.1, Ratio: 0.8 - 0.5*float64(i%2)}
		points, err := circles.Sample(uint64(first + i))
		require.NoError(t, err)
		millimeters := func(x float64) string { return strconv.FormatFloat(1000*x, 'g', -1, 64) }
		for j := 0; j < len(points); j += 2 {
			require.NoError(t, w.Write([]string{strconv.Itoa(first + i), []string{"near", "far"}[i%2],
				millimeters(points[j]), millimeters(points[j+1])}))
		}
	}
	w.Flush()
	require.NoError(t, w.Error())
	require.NoError(t, f.Close())
}

// TestClouds: clouds in millimeters are told apart, by a model that was saved and loaded.
func TestClouds(t *testing.T) {
	backendtest.NeedLong(t)
	folder := t.TempDir()
	known, unknown := filepath.Join(folder, "known.csv"), filepath.Join(folder, "unknown.csv")
	write(t, known, 60, 0)
	write(t, unknown, 40, 1000)
	read, out, err := os.Pipe()
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = out
	err = run(context.Background(), known, unknown, filepath.Join(folder, "model"))
	os.Stdout = stdout
	require.NoError(t, out.Close())
	require.NoError(t, err)
	said, err := io.ReadAll(read)
	require.NoError(t, err)
	right := 0
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	require.Len(t, lines, 41, string(said))
	for i, line := range lines[1:] {
		if strings.HasSuffix(line, []string{" near", " far"}[i%2]) {
			right++
		}
	}
	require.GreaterOrEqual(t, right, 36, string(said)) // of 40; guessing has 20
}

// TestOpen: what is wrong with a table is said with its line.
func TestOpen(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "want a table with the columns",
		"cloud,class,x\na,1,0\na,2,0\n": "line 3: cloud \"a\" has the classes 1 and 2",
		"cloud,class,x\na,1,zero\n":     "line 2: \"zero\" is no coordinate",
		"cloud,class,x\na,1,0\nb,2\n":   "wrong number of fields",
	} {
		file := filepath.Join(t.TempDir(), "clouds.csv")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		_, err := Open(file)
		require.ErrorContains(t, err, want)
	}
	c := &Clouds{names: []string{"one"}, points: [][]float64{{1, 2}}, class: []int{0}, dim: 2}
	_, err := c.Encoder("", nil)
	require.ErrorContains(t, err, "two points at a distance")
}
