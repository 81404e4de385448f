package house_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notebookFile is a notebook as Jupyter saves it.
type notebookFile struct {
	Cells    []*notebookCell `json:"cells"`
	Metadata struct {
		Kernel struct {
			Name string `json:"name"`
		} `json:"kernelspec"`
		// Executed is the checksum of the code that made the outputs: see source.
		Executed string `json:"nkf_executed"`
	} `json:"metadata"`
}

// notebookCell is one cell of it.
type notebookCell struct {
	Type    string            `json:"cell_type"`
	Source  lines             `json:"source"`
	Count   int               `json:"execution_count"`
	Outputs []*notebookOutput `json:"outputs"`

	Metadata struct {
		Jupyter struct {
			Folded bool `json:"source_hidden"`
		} `json:"jupyter"`
	} `json:"metadata"`
}

// notebookOutput is one output of a cell.
type notebookOutput struct {
	Type string           `json:"output_type"`
	Name string           `json:"name"` // of a stream
	Text lines            `json:"text"` // of a stream
	Data map[string]lines `json:"data"` // by MIME type
}

// lines are text, which Jupyter saves as one string or as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(l))
	}
	var list []string
	err := json.Unmarshal(data, &list)
	*l = lines(strings.Join(list, ""))
	return err
}

// parseNotebook reads the text of a notebook.
func parseNotebook(t *testing.T, text string) *notebookFile {
	t.Helper()
	book := &notebookFile{}
	require.NoError(t, json.Unmarshal([]byte(text), book))
	return book
}

// code returns the cells with code.
func (b *notebookFile) code() []*notebookCell {
	return slices.DeleteFunc(slices.Clone(b.Cells), func(c *notebookCell) bool { return c.Type != "code" })
}

// prose returns the text cells.
func (b *notebookFile) prose() string {
	var text strings.Builder
	for _, c := range b.Cells {
		if c.Type == "markdown" {
			text.WriteString(string(c.Source) + "\n")
		}
	}
	return text.String()
}

// source returns the checksum of the code of a notebook.
func (b *notebookFile) source() string {
	var code strings.Builder
	for _, c := range b.code() {
		fmt.Fprintf(&code, "%d\n%s", len(c.Source), c.Source)
	}
	return checksum(code.String())
}

// checksum returns a short checksum of a text.
func checksum(text string) string { return fmt.Sprintf("%.8x", sha256.Sum256([]byte(text))) }

// eachNotebook runs a test on every notebook.
func eachNotebook(t *testing.T, test func(t *testing.T, name string, book *notebookFile)) {
	t.Helper()
	paths := files(t, ".ipynb")
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) { test(t, name, parseNotebook(t, readText(path))) })
	}
}

// renew says what to do about outputs.
const renew = "run make notebooks UPDATE=1"

