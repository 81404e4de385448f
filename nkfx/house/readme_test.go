package house_test

import (
	"archive/zip"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// guides are the texts whose commands and programs are held to the code.
var guides = []string{
	"README.md", "CONTRIBUTING.md", "nkfx/cmd/nkf/README.md", "nkfx/experiments/README.md",
	"nkfx/experiments/PAPER.md", "nkfx/internal/bench/README.md",
}

// sourceFile is the path of a file of the project that a guide names.
var sourceFile = regexp.MustCompile("`((?:datasets|layers|nkfx|notebooks)/[\\w./-]+\\.\\w+)`")

// TestLinksOfGuides: what a guide links to or names within the project is there.
func TestLinksOfGuides(t *testing.T) {
	for _, guide := range guides {
		text := readText(guide)
		for _, found := range sourceFile.FindAllStringSubmatch(text, -1) {
			require.FileExists(t, filepath.Join(root, found[1]), guide)
		}
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			require.FileExists(t, filepath.Join(root, filepath.Dir(guide), found[1]), guide)
		}
	}
}

// block is a fenced block of a guide.
type block struct {
	guide, text string
	line        int
}

// fenced matches the blocks of a guide, with their language.
var fenced = regexp.MustCompile("(?ms)^```(\\S*)\n(.*?)^```$")

// blocks returns the fenced blocks of the guides in a language.
func blocks(t *testing.T, language string) (found []block) {
	t.Helper()
	for _, guide := range guides {
		text := readText(guide)
		require.Zero(t, strings.Count(text, "```")%2, "%s: a block has no end", guide)
		for _, at := range fenced.FindAllStringSubmatchIndex(text, -1) {
			if text[at[2]:at[3]] == language {
				found = append(found, block{guide, text[at[4]:at[5]], 1 + strings.Count(text[:at[0]], "\n")})
			}
		}
	}
	return found
}

// TestCommandsOfGuides does what the guides tell readers to type, in a short form:
//
//   - make: says what it would do (-n), so there is such a target;
//   - go install: builds the program;
//   - nkf: runs, with one epoch, two folds, one seed, one data set and one model, on small files with the
//     names of the guide. What installs is asked for --help, which takes no flag that the command
//     does not have.
func TestCommandsOfGuides(t *testing.T) {
	backendtest.NeedLong(t)
	guest := newGuest(t)
	for _, name := range guides {
		lines, inline := commandsIn(readText(name))
		for i, command := range slices.Concat(lines, inline) {
			if err := guest.try(strings.Fields(command), i >= len(lines)); err != nil {
				t.Errorf("%s: %s: %v", name, command, err)
			}
		}
	}
}

var (
	shellBlock    = regexp.MustCompile("(?s)```(?:sh|bash|shell|console)\n(.*?)```")
	inlineCommand = regexp.MustCompile("`((?:nkf|make) [^`]+)`")
)

// commandsIn returns the commands of a text in Markdown: in lines of blocks for a shell, and between
// backticks.
func commandsIn(text string) (lines, inline []string) {
	for _, found := range shellBlock.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(found[1]) {
			line, _, _ = strings.Cut(line, "  #")
			for command := range strings.SplitSeq(line, " && ") {
				lines = append(lines, strings.TrimSpace(command))
			}
		}
	}
	for _, found := range inlineCommand.FindAllStringSubmatch(text, -1) {
		inline = append(inline, found[1])
	}
	return lines, inline
}

// guest is a reader of the guides with a folder of his own.
type guest struct {
	home, program string
}

