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

	molecules, sides := "smiles,active,toxic,soluble,stable,pIC50\n", "track,x,y,side\n"
	for i := range 40 {
		chain := strings.Repeat("C", 1+i%20)
		molecules += fmt.Sprintf("%sO,%d,%d,%d,,%d.5\nc1ccccc1%s,%d,%d,,%d,%d.25\n", chain, i%2, i%2, i%2, i,
			chain, (i+1)%2, i%2, i%2, i)
		for x := range 4 {
			sides += fmt.Sprintf("t%d,%d,%d.5,%s\n", i, x, x*(1-2*(i%2)), []string{"left", "right"}[i%2])
		}
	}
	guest.write(t, "molecules.csv", molecules)
	guest.write(t, "more.csv", molecules)
	guest.write(t, "SIDES.csv", sides)
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

// claims are sentences of notebooks that a run has to bear out: where the text of a notebook has
// one, its outputs have to have the other.
var claims = []struct{ notebook, text, output string }{
	{"surfaces", `from the same seed, and compare`, `the same 4 losses: true`},
	{"surfaces", `separates the classes \*by order\*`, `z dy∧dz +-1\.2\d ± 0\.\d+ +[+-]0\.0\d ± `},
	{"surfaces", `does the same for \$\\sin y`, `z dx∧dz +[+-]0\.0\d ± 0\.\d+ +-1\.2\d ± `},
	{"surfaces", `a form like \$\\cos x`, `cos x dy∧dz .* -7\.\d+ ± 1\.\d+ +[+-]0\.00 ± `},
	{"surfaces", `Is one seed luck`, `(?s)(seed \d: training accuracy 100\.0 %, test accuracy 100\.0.*){7}`},
	{"surfaces", `Training diverges at this rate`, `rate 0\.1: .* last loss [1-9]\d*\n`},
	{"forms", `only the rim is left`, `12 of 33 edges are left; the other 21 have the coefficient 0`},
	{"forms", `Twice \$d\$ is always zero`, `(?s)(of ddω \de-1[5-9].*){3}`},
	{"forms", `the sum of three orthogonal parts`,
		`products of the parts: \de-1\d, \de-1\d, \de-1\d`},
	{"forms", `in a few matrix products, with equal results up to rounding`, `differ by \de-1[4-6] at most`},
	{"handwriting", `next to none is read`,
		`(?s)ten forms: [89]\d\.\d %.*reversed strokes: 0\.\d %`},
	{"drifters", `all but one of these tracks`, `399 of 400 tracks turn by less than 180°`},
	{"drifters", `Both models classify 30 of 31`, `(?s)a 1-form: 30 of 31 .*of a function: 30 of 31 `},
	{"drifters", `have no curl part, up to the error of quadrature`, `curl \de-0[5-9]`},
	{"table1", `the same losses, to the bit`, `the same 100 losses: true`},
	{"table2", `the same losses, to the bit`, `the same \d+ losses: true`},
	{"paths", `no path is classified correctly`, `correct reversed test paths: 0\.0 %`},
	{"paths", `from the same seed,\s+and compare`, `the same 50 losses: true, the same accuracies: true`},
	{"paths", `far above that of guessing`, `trained as the 1-forms: .* worse than guessing`},
	{"paths", `most of the\s+test paths correctly, but not all`, `0-forms: 1881 .* accuracy [89]\d\.\d %`},
	{"convolution", `from the same seed, and compare`, `same 8 losses from the same seed: true`},
	{"convolution", `cycles turns clockwise and points outwards`,
		`of cycles: .* mean \+\d.* clockwise; .* mean -\d.* inwards`},
	{"convolution", `points inwards and turns counterclockwise`,
		`of stars: .* mean -\d.* clockwise; .* mean \+\d.* inwards`},
	{"eigenvectors", `errors above 80 %`, `(?s)(curl( +\S+ %){3} +[89]\d\.\d %.*){4}`},
	{"eigenvectors", `two of them are mostly\s+gradients`, `forms, published(?s:.*)7 of 9 forms`},
	{"eigenvectors", `to 99 % or more`, `forms, finer\n.*\n(\d .* (99\.\d|100\.0) %.*\n){9}9 of 9`},
	{"eigenvectors", `the same seed, and compare`, `the same 20 losses: true`},
	{"eigenvectors", `as many independent ones as holes`, `(?s)holes \(β₁\): 1\n.*: 1 harmonic`},
	{"cochain-networks", `has to score every letter the same, to the bit`, `the same 33750 scores: true`},
	{"cochain-networks", `a T that`, `(?s)\(1\.8, 0\.6\) end .*\(2\.9, 2\.9\) end `},
	{"cochain-networks", `some of it cancels at both levels`,
		`170° \d\.\d\d \S+ [1-8]\d % \d\.\d\d \S+ [1-8]\d %`},
	{"cochain-networks", `Nothing cancels at\s+the corner`, `(?s)edges meet at( .* 100 %\n.* 100 %){2}`},
	{"cochain-networks", `where both edges leave`, ` 92° \d\.\d\d -\d\.\d\d 100 % \d\.\d\d -\d\.\d\d 100 %`},
	{"cochain-networks", `150 trainings`, `all 5 folds with 1 seed each`},
	{"cochain-networks", `every interval contains 0`,
		`(?s)((GIN, tuned \S+ 5 folds \S+ \S+ to \S+ \d of 5 – open\s+){10}` +
			`GIN, tuned all 10 sets [^\n]* open.*){2}`},
	{"meshes", `joins the patches`, `32 components before, 3 after`},
	{"meshes", `divides the error by about four`,
		`step 5 divides the errors by (3\.9\d|4\.0\d) and (3\.9\d|4\.0\d)`},
	{"meshes", `mass and energy converge to`,
		`mass 6\.28\d \(limit 6\.283\), energy 4\.18\d \(limit 4\.189\)`},
	{"meshes", `each \$2l\+1\$ times`, `largest relative error: 5\.\d %`},
	{"meshes", `orthogonal in`, `products of the parts: \de-1\d, \de-1\d, \de-1\d`},
	{"meshes", `a vector space of dimension two`, `harmonic fields: 2`},
	{"meshes", `The smoothed functions notice neither`,
		`(?s)squares of three .* [3-6]\d\.\d % of the cut.*masses of three 2-forms: (100|9\d)` +
			`.* [3-6]\d\.\d % of the rot.* (100|9\d)\.\d % of the cut` +
			`.*heat on .* (100|9\d)\.\d % of the rot.* (100|9\d)\.\d % of the cut`},
	{"your-layer", `The first form passes. The other two`, `laws violated: \[0 [1-9] [1-9]\]`},
	{"your-layer", `A form with sines and a perceptron`,
		`(?s)sines: (\d+) parameters, .* [12]\d\.\d %.*perceptron: \d+ parameters, .* [789]\d\.\d %`},
	{"your-layer", `whatever its weights are`, `change it by \de-1[5-7] of its size`},
	{"your-layer", `training paths lie only`,
		`(?s)turning: .* 100\.0 % at the worst.*plain: .* 9\d\.\d % .* [34]\d\.\d % at the worst`},
	{"your-own-data", `every circle has a hole`, `circles +1 in 50 +49\b`},
	{"your-own-data", `no disc has`, `discs +0 in 50 +0\b`},
	{"your-own-data", `which have none, 48 are called circles`, `circles with a gap +0 in 50 +48\b`},
	{"your-own-data", `which have one, 36 are\s+called discs`, `wide rings +1 in 50 +14\b`},
	{"your-own-data", `26 of the smaller circles are called discs`, `smaller circles +1 in 50 +24\b`},
	{"your-own-data", `47 of those at another position`, `circles elsewhere +1 in 50 +3\b`},
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

func TestNotebooksBearOutWhatTheySay(t *testing.T) {
	eachNotebook(t, func(t *testing.T, name string, book *notebookFile) {
		shown := book.outputs()
		for _, c := range claims {
			if c.notebook == name {
				require.Regexp(t, c.text, book.prose(), "is not said any more")
				require.Regexp(t, c.output, shown, "%q is not so", c.text)
			}
		}
		require.NotContains(t, shown, "nothing is there", "a notebook shows what there is")
	})
	for _, c := range claims {
		require.FileExists(t, root+"/notebooks/"+c.notebook+".ipynb")
	}
}
