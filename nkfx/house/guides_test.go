package house_test

import (
	"archive/zip"
	"compress/bzip2"
	"fmt"
	"io"
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
	"github.com/neuralkforms/nkf/nkfx/internal/pixels"
)

// guides are the texts whose commands and programs are held to the code.
var guides = []string{
	"README.md", "CONTRIBUTING.md", "nkfx/cmd/nkf/README.md", "nkfx/experiments/README.md",
	"nkfx/experiments/PAPER.md", "nkfx/internal/bench/README.md",
}

// TestFilesOfGuides: a file of the project that a guide names without a link to it, which make site would
// follow, is there.
func TestFilesOfGuides(t *testing.T) {
	file := regexp.MustCompile("`((?:datasets|layers|nkfx|notebooks)/[\\w./-]+\\.\\w+)`")
	for _, guide := range guides {
		for _, found := range file.FindAllStringSubmatch(readText(guide), -1) {
			require.FileExists(t, filepath.Join(root, found[1]), guide)
		}
	}
}

// blocks returns the fenced blocks of a text in one of the languages.
func blocks(text, languages string) (found []string) {
	fenced := regexp.MustCompile("(?ms)^```(?:" + languages + ")\n(.*?)^```$")
	for _, block := range fenced.FindAllStringSubmatch(text, -1) {
		found = append(found, block[1])
	}
	return found
}

// around stands around the lines of a network in a guide, the last of which makes scores.
const around = `package lines

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/neuralkforms/nkf/layers"
)

func network(scope *model.Scope, batch *layers.Batch, classes int) *graph.Node {
%s
	return scores
}
`

// TestProgramsOfGuides compiles the Go programs, packages and lines of the guides.
func TestProgramsOfGuides(t *testing.T) {
	for _, guide := range guides {
		for _, text := range blocks(readText(guide), "go") {
			if !strings.HasPrefix(text, "package ") {
				text = fmt.Sprintf(around, text)
			}
			file := filepath.Join(t.TempDir(), "program.go")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
			require.NoError(t, run(root, "go", "list", "-export", file), guide) // which does not link
		}
	}
}

// commandsIn returns the commands of a text in Markdown: in lines of blocks for a shell, and between
// backticks.
func commandsIn(text string) (lines, inline []string) {
	for _, block := range blocks(text, "sh") {
		for line := range strings.Lines(block) {
			line, _, _ = strings.Cut(line, "  #")
			for command := range strings.SplitSeq(line, " && ") {
				if command = strings.TrimPrefix(strings.TrimSpace(command), "!"); command != "" {
					lines = append(lines, command)
				}
			}
		}
	}
	for _, found := range regexp.MustCompile("`((?:nkf|make) [^`]+)`").FindAllStringSubmatch(text, -1) {
		inline = append(inline, found[1])
	}
	return lines, inline
}

// TestCommands does what guides and notebooks tell readers to type, each of them in order, in a short form:
//
//   - make: says what it would do (-n), so there is such a target;
//   - go install: builds the program;
//   - nkf: runs, with one epoch, two folds, one seed, one data set and one model, on small files with the
//     names of the text. What installs, and what a sentence names, is asked for --help, which takes no flag
//     that the command does not have.
func TestCommands(t *testing.T) {
	backendtest.NeedLong(t)
	guest := newGuest(t)
	tryAll := func(place, text string) {
		lines, inline := commandsIn(text)
		for i, command := range slices.Concat(lines, inline) {
			if err := guest.try(strings.Fields(command), i >= len(lines)); err != nil {
				t.Errorf("%s: %s: %v", place, command, err)
			}
		}
	}
	for _, name := range guides {
		tryAll(name, readText(name))
	}
	// So are the commands behind the measured numbers: a part up to the first remark after a comma.
	for _, measured := range strings.Split(readText(numbersFile), "\n\n") {
		for part := range strings.SplitSeq(strings.Split(measured, "\n")[1], "; ") {
			if command, _, _ := strings.Cut(part, ", "); strings.HasPrefix(command, "nkf ") {
				tryAll(numbersFile, "`"+command+"`")
			}
		}
	}
	inCell := regexp.MustCompile("(?m)^!nkf .*")
	eachNotebook(t, func(_ *testing.T, name string, book *notebook) {
		for _, c := range book.Cells {
			text := string(c.Source)
			if c.Type == "code" {
				text = "```sh\n" + strings.Join(inCell.FindAllString(text, -1), "\n") + "\n```\n"
			}
			tryAll(name, text)
		}
	})
}

// guest is a reader with a folder of his own.
type guest struct {
	home, program string
}