func newGuest(t *testing.T) *guest {
	t.Helper()
	g := &guest{home: t.TempDir()}
	g.program = must(nkftest.Program(t.TempDir()))
	for _, name := range []string{"DATA", "OTHER"} {
		g.renamedArchive(t, name)
	}
	csv := "smiles,active,logp,toxic\n"
	for i := range 40 {
		csv += fmt.Sprintf("C%sO,%d,%d.5,%d\nc1ccccc1%s,%d,%d.25,%d\n", strings.Repeat("C", i), i%2, i, i%2,
			strings.Repeat("C", i), (i+1)%2, i, i%2)
	}
	g.write(t, "FILE.csv", csv)
	paths := "pen,time,x,y,letter\n"
	for i := range 60 {
		paths += fmt.Sprintf("p%d,%d,%d.5,%d,%s\n", i%12, i, i/12*(1+i%2), i%5, []string{"a", "b"}[i%2])
	}
	g.write(t, "PATHS.csv", paths)
	for i := range 12 {
		g.write(t, fmt.Sprintf("MESHES/%c/%d.off", 'a'+i%2, i), fmt.Sprintf(
			"OFF\n4 4 6\n0 0 0\n%d 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n", 1+10*(i%2)))
	}
	g.write(t, "MESH.off", "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
	return g
}

// write makes a file of the guest's, with the folders that it is in.
func (g *guest) write(t *testing.T, name, text string) {
	t.Helper()
	xlatest.Write(t, g.home, name, []byte(text))
}

// renamedArchive writes the excerpt of BZR as a data set of another name.
func (g *guest) renamedArchive(t *testing.T, name string) {
	t.Helper()
	in := must(zip.OpenReader(filepath.Join(root, "datasets", "tu", "testdata", "BZR.zip")))
	defer in.Close()
	var packed strings.Builder
	out := zip.NewWriter(&packed)
	for _, member := range in.File {
		member.Name = strings.ReplaceAll(member.Name, "BZR", name)
		require.NoError(t, out.Copy(member))
	}
	require.NoError(t, out.Close())
	g.write(t, name+".zip", packed.String())
}

// try does one command; asked is whether to ask for help only.
func (g *guest) try(words []string, asked bool) error {
	switch {
	case len(words) == 0 || words[0] == "cd" || words[0] == "mkdir":
		return nil
	case slices.Contains([]string{"git", "docker", "bash", "sbatch", "kubectl"}, words[0]):
		return nil // needs what a test must not count on
	case words[0] == "for" || words[0] == "jq" || words[0] == "parallel":
		return g.script(strings.Join(words, " "))
	case words[0] == "cp" || words[0] == "GOPROXY=off":
		return nil // TestProgramOfAnotherModule does it
	case words[0] == "make":
		return run(root, append([]string{"make", "-n"}, words[1:]...)...)
	case words[0] == "go" && len(words) == 3 && words[1] == "install":
		return run(root, "go", "build", "-o", os.DevNull, words[2])
	case words[0] == "nkf":
		return g.nkf(words[1:], asked)
	}
	return fmt.Errorf("the test has no rule for %s", words[0])
}

// script runs a line of a shell, with short trainings, unless its program is missing.
func (g *guest) script(line string) error {
	if program, _, _ := strings.Cut(line, " "); program != "for" {
		if _, err := exec.LookPath(program); err != nil {
			return nil
		}
	}
	line = strings.ReplaceAll(line, "nkf train graphs", "nkf train graphs --epochs 1 --folds 2")
	return run(g.home, "bash", "-ec", fmt.Sprintf("PATH=%q:$PATH; %s", filepath.Dir(g.program), line))
}

// run runs a command in a folder.
func run(folder string, words ...string) error {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out[max(0, len(out)-500):])
	}
	return nil
}

