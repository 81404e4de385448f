package house_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// typed is a command that readers of a notebook type.
type typed struct {
	notebook string
	cell     int // from 0
	command  string
	name     bool // whether the text only names it, without what it needs
}

// commands returns the commands in the text of the notebooks: lines of blocks for a shell and of cells that
// begin with !, and what stands between backticks.
func commands(t *testing.T) (all []typed) {
	t.Helper()
	block := regexp.MustCompile("(?s)```(?:sh|bash|shell|console)\n(.*?)```")
	inline := regexp.MustCompile("`((?:nkf|make) [^`\n]+)`")
	eachNotebook(t, func(t *testing.T, path string) {
		for i, cell := range readNotebook(t, path).Cells {
			source := string(cell.Source)
			var lines []string
			if cell.Type == "code" {
				for line := range strings.Lines(source) {
					if command, ok := strings.CutPrefix(line, "!"); ok && strings.HasPrefix(command, "nkf ") {
						lines = append(lines, command)
					}
				}
			} else {
				for _, found := range block.FindAllStringSubmatch(source, -1) {
					lines = append(lines, strings.Split(strings.TrimSpace(found[1]), "\n")...)
				}
				for _, found := range inline.FindAllStringSubmatch(source, -1) {
					lines = append(lines, found[1])
				}
			}
			for _, line := range lines {
				line, _, _ = strings.Cut(line, "  #")
				for command := range strings.SplitSeq(line, " && ") {
					command = strings.TrimSpace(command)
					all = append(all, typed{filepath.Base(path), i, command, named(command)})
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
	return slices.Contains([]string{"nkf predict", "nkf train", "nkf mesh info", "nkf signature"}, command)
}

// TestCommandsOfNotebooks does what the notebooks tell readers to type, one notebook after another and in
// order, in the short form of TestCommandsOfGuides: a model that is asked has the name that the command
// before gave it.
func TestCommandsOfNotebooks(t *testing.T) {
	all := commands(t)
	require.Greater(t, len(all), 20, "commands are found")
	backendtest.NeedLong(t)
	guest := newGuest(t)
	write := func(name, text string) {
		path := filepath.Join(guest.home, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	molecules, sides := "smiles,active,toxic,soluble,stable,pIC50\n", "track,x,y,side\n"
	for i := range 40 {
		chain := strings.Repeat("C", 1+i%20)
		molecules += fmt.Sprintf("%sO,%d,%d,%d,,%d.5\nc1ccccc1%s,%d,%d,,%d,%d.25\n", chain, i%2, i%2, i%2, i,
			chain, (i+1)%2, i%2, i%2, i)
		for x := range 4 {
			sides += fmt.Sprintf("t%d,%d,%d.5,%s\n", i, x, x*(1-2*(i%2)), []string{"left", "right"}[i%2])
		}
	}
	write("molecules.csv", molecules)
	write("more.csv", molecules)
	write("SIDES.csv", sides)
	for _, c := range all {
		words := strings.Fields(c.command)
		for i, word := range words { // folders of two kinds have the same name
			if word == "FOLDER" && i > 0 {
				words[i] = map[string]string{"--mesh": "MESHES", "--tu": "DATA.zip"}[words[i-1]]
			}
		}
		if err := guest.try(words, c.name); err != nil {
			t.Errorf("%s, cell %d: %s: %v", c.notebook, c.cell, c.command, err)
		}
	}
}
