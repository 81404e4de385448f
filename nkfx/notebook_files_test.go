package nkfx_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
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

// readNotebook reads a notebook.
func readNotebook(t *testing.T, path string) *notebookFile {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	book := &notebookFile{}
	require.NoError(t, json.Unmarshal(data, book), path)
	return book
}

// code returns the cells with code.
func (b *notebookFile) code() []*notebookCell {
	return slices.DeleteFunc(slices.Clone(b.Cells), func(c *notebookCell) bool { return c.Type != "code" })
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
func eachNotebook(t *testing.T, test func(t *testing.T, path string)) {
	t.Helper()
	paths, err := filepath.Glob("../notebooks/*.ipynb")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ipynb"), func(t *testing.T) { test(t, path) })
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

// complaints says what is wrong with a notebook that is to be read as it is.
func (b *notebookFile) complaints() []string {
	var out []string
	complain := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if b.Metadata.Kernel.Name != "nkf" {
		complain("the kernel is %q: choose Go (nkf)", b.Metadata.Kernel.Name)
	}
	if b.Metadata.Executed != b.source() {
		complain("the outputs are those of other code: %s", renew)
	}
	for i, c := range b.code() {
		if c.Count != i+1 {
			complain("code cell %d was the %d to run: %s", i+1, c.Count, renew)
		}
		if _, body, _ := split(string(c.Source)); shows.MatchString(body) && len(c.Outputs) == 0 {
			complain("code cell %d shows something, and has no output: %s", i+1, renew)
		}
		for _, o := range c.Outputs {
			if o.Type == "error" || o.Name == "stderr" {
				complain("code cell %d ended in an error, or wrote to standard error: %s", i+1, o.Text)
			}
			for _, text := range o.texts() {
				if machinePath.MatchString(text) {
					complain("an output of code cell %d names a folder of a machine", i+1)
				}
			}
		}
	}
	return out
}

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

func TestNotebooksAreToBeReadAsTheyAre(t *testing.T) {
	eachNotebook(t, func(t *testing.T, path string) {
		book := readNotebook(t, path)
		require.Empty(t, book.complaints())
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(1<<20), "code-hosting sites do not show larger ones")
		for _, c := range book.Cells {
			require.False(t, machinePath.MatchString(string(c.Source)), "a folder of a machine: %s", c.Source)
			if c.Type != "markdown" {
				continue
			}
			for _, found := range link.FindAllStringSubmatch(string(c.Source), -1) {
				require.FileExists(t, filepath.Join(filepath.Dir(path), found[1]))
			}
		}
	})
}

// TestIndexHasAllNotebooks: the table of contents links every notebook, and shows a picture of each.
func TestIndexHasAllNotebooks(t *testing.T) {
	book := readNotebook(t, "../notebooks/index.ipynb")
	var text, code strings.Builder
	pictures := 0
	for _, c := range book.Cells {
		if c.Type == "markdown" {
			text.WriteString(string(c.Source))
		}
		code.WriteString(string(c.Source) + "\n")
		for _, o := range c.Outputs {
			if _, ok := o.Data["image/png"]; ok {
				pictures++
			}
		}
	}
	paths, err := filepath.Glob("../notebooks/*.ipynb")
	require.NoError(t, err)
	for _, path := range paths {
		if name := filepath.Base(path); name != "index.ipynb" {
			require.Contains(t, text.String(), "### ["+strings.TrimSuffix(name, ".ipynb")+"]("+name+")\n")
			require.Contains(t, code.String(), "show(\""+strings.TrimSuffix(name, ".ipynb")+"\", ")
		}
	}
	require.Equal(t, len(paths)-1, pictures)
}

func TestComplaints(t *testing.T) {
	good := func() *notebookFile {
		b := &notebookFile{Cells: []*notebookCell{
			{Type: "markdown", Source: "# Title"},
			{Type: "code", Count: 1, Source: "func f() { fmt.Println() }"}, // shows nothing by itself
			{Type: "code", Count: 2, Source: "%%\nfmt.Println(1)", Outputs: []*notebookOutput{
				{Type: "stream", Name: "stdout", Text: "1/2 \n"},
				{Type: "display_data", Data: map[string]lines{"image/png": " /tmp/"}},
			}},
		}}
		b.Metadata.Kernel.Name, b.Metadata.Executed = "nkf", b.source()
		return b
	}
	require.Empty(t, good().complaints())
	for want, spoil := range map[string]func(b *notebookFile){
		"the kernel":                   func(b *notebookFile) { b.Metadata.Kernel.Name = "gonb" },
		"of other code":                func(b *notebookFile) { b.Cells[2].Source += " " },
		"code cell 2 was the 7 to run": func(b *notebookFile) { b.Cells[2].Count = 7 },
		"code cell 2 shows something":  func(b *notebookFile) { b.Cells[2].Outputs = nil },
		"ended in an error":            func(b *notebookFile) { b.Cells[2].Outputs[0].Type = "error" },
		"names a folder":               func(b *notebookFile) { b.Cells[2].Outputs[0].Text = "in /root/nkf" },
	} {
		b := good()
		spoil(b)
		found := b.complaints()
		require.Len(t, found, 1, want)
		require.Contains(t, found[0], want)
	}
}