// nkf runs the program in the short form.
func (g *guest) nkf(args []string, asked bool) error {
	// What comes after > is a file of the reader's.
	if at := slices.Index(args, ">"); at >= 0 {
		args = args[:at]
	}
	if args[0] == "jobs" {
		return run(g.home, append([]string{g.program}, args...)...) // prints
	}
	if asked && strings.HasPrefix(args[len(args)-1], "--") {
		args = append(args[:len(args):len(args)], "x") // a flag of which the text gives the name alone
	}
	help, err := exec.Command(g.program, append(slices.Clone(args), "--help")...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, help)
	}
	line := strings.Join(args, " ")
	for _, far := range []string{"setup", "kernel"} {
		asked = asked || strings.HasPrefix(line, far)
	}
	named := strings.HasPrefix(line, "run tu") || strings.HasPrefix(line, "table") ||
		strings.HasPrefix(line, "run moleculenet")
	if asked {
		return nil
	}
	smallest, model := "BZR", "nkf"
	if strings.Contains(line, "moleculenet") || strings.HasPrefix(line, "table 2") {
		smallest = "BACE"
	} else if strings.HasPrefix(line, "table uea") {
		smallest, model = "ERing", "path"
	}
	words := append([]string{g.program}, args...)
	for i, word := range words[1:] { // of several names the first is tried
		usual, ok := map[string]string{"--dataset": smallest, "--model": model, "--features": ""}[words[i]]
		if first, _, _ := strings.Cut(word, ","); ok && named && first == "all" {
			words[i+1] = usual
		} else if ok && named {
			words[i+1] = first
		}
	}
	add := func(flag, value string) {
		if strings.Contains(string(help), flag+" ") {
			words = append(words, flag, value)
		}
	}
	add("--epochs", "1")
	add("--folds", "2")
	add("--seeds", "1")
	add("--runs", "1")
	if named && !slices.Contains(words, "--dataset") {
		words = append(words, "--dataset", smallest)
	}
	if strings.HasPrefix(line, "table") && !slices.Contains(words, "--model") {
		words = append(words, "--model", model)
	}
	return run(g.home, words...)
}

// free are the names that programs of the guides use without declaring them.
var free = []struct{ name, kind string }{
	{"scope", "*model.Scope"}, {"vertices", "*graph.Node"}, {"edges", "*graph.Node"},
	{"simplices", "*graph.Node"}, {"graphs", "int"}, {"classes", "int"},
	{"ctx", "context.Context"}, {"backend", "compute.Backend"}, {"batch", "*layers.Batch"},
}

// packages are where the packages are that programs of the guides use.
var packages = map[string]string{
	"context": "context", "fmt": "fmt", "model": "github.com/gomlx/gomlx/ml/model",
	"graph": "github.com/gomlx/gomlx/core/graph", "compute": "github.com/gomlx/compute",
}

// TestProgramsOfGuides compiles the Go programs of the guides. What is no file is the body of a function,
// with the names above.
func TestProgramsOfGuides(t *testing.T) {
	for _, s := range sources(t) {
		if name := filepath.Base(s.path); s.path != "nkfx/cmd/nkf" {
			packages[name] = module + "/" + s.path
		}
	}
	found := blocks(t, "go")
	require.NotEmpty(t, found)
	for _, b := range found {
		text := b.text
		if !strings.HasPrefix(text, "package ") {
			text = wrapped(text)
		}
		file := filepath.Join(t.TempDir(), "program.go")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		if err := run(root, "go", "list", "-export", file); err != nil { // which does not link
			t.Errorf("%s:%d: %v\n%s", b.guide, b.line, err, text)
		}
	}
}

// wrapped makes a file of statements.
func wrapped(body string) string {
	var declared, used strings.Builder
	for _, f := range free {
		fmt.Fprintf(&declared, "var %s %s\n", f.name, f.kind)
	}
	seen := map[string]bool{}
	for _, names := range regexp.MustCompile(`(?m)^([\w, ]+) :=`).FindAllStringSubmatch(body, -1) {
		for name := range strings.SplitSeq(names[1], ", ") {
			if name != "_" && !seen[name] {
				fmt.Fprintf(&used, "_ = %s\n", name)
				seen[name] = true
			}
		}
	}
	text := declared.String() + "func program() {\n" + body + used.String() + "}\nfunc main() { program() }\n"
	var imported strings.Builder
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		if regexp.MustCompile(`(^|[^\w.])` + name + `\.[A-Z]`).MatchString(text) {
			fmt.Fprintf(&imported, "import %q\n", packages[name])
		}
	}
	return "package main\n" + imported.String() + text
}
