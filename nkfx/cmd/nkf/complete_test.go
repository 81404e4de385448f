package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// TestNothingOrAll: what fails on a late row has written none, to standard output or to a pipe, which would
// look complete, and has left no temporary file.
func TestNothingOrAll(t *testing.T) {
	onGo(t)
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	tracks := "id,x,y\n"
	for g := range 600 { // in several batches, the last of which overflows
		tracks += fmt.Sprintf("%d,0,0\n%d,%d,1\n", g, g, g)
	}
	tracks += "600,0,0\n600,1e38,-1e38\n600,-1e38,1e38\n"
	require.NoError(t, os.WriteFile("tracks.csv", []byte(tracks), 0o600))
	for _, line := range []string{
		"signature --tracks tracks.csv --id id --x x --y y --depth 12",
	} {
		code, stdout, stderr := nkf(t, strings.Fields(line)...)
		require.Equal(t, exitError, code, line)
		require.Empty(t, stdout, line)
		require.NotEmpty(t, stderr)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestColumnsOfAModel: a model of tracks knows its columns. Swapped or renamed ones and a missing --t are
// errors that say which; tracks far outside of those it was trained on are predicted, and told.
func TestColumnsOfAModel(t *testing.T) {
	onGo(t)
	t.Chdir(t.TempDir())
	write := func(name, head string, shift float64) {
		text := head + "\n"
		for g := range 12 {
			for i := range 9 {
				text += fmt.Sprintf("t%d,%.3f,%.3f,%d,%s\n", g, shift+151+float64(i)/100,
					float64(g%5*i*(1-2*(g%2)))/100-33, i, []string{"left", "right"}[g%2])
			}
		}
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	write("a.csv", "track,lon,lat,when,way", 0)
	write("renamed.csv", "track,east,lat,when,way", 0)
	write("far.csv", "track,lon,lat,when,way", -20)
	done(t, strings.Fields("train --tracks a.csv --id track --x lon --y lat --t when "+
		"--label way --model signature-ridge --folds 2 --out . --name m")...)
	for line, want := range map[string]string{
		"a.csv --x lat --y lon --t when":        `"lat" in place of "lon": name the coordinates lon, lat`,
		"a.csv --x when --y lat --t when":       `coordinate 1 is "when" in place of "lon"`,
		"a.csv --x lon --y lat --t lon":         `the times are "lon" in place of "when"`,
		"a.csv --x lon --y lat":                 `there are no times in place of "when"`,
		"renamed.csv --x east --y lat --t when": `coordinate 1 is "east" in place of "lon"`,
		"a.csv --x lon --t when":                "there are the coordinates lon in place of lon, lat",
	} {
		line = "predict --model models/m --id track --tracks " + line
		fails(t, want, strings.Fields(line)...)
	}
	usual := strings.Fields("predict --model models/m --id track --x lon --y lat --t when --tracks")
	_, stderr := done(t, append(usual, "a.csv")...)
	require.NotContains(t, stderr, "far outside")
	stdout, stderr := done(t, append(usual, "far.csv", "--json")...)
	require.Contains(t, stderr, "12 of 12 paths lie far outside of the paths in training, in standard "+
		"deviations from their mean: path 0 (t0): up by ")
	for line := range strings.Lines(stdout) {
		var row models.Prediction
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		require.Equal(t, "up", row.Far.Column) // the sphere falls off by 300 km, and tracks by 5 m
		require.Greater(t, row.Far.Deviations, 1000.0)
	}
}

// TestSkippedMolecules: three of the rows that are no molecules are shown with their text, the others
// counted.
func TestSkippedMolecules(t *testing.T) {
	onGo(t)
	path := filepath.Join(t.TempDir(), "a.csv")
	text := "smiles,kind\n"
	for i := range 24 {
		text += fmt.Sprintf("%s%s,%d\n", strings.Repeat("C", i+1), []string{"O", "N"}[i%2], i%2)
	}
	text += "C(,0\nF(C)C,0\n" + strings.Repeat("C", 50) + "),1\n" + strings.Repeat("C(C)(C)(C)(C)C,1\n", 2) +
		"c1cc1,1\nC1,0\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	_, stderr := done(t, "train", "--csv", path, "--smiles", "smiles", "--label", "kind", "--folds", "2",
		"--epochs", "1", "--out", t.TempDir())
	require.Contains(t, stderr, "a: 7 of 31 rows left out, with no molecule\n"+
		"  row 24, line 26: \"C(\": smiles: character ")
	require.Contains(t, stderr, "  row 25, line 27: \"F(C)C\": smiles: valence: ")
	require.Contains(t, stderr, "  row 26, line 28: \""+strings.Repeat("C", 40)+"…\": smiles: ")
	require.Contains(t, stderr, "\n  and 4 more\n")
}