func newGuest(t *testing.T) *guest {
	t.Helper()
	g := &guest{home: t.TempDir(), program: must(nkftest.Program(t.TempDir()))}
	write := func(name, text string) { xlatest.Write(t, g.home, name, []byte(text)) }
	for _, name := range []string{"DATA", "OTHER", "FOLDER"} {
		write(name+".zip", renamed(t, name))
	}
	molecules := "smiles,active,logp,toxic,soluble,stable,pIC50\n"
	for i := range 40 {
		chain := strings.Repeat("C", 1+i%20)
		molecules += fmt.Sprintf("%sO,%d,%d.5,%[2]d,%[2]d,,%[3]d.5\n", chain, i%2, i)
		molecules += fmt.Sprintf("c1ccccc1%s,%d,%d.25,%[4]d,,%[4]d,%[3]d.25\n", chain, (i+1)%2, i, i%2)
	}
	for _, name := range []string{"FILE", "molecules", "more"} {
		write(name+".csv", molecules)
	}
	paths := "pen,time,x,y,letter\n"
	for i := range 60 {
		paths += fmt.Sprintf("p%d,%d,%d.5,%d,%s\n", i%12, i, i/12*(1+i%2), i%5, []string{"a", "b"}[i%2])
	}
	write("PATHS.csv", paths)
	const tetrahedron = "OFF\n4 4 6\n0 0 0\n%d 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
	for i := range 12 {
		write(fmt.Sprintf("MESHES/%c/%d.off", 'a'+i%2, i), fmt.Sprintf(tetrahedron, 1+10*(i%2)))
	}
	for _, folder := range []string{"datasets", "notebooks"} {
		target := must(filepath.Abs(filepath.Join(root, folder)))
		require.NoError(t, os.Symlink(target, filepath.Join(g.home, folder)))
	}
	write("MESH.off", "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
	return g
}

// renamed returns the excerpt of BZR as a data set of another name.
func renamed(t *testing.T, name string) string {
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
	return packed.String()
}

// try does one command; named is whether a sentence names it.
func (g *guest) try(words []string, named bool) error {
	switch words[0] {
	case "cd", "mkdir", "git", "docker", "bash", "sbatch", "kubectl": // needs what a test must not count on
		return nil
	case "cp", "GOPROXY=off":
		return nil // TestProgramOfAnotherModule does it
	case "bzcat":
		return g.unpack(words[1], words[3])
	case "for", "jq", "parallel":
		return g.script(strings.Join(words, " "))
	case "make":
		return run(root, append([]string{"make", "-n"}, words[1:]...)...)
	case "go":
		return run(root, "go", "build", "-o", os.DevNull, words[2])
	case "nkf":
		return g.nkf(words[1:], named || words[1] == "setup" || words[1] == "kernel")
	}
	return fmt.Errorf("the test has no rule for %s", words[0])
}

// unpack writes what a file of the project has packed.
func (g *guest) unpack(path, name string) error {
	text, err := io.ReadAll(bzip2.NewReader(strings.NewReader(readText(path))))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(g.home, name), text, 0o666)
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

// lists are the flags with several names.
var lists = regexp.MustCompile(`--(dataset|model) ([^ ,]+)(?:,\S+)?`)

// nkf runs the program in the short form, or asks for help.
func (g *guest) nkf(args []string, ask bool) error {
	line, _, _ := strings.Cut(strings.Join(args, " "), " >") // what comes behind is a file of the reader's
	if line == "train meshes FOLDER" {
		line = "train meshes MESHES"
	}
	if ask && strings.HasPrefix(args[len(args)-1], "--") {
		line += " x" // a flag of which the text gives the name alone
	}
	if args[0] == "jobs" { // prints, and has a command of nkf at its end
		return run(g.home, append([]string{g.program}, strings.Fields(line)...)...)
	}
	help, err := exec.Command(g.program, strings.Fields(line+" --help")...).CombinedOutput()
	if err != nil || ask {
		return err
	}
	names := map[string]string{"dataset": "BZR", "model": "nkf"}
	if strings.Contains(line, "moleculenet") || strings.HasPrefix(line, "table 2") {
		names["dataset"] = "BACE"
	} else if strings.Contains(line, "uea") {
		names["dataset"], names["model"] = "ERing", "path"
	}
	line = lists.ReplaceAllStringFunc(line, func(list string) string { // of several names the first is tried
		if found := lists.FindStringSubmatch(list); found[2] != "all" {
			return "--" + found[1] + " " + found[2]
		} else {
			return "--" + found[1] + " " + names[found[1]]
		}
	})
	has := func(flag string) bool { return strings.Contains(string(help), flag+" ") }
	if has("--dataset") && !strings.Contains(line, "--dataset") {
		line += " --dataset " + names["dataset"]
	}
	if strings.HasPrefix(line, "table") && !strings.Contains(line, "--model") {
		line += " --model " + names["model"]
	}
	for _, flag := range []string{"--epochs 1", "--folds 2", "--seeds 1", "--runs 1"} {
		if has(flag[:len(flag)-2]) {
			line += " " + flag
		}
	}
	return run(g.home, append([]string{g.program}, strings.Fields(line)...)...)
}

// TestPictureOfGuide makes the picture of README.md again, by the command beside it, and -update keeps it.
//
// A seed fixes every bit on a backend and a kind of processor. Elsewhere the roundings of a training are
// others. The data are not: paths and words are the same, but for one of 200 colored pixels that rasterizers
// round otherwise (the pure Go backend moves 1 of 20,000, another seed 3 of 4). Of the streamlines some turn:
// up to 5 % of all pixels may differ. Dark pages have the same picture in other colors.
func TestPictureOfGuide(t *testing.T) {
	backendtest.NeedLong(t)
	const light, dark, command = "nkfx/experiments/pictures/paths-fields.png",
		"nkfx/experiments/pictures/paths-fields-dark.png", "nkf run paths --seed 1"
	for _, shown := range []string{light, dark, command} {
		require.Contains(t, readText("README.md"), shown)
	}
	program, out := must(nkftest.Program(t.TempDir())), t.TempDir()
	words := strings.Fields(command + " --out " + out)
	require.NoError(t, run(root, append([]string{program}, words[1:]...)...))
	picture := must(os.ReadFile(filepath.Join(out, "paths", "fields.png")))
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join(root, light), picture, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(root, dark), must(pixels.Dark(picture)), 0o644))
	}
	committed := []byte(readText(light))
	require.LessOrEqual(t, must(pixels.Difference(committed, picture, pixels.Colored)), 1.0/200, "the data")
	require.LessOrEqual(t, must(pixels.Difference(committed, picture, nil)), 0.05, "the forms")
	require.Zero(t, must(pixels.Difference([]byte(readText(dark)), must(pixels.Dark(committed)), nil)))
}
