package main

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

const sentencesFile = "testdata/usage.txt"

//go:embed testdata/usage.txt
var sentences string

var update = flag.Bool("update", false, "write "+sentencesFile)

// bases are, for every command that does something, what it cannot do without,
// and what comes last. Of those with two ways to get data the first is that of
// most flags, the second that of graphs, the third that of meshes.
var bases = map[string][]struct{ flags, last string }{
	"nkf run tu":           {{}},
	"nkf run moleculenet":  {{}},
	"nkf run uea":          {{}},
	"nkf run mesh":         {{}},
	"nkf run paths":        {{}},
	"nkf run surfaces":     {{}},
	"nkf run convolution":  {{}},
	"nkf run eigenvectors": {{}},
	"nkf table 1":          {{}},
	"nkf table 2":          {{}},
	"nkf table cochain":    {{}},
	"nkf table uea":        {{}},
	"nkf table mesh":       {{}},
	"nkf train": {{flags: "--csv x.csv --smiles s --label l"}, {flags: "--tu x.zip"}, {flags: "--mesh x"},
		{flags: "--ts x.ts"}, {flags: "--tracks x.csv --id i --x a --y b --label l"},
		{flags: "--tracks x.csv --id i --coordinates a,b --label l"}},
	"nkf predict": {{flags: "--model m --csv x.csv --smiles s"}, {flags: "--model m --tu x.zip"},
		{flags: "--model m --mesh x"}, {flags: "--model m --ts x.ts"},
		{flags: "--model m --tracks x.csv --id i --x a --y b"},
		{flags: "--model m --tracks x.csv --id i --coordinates a,b"}},
	"nkf signature": {{flags: "--csv x.csv --id i --x a"}, {}, {}, {flags: "--ts x.ts"},
		{flags: "--tracks x.csv --id i --x a"}, {flags: "--tracks x.csv --id i --coordinates a,b"}},
	"nkf mesh info":       {{last: "x.off"}},
	"nkf merge":           {{}},
	"nkf jobs slurm":      {{last: "-- run tu"}},
	"nkf jobs kubernetes": {{last: "-- run tu"}},
	"nkf setup":           {{}},
	"nkf doctor":          {{}},
	"nkf data list":       {{}},
	"nkf data verify":     {{}},
	"nkf kernel install":  {{}},
	"nkf kernel remove":   {{}},
	"nkf kernel run":      {{flags: "--checkout c", last: "connection.json"}},
	"nkf kernel trim":     {{last: "program"}},
	"nkf bench":           {{}},
	"nkf version":         {{}},
}

// ofGraphs are the flags that only the second way has.
var ofGraphs = []string{"tu", "no-score"}

// texts that a flag of a kind does not take, beside none at all; nil is for
// flags that take any.
var wrong = map[string][]string{
	"bool":        {"maybe"},
	"N":           {"-1", "x", "1.5", "99999999999999999999", "0x10", " 1"},
	"NUMBERS":     {"-1", "x", "1,", "2,99999999999999999999"},
	"NAME":        {"no such"},
	"NAMES":       {"no such"},
	"PERCENT":     {"-1", "x", "100", "NaN", "30%"},
	"TIME":        {"no such", "1\n2"},
	"CLAIM":       {"a b"},
	"SECONDS":     {"no such", "-1", "1\n2"},
	"I/N":         {"3", "2/2", "-1/2", "0/0", "0/2/3", "a/b"},
	"IMAGE":       {"a: b", "a\nb"},
	"stringSlice": {"a,", "a,a"},
	"FILE":        nil, "DIR": nil, "PATH": nil, "COLUMN": nil,
}

// right are texts that flags take for which shells have no completion.
var right = map[string]string{
	"N": "5", "NUMBERS": "1,2", "NAMES": "numbers", "TIME": "1", "CLAIM": "x", "SECONDS": "1", "I/N": "1/2", "IMAGE": "x", "FILE": "x",
	"DIR": "/x", "PATH": "x", "PERCENT": "12.5", "COLUMN": "x", "stringSlice": "x,y", "NAME": "x",
}

// commands calls visit with every command that does something.
func commands(cmd *cobra.Command, visit func(*cobra.Command)) {
	for _, child := range cmd.Commands() {
		if child.HasSubCommands() {
			commands(child, visit)
		} else if child.Name() != "help" {
			visit(child)
		}
	}
}

