package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

var update = flag.Bool("update", false, "write what is compared in testdata")

// testdata is a folder of this one, which tests leave.
var testdata, _ = filepath.Abs("testdata")

// requireGolden compares a text with a file of testdata, which -update writes anew.
func requireGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	require.Equal(t, string(sure(os.ReadFile(path))), got)
}

// wrong are texts that a flag of a kind does not take.
var wrong = map[string][]string{
	"bool":    {"maybe"},
	"N":       {"", "-1", "x", "1.5", "99999999999999999999", "0x10", " 1"},
	"NUMBERS": {"", "-1", "x", "1,", "2,99999999999999999999"},
	"NAME":    {"", "no such"},
	"NAMES":   {"", "no such"},
	"CLAIM":   {"", "a b", "Upper", strings.Repeat("a", 51)},
	"WORD":    {"", "a b", "1\n2", "a;b"},
	"SECONDS": {"", "no such", "-1", "1\n2"},
	"I/N":     {"", "3", "2/2", "-1/2", "0/0", "0/2/3", "a/b"},
	"FILE":    {""}, "DIR": {""}, "COLUMN": {""}, "COLUMNS": {"", "a,a"},
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

// requireUsage: the line is refused with a sentence, which it returns, and nothing is done.
func requireUsage(t *testing.T, line string, more ...string) (sentence string) {
	t.Helper()
	code, stdout, stderr, begun := call("", line, more...)
	require.Equal(t, exitUsage, code, "%s %s: %s", line, more, stderr)
	require.False(t, begun, line)
	require.Empty(t, stdout, line)
	require.Regexp(t, "^nkf: [^\n]+\nnkf: see `nkf[^\n]* --help`\n$", stderr)
	sentence, _, _ = strings.Cut(strings.TrimPrefix(stderr, "nkf: "), "\n")
	require.NotContains(t, sentence, "%!")
	return sentence
}

// TestEveryFlag walks over all commands and all their flags. What a flag does not take is an error of usage,
// before anything is done; what shells complete it with it takes. The defaults are those of
// testdata/defaults.txt, which leaves out zeros and the number of processors.
func TestEveryFlag(t *testing.T) {
	nkftest.EmptyMachine(t)
	t.Setenv("GOMLX_BACKEND", "none") // for nothing is to come that far
	var defaults strings.Builder
	commands(newApp(nil, nil, nil).root(), func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		if path[0] == "completion" {
			return // cobra's
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "workers" && !strings.Contains("  0 false [] <nil> ", " "+f.DefValue+" ") {
				fmt.Fprintf(&defaults, "%s --%s=%s\n", cmd.CommandPath(), f.Name, f.DefValue)
			}
			t.Run(strings.Join(path, "_")+"_"+f.Name, func(t *testing.T) {
				texts, known := wrong[f.Value.Type()]
				require.True(t, known, "say what flags of the kind %q do not take", f.Value.Type())
				if f.Value.Type() == "N" && f.Name != "seed" {
					texts = append(texts, "0")
				}
				for _, text := range texts {
					sentence := requireUsage(t, strings.Join(path, " "), "--"+f.Name+"="+text)
					require.Contains(t, sentence, "--"+f.Name)
				}
				if complete, ok := cmd.GetFlagCompletionFunc(f.Name); ok {
					names, _ := complete(cmd, nil, "")
					for _, name := range names {
						require.NoError(t, f.Value.Set(name))
					}
				}
			})
		})
	})
	requireGolden(t, "defaults.txt", defaults.String())
}

// TestUsage: an invalid command line is answered with the sentence of testdata/usage.txt, which -update
// writes anew.
func TestUsage(t *testing.T) {
	sentences := sure(os.ReadFile(filepath.Join(testdata, "usage.txt")))
	nkftest.EmptyMachine(t)
	t.Setenv("GOMLX_BACKEND", "none") // for nothing is to come that far
	var out strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSpace(string(sentences)), "\nnkf ") {
		line, _, _ := strings.Cut(strings.TrimPrefix(entry, "nkf "), "\n")
		fmt.Fprintf(&out, "nkf %s\n\t%s\n", line, requireUsage(t, line))
	}
	requireGolden(t, "usage.txt", out.String())
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
	home := nkftest.EmptyMachine(t)
	put(t, "my.csv", "smiles;id;active\nC;x;1\n")
	put(t, "results/models/mine/model.json", "")
	for line, want := range map[string][]string{
		"train graphs --model gi":         {"gin", "gin-tuned"},
		"train paths --model pa":          {"path", "path-constant", "path-differences"},
		"train m":                         {"meshes", "molecules"},
		"train molecules --split ":        {"fold0", "folds", "random", "stratified", "scaffold"},
		"run tu --dataset B":              {"BZR"},
		"table 1 --features lab":          {"labels"},
		"train molecules my.csv --label ": {"smiles", "id", "active"},
		"predict molecules my.csv --id ":  {"smiles", "id", "active"},
		"predict meshes --model ":         {"results/models/mine"},
	} {
		words := strings.Split("__complete "+line, " ")
		stdout, _ := done(t, "", words...) // the last may be empty
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		var got []string
		for _, candidate := range lines[:len(lines)-1] {
			candidate, _, _ = strings.Cut(candidate, "\t")         // and what it is
			if strings.HasPrefix(candidate, words[len(words)-1]) { // which the scripts of shells look at
				got = append(got, candidate)
			}
		}
		require.Equal(t, want, got, line)
	}
	requireFiles(t, home, "my.csv", "results")
}