var (
	// shows is code that leaves an output.
	shows = regexp.MustCompile(`fmt\.Print|nkfx\.(Show|Slider|NewProgress)\(`)
	// machinePath is a folder of somebody's machine.
	machinePath = regexp.MustCompile(`(^|[\s"'=(])/(home|root|tmp|work|Users|mnt|opt|usr|var)/`)
	// link is a link of Markdown to another file.
	link = regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`)
)

// texts returns what an output says, without the bytes of its images.
func (o *notebookOutput) texts() []string {
	out := []string{string(o.Text)}
	for kind, data := range o.Data {
		if !strings.HasPrefix(kind, "image/png") {
			out = append(out, string(data))
		}
	}
	slices.Sort(out)
	return out
}

// TestCellsFitTheirPage: lines have at most 100 columns, and cells that are not folded at most 40 lines. If
// the first is not, it has at most 15, and ends in a picture.
func TestCellsFitTheirPage(t *testing.T) {
	eachNotebook(t, func(t *testing.T, _ string, book *notebookFile) {
		for i, c := range book.code() {
			lines := strings.Split(strings.ReplaceAll(string(c.Source), "\t", "    "), "\n")
			for _, line := range lines {
				require.LessOrEqual(t, len([]rune(line)), 100, "code cell %d: %s", i+1, line)
			}
			if c.Metadata.Jupyter.Folded {
				continue
			}
			require.LessOrEqual(t, len(lines), 40, "lines of code cell %d", i+1)
			if i == 0 {
				require.LessOrEqual(t, len(lines), 15, "lines of the first code cell")
				require.NotEmpty(t, c.Outputs)
				require.Contains(t, c.Outputs[0].Data, "image/png")
			}
		}
	})
}

// TestNotebooksAreToBeReadAsTheyAre: outputs are those of the code, all of them and in order, without errors
// and folders of a machine.
func TestNotebooksAreToBeReadAsTheyAre(t *testing.T) {
	eachNotebook(t, func(t *testing.T, name string, book *notebookFile) {
		require.Equal(t, "nkf", book.Metadata.Kernel.Name, "choose Go (nkf)")
		require.Equal(t, book.source(), book.Metadata.Executed, "outputs are those of other code: %s", renew)
		for i, c := range book.code() {
			require.Equal(t, i+1, c.Count, "the order of code cells: %s", renew)
			if _, body, _ := strings.Cut("\n"+string(c.Source), "\n%%"); shows.MatchString(body) {
				require.NotEmpty(t, c.Outputs, "code cell %d shows something: %s", i+1, renew)
			}
			for _, o := range c.Outputs {
				require.False(t, o.Type == "error" || o.Name == "stderr", "code cell %d: %s", i+1, o.Text)
				for _, text := range o.texts() {
					require.NotRegexp(t, machinePath, text, "code cell %d", i+1)
				}
			}
		}
		require.Less(t, len(readText("notebooks/"+name+".ipynb")), 1<<20,
			"code-hosting sites do not show larger ones")
		for _, c := range book.Cells {
			require.NotRegexp(t, machinePath, string(c.Source))
		}
		for _, found := range link.FindAllStringSubmatch(book.prose(), -1) {
			require.FileExists(t, filepath.Join(root, "notebooks", found[1]))
		}
	})
}

// TestIndexHasAllNotebooks: the table of contents links every notebook, and shows a picture of each.
func TestIndexHasAllNotebooks(t *testing.T) {
	index := parseNotebook(t, readText("notebooks/index.ipynb"))
	var code strings.Builder
	notebooks, pictures := 0, 0
	for _, c := range index.Cells {
		code.WriteString(string(c.Source) + "\n")
		for _, o := range c.Outputs {
			if _, ok := o.Data["image/png"]; ok {
				pictures++
			}
		}
	}
	eachNotebook(t, func(t *testing.T, name string, _ *notebookFile) {
		if name != "index" {
			notebooks++
			require.Contains(t, index.prose(), fmt.Sprintf("### [%s](%[1]s.ipynb)\n", name))
			require.Contains(t, code.String(), fmt.Sprintf("show(%q, ", name))
		}
	})
	require.Equal(t, notebooks, pictures)
}

var executed = flag.String("executed", "", "folder of executed notebooks, to compare with the committed ones")

// differences says where an executed notebook shows something else than before. A seed fixes every
// digit and every pixel on a backend and a processor, so there is no tolerance. How far a training
// is, and what it was on the way, is left out: a run that is resumed shows less of it.
func differences(before, after *notebookFile) []string {
	var out []string
	a, b := before.code(), after.code()
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i].Source != b[i].Source {
			return append(out, fmt.Sprintf("code cell %d is another", i+1))
		}
		if x, y := strings.Join(a[i].shown(), "\n"), strings.Join(b[i].shown(), "\n"); x != y {
			out = append(out, fmt.Sprintf("code cell %d: %s", i+1, difference(x, y)))
		}
	}
	return out
}

// difference shows the first line in which two texts differ.
func difference(x, y string) string {
	a, b := strings.Split(x, "\n"), strings.Split(y, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%.200q is %.200q now", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines are %d now", len(a), len(b))
}

var (
	tag      = regexp.MustCompile(`<[^>]*>`)
	progress = `class="nkf-progress"`
)

// shown returns what a cell shows, as text.
func (c *notebookCell) shown() []string {
	var out []string
	streams := map[string]string{} // GoNB sends these in pieces
	for _, o := range c.Outputs {
		if o.Type == "stream" {
			streams[o.Name] += string(o.Text)
			continue
		}
		for _, kind := range slices.Sorted(maps.Keys(o.Data)) {
			text := string(o.Data[kind])
			switch {
			case strings.Contains(text, progress):
			case strings.HasPrefix(kind, "image/"):
				out = append(out, "a figure, "+checksum(text))
			default:
				// Elements have names of their own in every run.
				out = append(out, strings.TrimSpace(tag.ReplaceAllString(text, " ")))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		out = append(out, strings.TrimSpace(streams[name]))
	}
	return out
}

// adopt returns an executed notebook with the checksum of its code.
func adopt(t *testing.T, text string) []byte {
	t.Helper()
	var book map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &book))
	book["metadata"].(map[string]any)["nkf_executed"] = parseNotebook(t, text).source()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ") // as Jupyter does
	require.NoError(t, encoder.Encode(book))
	return out.Bytes()
}

// TestExecutedNotebooks says which notebooks show something else than those that are committed.
// That is no failure: other processors add in another order, and the last digits of a training
// follow from that.
func TestExecutedNotebooks(t *testing.T) {
	if *executed == "" {
		t.Skip("there are no executed notebooks: run make notebooks")
	}
	eachNotebook(t, func(t *testing.T, name string, before *notebookFile) {
		text, err := os.ReadFile(filepath.Join(*executed, name+".ipynb"))
		if err != nil {
			t.Skip("was not executed")
		}
		for _, d := range differences(before, parseNotebook(t, string(text))) {
			fmt.Printf("%s.ipynb: %s\n", name, d) // which go test shows in the folder of the package
		}
		if *update {
			path := filepath.Join(root, "notebooks", name+".ipynb")
			require.NoError(t, os.WriteFile(path, adopt(t, string(text)), 0o644))
		}
	})
}
