package house_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// typed is a command that readers of a notebook type.
type typed struct {
	notebook string
	cell     int // from 0
	command  string
	name     bool // whether the text only names it, without what it needs
}

// commands returns the commands in the text of the notebooks, and those of their cells.
func commands(t *testing.T) (all []typed) {
	t.Helper()
	inCell := regexp.MustCompile("(?m)^!nkf .*")
	eachNotebook(t, func(_ *testing.T, name string, book *notebookFile) {
		for i, cell := range book.Cells {
			source := string(cell.Source)
			if cell.Type == "code" { // as a text has it
				source = "```sh\n" + strings.Join(inCell.FindAllString(source, -1), "\n") + "```"
			}
			lines, inline := commandsIn(source)
			for _, command := range slices.Concat(lines, inline) {
				if command = strings.TrimPrefix(command, "!"); command != "" {
					all = append(all, typed{name, i, command, named(command)})
				}
			}
		}
	})
	return all
}

// named reports whether a command is a name alone: nothing, or a flag without its value, follows it, and it
// is none that needs nothing.
func named(command string) bool {
	words := strings.Fields(command)
	if strings.HasPrefix(words[len(words)-1], "--") {
		return true
	}
	return slices.Contains([]string{"nkf predict", "nkf train", "nkf mesh info"}, command)
}

// TestCommandsOfNotebooks does what the notebooks tell readers to type, one notebook after another and in
// order, in the short form of TestCommandsOfGuides: a model that is asked has the name that the command
// before gave it.
func TestCommandsOfNotebooks(t *testing.T) {
	all := commands(t)
	require.Greater(t, len(all), 20, "commands are found")
	backendtest.NeedLong(t)
	guest := newGuest(t)

	molecules := "smiles,active,toxic,soluble,stable,pIC50\n"
	for i := range 40 {
		chain := strings.Repeat("C", 1+i%20)
		molecules += fmt.Sprintf("%sO,%d,%d,%d,,%d.5\nc1ccccc1%s,%d,%d,,%d,%d.25\n", chain, i%2, i%2, i%2, i,
			chain, (i+1)%2, i%2, i%2, i)
	}
	guest.write(t, "molecules.csv", molecules)
	guest.write(t, "more.csv", molecules)
	for _, c := range all {
		words := strings.Fields(c.command)
		for i, word := range words { // folders of two kinds have the same name
			if word == "FOLDER" && i > 0 {
				words[i] = map[string]string{"meshes": "MESHES", "graphs": "DATA.zip"}[words[i-1]]
			}
		}
		if err := guest.try(words, c.name); err != nil {
			t.Errorf("%s, cell %d: %s: %v", c.notebook, c.cell, c.command, err)
		}
	}
}

// TestNotebooksCompile holds the notebooks to the packages they import, without running them.
func TestNotebooksCompile(t *testing.T) {
	goTool := must(exec.LookPath("go"))
	packages := &cell.Packages{Go: goTool, Dir: root}
	list := must(packages.List(t.Context(), "std", module+"/layers/...", module+"/datasets/...",
		module+"/nkfx/..."))
	packages.Add(list)
	eachNotebook(t, func(t *testing.T, _ string, book *notebookFile) {
		memory := &cell.Memory{}
		for i, c := range book.code() {
			built, mistakes := memory.Program(cell.New(string(c.Source), i+1), packages, false)
			for _, m := range mistakes {
				t.Error(m)
			}
			if mistakes == nil {
				memory = built.After
			}
		}
	})
}

// outputs returns what the cells of a notebook show, as text with single spaces.
func (b *notebookFile) outputs() string {
	var out []string
	for _, c := range b.code() {
		for _, text := range c.shown() {
			for line := range strings.Lines(text) {
				if line := strings.Join(strings.Fields(line), " "); line != "" {
					out = append(out, line)
				}
			}
		}
	}
	return strings.Join(out, "\n")
}

// TestNotebooksBearOutWhatTheySay: testdata/claims.txt has sentences that a run has to bear out. Where the
// text of a notebook has one, its outputs have to have the other.
func TestNotebooksBearOutWhatTheySay(t *testing.T) {
	text, claims := readText("nkfx/house/testdata/claims.txt"), map[string][][]string{}
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(block, "\n")
		require.Len(t, lines, 3, "a notebook, what it says, and what it shows: %s", block)
		claims[lines[0]] = append(claims[lines[0]], lines[1:])
	}
	eachNotebook(t, func(t *testing.T, name string, book *notebookFile) {
		shown := book.outputs()
		for _, c := range claims[name] {
			require.Regexp(t, c[0], book.prose(), "is not said any more")
			require.Regexp(t, c[1], shown, "%q is not so", c[0])
		}
		delete(claims, name)
		require.NotContains(t, shown, "nothing is there", "a notebook shows what there is")
	})
	require.Empty(t, claims, "there are no such notebooks")
}
