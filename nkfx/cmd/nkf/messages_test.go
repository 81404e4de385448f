package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMessagesOfferOwnFlags: what a command says names no flag that it does not
// have, except in a command line of another.
func TestMessagesOfferOwnFlags(t *testing.T) {
	onGo(t)
	archive := excerpt(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"own.csv": alcohols(","), "empty.csv": "", "head.csv": "smiles,kind\n",
		"bad.csv":        "smiles,kind\nC(,1\n",
		"semicolons.csv": "smiles;a,b;kind\nC;1,2;0\n", "commas.csv": "smiles,\"kind, of it\"\nC,0\n",
		"one.csv": "smiles,kind\nC,1\nCC,1\nCCC,1\n", "texts.csv": "smiles,kind\nC,a\nCC,b\nCCC,c\nCN,d\n",
		"nearly.csv": "smiles,kind\nC,1.5\nCC,x\n", "utf16.csv": "\xff\xfes\x00",
		"quote.csv": "smiles,kind\nC\",1\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	bare := writeGraphs(t, "BARE", map[string]string{
		"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n", "graph_labels": "1\n",
	})
	for _, line := range []string{
		"train --csv own.csv --smiles smiles --label kind --folds 2 --epochs 1",
		"train --tu " + archive + " --folds 2 --epochs 1",
	} {
		code, _, stderr := nkf(t, strings.Fields(line)...)
		require.Equal(t, exitDone, code, stderr)
	}
	molecules := "predict --model results/models/own-kind-nkf"
	graphs := "predict --model results/models/BZR-nkf"
	flag, quoted := regexp.MustCompile(`--[a-z][a-z-]*`), regexp.MustCompile("`[^`]*`")
	lines := []string{
		molecules + " --tu " + archive, graphs + " --csv own.csv --smiles smiles", graphs + " --tu " + bare,
		graphs + " --tu none.zip", graphs + " --tu own.csv", "predict --model none --tu " + bare,
		"train --tu " + bare, "train --tu none", "train --tu " + archive + " --folds 100",
		"train --tu " + bare + " --features labels", "merge --out none",
		"merge --out own.csv",
		"train --csv own.csv --smiles smiles --label kind --task regression --epochs 1 --out own.csv",
	}
	files, err := filepath.Glob("*.csv")
	require.NoError(t, err)
	for _, file := range files {
		lines = append(lines, "train --smiles smiles --label kind --folds 30 --csv "+file,
			molecules+" --smiles mol --csv "+file, molecules+" --smiles smiles --id name --csv "+file)
	}
	for _, line := range lines {
		words := strings.Fields(line)
		code, _, stderr := nkf(t, words...)
		require.Equal(t, exitError, code, "%s: %s", line, stderr)
		cmd, _, err := newApp(nil, nil, nil).root().Find(words)
		require.NoError(t, err)
		for _, found := range flag.FindAllString(quoted.ReplaceAllString(stderr, ""), -1) {
			require.NotNil(t, cmd.Flags().Lookup(found[2:]), "%s offers %s: %s", line, found, stderr)
		}
		require.NotRegexp(t, `\b1 (folds|complexes|rows|classes|molecules|values|epochs|trainings)\b`, stderr)
		said := strings.Split(strings.TrimSpace(stderr), "\n")
		require.Equal(t, 1, strings.Count(said[len(said)-1], "nkf: "))
	}
}

// TestOneLine: what several workers say alike is said once.
func TestOneLine(t *testing.T) {
	full := errors.New("no space left on device")
	require.Equal(t, full.Error(), oneLine(errors.Join(full, nil, errors.Join(full, full))))
	require.Equal(t, "a; b", oneLine(errors.New("a\n\n\tb\na\n")))
}
