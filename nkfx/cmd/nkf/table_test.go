package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// TestTable1 makes a small part of the table twice: the files to read are the
// same to the last byte.
func TestTable1(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	args := strings.Fields(
		"table 1 --dataset BZR --model nkf --features labels --folds 2 --epochs 1 --workers 1 --out " + out)
	assembled := append(args, "--assemble")
	run := func(line []string) (stdout string) {
		stdout, _ = done(t, line...)
		return stdout
	}
	require.Contains(t, run(assembled), "1 cell is not trained yet")
	first := run(args)
	for _, part := range []string{"NkF, paper", "78.77 ± 0.55", "3,645"} {
		require.Contains(t, first, part)
	}
	read := func() (files []string) {
		for _, ext := range []string{"md", "svg", "png"} {
			data, err := os.ReadFile(filepath.Join(out, "table1."+ext))
			require.NoError(t, err)
			files = append(files, string(data))
		}
		return files
	}
	files := read()
	require.Equal(t, first, run(assembled))
	require.Equal(t, files, read())
	cells := results(t, run(append(args, "--json")))
	require.Len(t, cells, 1)
	require.Equal(t, "78.77 ± 0.55", cells[0].Paper.String())
	require.Len(t, cells[0].Folds, 2)
}

// TestTablesOfNothing assembles tables of which nothing is trained yet, to files of all formats.
func TestTablesOfNothing(t *testing.T) {
	onGo(t)
	for line, want := range map[string][]string{
		"table 2 --dataset bbbp": {"Table 2: AUROC with the weights of the last epoch, as published",
			"5 seeds on the first of 5 stratified folds, as published", "NkF, paper", "86.41 ± 3.64", "282K",
			"12 cells are not trained yet"},
		"table cochain --dataset bzr": {"3 cells are not trained yet", "81.48 ± 2.90"},
	} {
		out := t.TempDir()
		args := append(strings.Fields(line), "--assemble", "--out", out)
		stdout, _ := done(t, args...)
		for _, part := range want {
			require.Contains(t, stdout, part)
		}
		name := tableFile(args[1])
		requireFiles(t, out, name+".json", name+".md", name+".png", name+".svg")
		stdout, _ = done(t, append(args, "--json")...)
		require.Empty(t, stdout, "no cell, no line")
	}
}

// TestTableFolder: a folder that cannot be is an error, and not at the end of
// all work.
func TestTableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, saveTable(&experiments.Results{}, filepath.Join(file, "table1")))
}

// TestOthersAreShown: further test parts are columns.
func TestOthersAreShown(t *testing.T) {
	var out strings.Builder
	require.NoError(t, (&app{stdout: &out}).printResults([]*experiments.Result{
		{Dataset: "A", Model: "path", Metric: "accuracy", Mean: 90,
			Others: []experiments.Other{{Name: "every fourth", Mean: 80}, {Name: "ten for one", Mean: 70}}},
	}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Contains(t, lines[0], "every fourth  ten for one")
	require.Regexp(t, `^A\s+path\s+0\s+90.00 ± 0.00\s+0.00 ± 0.00\s+–\s+80.00 ± 0.00\s+70.00 ± 0.00`,
		lines[len(lines)-1])
}