// try runs a command line, and reports whether it has begun to do something.
func try(line ...string) (code int, stdout, stderr string, begun bool) {
	var out, err bytes.Buffer
	a := newApp(strings.NewReader(""), &out, &err)
	code = a.run(context.Background(), line)
	return code, out.String(), err.String(), a.started
}

// requireUsage: the line is refused with a sentence, which it returns, and nothing is done.
func requireUsage(t *testing.T, line []string) (sentence string) {
	t.Helper()
	code, stdout, stderr, begun := try(line...)
	text := strings.Join(line, " ")
	require.Equal(t, exitUsage, code, "%s: %s", text, stderr)
	require.False(t, begun, text)
	require.Empty(t, stdout, text)
	require.Regexp(t, "^nkf: [^\n]+\nnkf: see `nkf[^\n]* --help`\n$", stderr)
	sentence, _, _ = strings.Cut(strings.TrimPrefix(stderr, "nkf: "), "\n")
	require.NotContains(t, sentence, "%!")
	return sentence
}

// wayOf is the place, among the bases of train and predict, of the way that a flag goes with.
var wayOf = map[string]int{
	"mesh": 2, "labels": 2, "ts": 3, "test": 3, "resample": 3,
	"tracks": 4, "lon": 4, "lat": 4, "x": 4, "y": 4, "t": 4, "coordinates": 5,
}

// withFlag returns a line of the command with a flag in the place of what it had.
func withFlag(cmd *cobra.Command, name, value string, boolean bool) []string {
	ways := bases[cmd.CommandPath()]
	base := ways[0]
	if slices.Contains(ofGraphs, name) {
		base = ways[1]
	}
	if i := wayOf[name]; i > 0 && len(ways) > i {
		base = ways[i]
	}
	if way := cmd.Name() + " " + name; way == "train id" || way == "predict label" {
		base = ways[wayOf["tracks"]] // which goes with molecules in the other command
	}
	replaced := name
	whole := func(k models.Kind) bool { return k.Open != nil && k.Flags == "--"+name }
	if slices.ContainsFunc(models.Kinds, whole) && len(ways) > 1 {
		base, replaced = ways[1], "tu" // all of the data in one flag
	}
	line := append(strings.Fields(cmd.CommandPath())[1:], strings.Fields(base.flags)...)
	if i := slices.Index(line, "--"+replaced); i >= 0 {
		line = slices.Delete(line, i, i+2)
	}
	if boolean || value == "" {
		line = append(line, "--"+name+"="+value)
	} else {
		line = append(line, "--"+name, value)
	}
	if partner := map[string]string{"lon": "lat", "lat": "lon"}[name]; partner != "" {
		line = append(line, "--"+partner, "partner")
	}
	return append(line, strings.Fields(base.last)...)
}

// TestEveryFlag walks over all commands and all their flags. What a flag does
// not take is an error of usage, before anything is done; what shells complete
// it with it takes.
func TestEveryFlag(t *testing.T) {
	emptyMachine(t)
	t.Setenv("GOMLX_BACKEND", "none") // for nothing is to come that far
	seen := map[string]bool{}
	commands(newApp(nil, nil, nil).root(), func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if strings.HasPrefix(path, "nkf completion ") {
			return // cobra's
		}
		require.NotEmpty(t, bases[path], "say what %s cannot do without", path)
		seen[path] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			t.Run(strings.ReplaceAll(path, " ", "_")+"_"+f.Name, func(t *testing.T) { testFlag(t, cmd, f) })
		})
		if bases[path][0].last == "" {
			line := append(strings.Fields(path)[1:], strings.Fields(bases[path][0].flags)...)
			t.Chdir(t.TempDir())
			require.Contains(t, requireUsage(t, append(line, "extra")), `"extra"`)
		}
	})
	for path := range bases {
		require.True(t, seen[path], "there is no %s", path)
	}
}

func testFlag(t *testing.T, cmd *cobra.Command, f *pflag.Flag) {
	kind := f.Value.Type()
	texts, known := wrong[kind]
	require.True(t, known, "say what flags of the kind %q do not take", kind)
	if kind == "N" && f.Name != "seed" {
		texts = append(texts, "0")
	}
	for _, text := range append(texts, "") {
		if f.Name == "help" && text == "" {
			continue
		}
		t.Chdir(t.TempDir())
		require.Contains(t, requireUsage(t, withFlag(cmd, f.Name, text, kind == "bool")), "--"+f.Name)
	}
	if kind == "bool" {
		return
	}
	accepted := []string{right[kind]}
	if complete, ok := cmd.GetFlagCompletionFunc(f.Name); ok {
		require.NoError(t, cmd.ParseFlags(strings.Fields(bases[cmd.CommandPath()][0].flags)))
		if names, _ := complete(cmd, nil, ""); len(names) > 0 {
			accepted = names
		}
	}
	for _, text := range accepted {
		_, _, stderr, begun := try(withFlag(cmd, f.Name, text, false)...)
		require.True(t, begun, "--%s %s: %s", f.Name, text, stderr)
	}
}

// TestUsage: an invalid command line is answered with the sentence of testdata/usage.txt, which -update
// writes anew.
func TestUsage(t *testing.T) {
	file, err := filepath.Abs(sentencesFile)
	require.NoError(t, err)
	emptyMachine(t)
	t.Setenv("GOMLX_BACKEND", "none") // for nothing is to come that far
	var out strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSpace(sentences), "\nnkf ") {
		line, _, _ := strings.Cut(strings.TrimPrefix(entry, "nkf "), "\n")
		fmt.Fprintf(&out, "nkf %s\n\t%s\n", line, requireUsage(t, strings.Split(line, " ")))
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
		return
	}
	require.Equal(t, sentences, out.String())
}

// TestLists: names in any case, each once, and all of them.
func TestLists(t *testing.T) {
	all := []string{"BZR", "COX2", "DHFR"}
	for text, want := range map[string]string{
		"all": "BZR,COX2,DHFR", "bzr": "BZR", "COX2, bzr,cox2": "COX2,BZR", "cox2,ALL": "COX2,BZR,DHFR",
		"dhfr --names bzr": "DHFR,BZR",
	} {
		cmd, names := &cobra.Command{}, []string{"COX2"}
		addChoices(cmd, &names, "names", "", all, all)
		require.NoError(t, cmd.ParseFlags(strings.Fields("--names "+strings.ReplaceAll(text, ", ", ","))))
		require.Equal(t, want, strings.Join(names, ","))
	}
	require.Equal(t, []string{"BZR", "COX2", "DHFR"}, all)
	cmd, names := &cobra.Command{}, all
	addChoices(cmd, &names, "names", "", all, all)
	require.Equal(t, "all", cmd.Flags().Lookup("names").DefValue)
}

// TestCompletion: shells get the values of flags, and the columns of files.
func TestCompletion(t *testing.T) {
	home := emptyMachine(t)
	require.NoError(t, os.WriteFile("my.csv", []byte("smiles;id;active\nC;x;1\n"), 0o600))
	require.NoError(t, os.MkdirAll("results/models/mine", 0o777))
	require.NoError(t, os.WriteFile("results/models/mine/model.json", nil, 0o600))
	for line, want := range map[string][]string{
		"train --model gi":                {"gin", "gin-tuned"},
		"train --split ":                  {"fold0", "folds", "random", "stratified", "scaffold"},
		"run tu --dataset B":              {"BZR"},
		"table 1 --features lab":          {"labels"},
		"train --csv my.csv --label ":     {"smiles", "id", "active"},
		"predict --csv my.csv --id ":      {"smiles", "id", "active"},
		"signature --csv my.csv --id ":    {"smiles", "id", "active"},
		"train --tracks my.csv --label i": {"id"},
		"predict --model ":                {"results/models/mine"},
		"train --csv my.csv --tu":         nil, // the other way
	} {
		words := strings.Split("__complete "+line, " ")
		code, stdout, _ := nkf(t, words...)
		require.Equal(t, exitDone, code)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		var got []string
		for _, candidate := range lines[:len(lines)-1] {
			if strings.HasPrefix(candidate, words[len(words)-1]) { // which the scripts of shells look at
				got = append(got, candidate)
			}
		}
		require.Equal(t, want, got, line)
	}
	requireFiles(t, home, "my.csv", "results")
}
