package house_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
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
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// notebook is one as Jupyter saves it.
type notebook struct {
	Cells    []*notebookCell `json:"cells"`
	Metadata struct {
		Kernel struct {
			Name string `json:"name"`
		} `json:"kernelspec"`
		// Executed is the checksum of the code that made the outputs: see checksum.
		Executed string `json:"nkf_executed"`
	} `json:"metadata"`
}

type notebookCell struct {
	Type     string `json:"cell_type"`
	Source   lines  `json:"source"`
	Count    int    `json:"execution_count"`
	Metadata struct {
		Jupyter struct {
			Folded bool `json:"source_hidden"`
		} `json:"jupyter"`
	} `json:"metadata"`
	Outputs []struct {
		Type string           `json:"output_type"`
		Name string           `json:"name"` // of a stream
		Text lines            `json:"text"` // of a stream
		Data map[string]lines `json:"data"` // by MIME type
	} `json:"outputs"`
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

// readNotebook reads the text of a notebook.
func readNotebook(t *testing.T, text string) *notebook {
	t.Helper()
	book := &notebook{}
	require.NoError(t, json.Unmarshal([]byte(text), book))
	return book
}

// eachNotebook runs a test on every notebook.
func eachNotebook(t *testing.T, test func(t *testing.T, name string, book *notebook)) {
	t.Helper()
	for _, path := range files(t, ".ipynb") {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(name, func(t *testing.T) { test(t, name, readNotebook(t, readText(path))) })
	}
}

// code returns the cells with code.
func (b *notebook) code() []*notebookCell {
	return slices.DeleteFunc(slices.Clone(b.Cells), func(c *notebookCell) bool { return c.Type != "code" })
}

// prose returns the text cells, and the captions below figures, each on a line.
func (b *notebook) prose() string {
	var text strings.Builder
	for _, c := range b.Cells {
		if c.Type == "markdown" {
			text.WriteString(string(c.Source) + "\n")
		}
		for _, o := range c.Outputs {
			text.WriteString(strings.Join(strings.Fields(string(o.Data["text/markdown"])), " ") + "\n")
		}
	}
	return text.String()
}

// checksum returns a short checksum of the code.
func (b *notebook) checksum() string {
	var code strings.Builder
	for _, c := range b.code() {
		fmt.Fprintf(&code, "%d\n%s", len(c.Source), c.Source)
	}
	return fmt.Sprintf("%.8x", sha256.Sum256([]byte(code.String())))
}

var tag = regexp.MustCompile(`<[^>]*>`)

// shown returns what a cell shows, as text. How far a training is, and what it was on the way, is left out: a
// run that is resumed shows less of it.
func (c *notebookCell) shown() string {
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
			case strings.Contains(text, `class="nkf-progress"`):
			case strings.HasPrefix(kind, "image/"):
				out = append(out, fmt.Sprintf("a figure, %.8x", sha256.Sum256([]byte(text))))
			default: // Elements have names of their own in every run.
				out = append(out, strings.TrimSpace(tag.ReplaceAllString(text, " ")))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		out = append(out, strings.TrimSpace(streams[name]))
	}
	return strings.Join(out, "\n")
}

var (
	// shows is code that leaves an output.
	shows = regexp.MustCompile(`fmt\.Print|nkfx\.(Show|Slider|NewProgress)\(`)
	// machinePath is a folder of somebody's machine.
	machinePath = regexp.MustCompile(`(^|[\s"'=(])/(home|root|tmp|work|Users|mnt|opt|usr|var)/`)
)

// TestNotebooksAreToBeReadAsTheyAre: outputs are those of the code, all of them and in order, without errors
// and folders of a machine; and cells fit a page, of which the first, unless it is folded, has a picture.
func TestNotebooksAreToBeReadAsTheyAre(t *testing.T) {
	const renew = "run make notebooks UPDATE=1"
	eachNotebook(t, func(t *testing.T, name string, book *notebook) {
		require.Equal(t, "nkf", book.Metadata.Kernel.Name, "choose Go (nkf)")
		require.Equal(t, book.checksum(), book.Metadata.Executed, "outputs of other code: %s", renew)
		require.Less(t, len(readText("notebooks/"+name+".ipynb")), 1<<20,
			"code-hosting sites do not show larger ones")
		require.NotRegexp(t, machinePath, book.prose())
		for i, c := range book.code() {
			require.NotRegexp(t, machinePath, string(c.Source))
			for _, path := range plumbing {
				require.NotContains(t, string(c.Source), `"`+module+"/"+path+`"`, "it may change at any time")
			}
			require.NotRegexp(t, machinePath, c.shown(), "code cell %d", i+1)
			require.Equal(t, i+1, c.Count, "the order of code cells: %s", renew)
			if _, body, _ := strings.Cut("\n"+string(c.Source), "\n%%"); shows.MatchString(body) {
				require.NotEmpty(t, c.Outputs, "code cell %d shows something: %s", i+1, renew)
			}
			for _, o := range c.Outputs {
				require.False(t, o.Type == "error" || o.Name == "stderr", "code cell %d: %s", i+1, o.Text)
			}
			lines := strings.Split(strings.ReplaceAll(string(c.Source), "\t", "    "), "\n")
			for _, line := range lines {
				require.LessOrEqual(t, len([]rune(line)), 100, "code cell %d: %s", i+1, line)
			}
			if !c.Metadata.Jupyter.Folded {
				require.LessOrEqual(t, len(lines), 40, "lines of code cell %d", i+1)
				require.True(t, i > 0 || strings.Contains(c.shown(), "a figure"), "the first cell shows one")
			}
		}
	})
}

// TestIndexHasAllNotebooks: the table of contents links every notebook, and shows a picture of it.
func TestIndexHasAllNotebooks(t *testing.T) {
	index := readNotebook(t, readText("notebooks/index.ipynb"))
	eachNotebook(t, func(t *testing.T, name string, _ *notebook) {
		if name == "index" {
			return
		}
		link := fmt.Sprintf("### [%s](%[1]s.ipynb)\n", name)
		at := slices.IndexFunc(index.Cells, func(c *notebookCell) bool {
			return strings.Contains(string(c.Source)+"\n", link)
		})
		require.GreaterOrEqual(t, at, 0, link)
		require.Contains(t, string(index.Cells[at+1].Source), fmt.Sprintf("show(%q, ", name))
		require.Contains(t, index.Cells[at+1].shown(), "a figure")
	})
}

var executed = flag.String("executed", "", "folder of executed notebooks, to compare with the committed ones")

// TestExecutedNotebooks says which notebooks show something else than those that are committed, and takes
// them over with -update. It is no failure: other processors add in another order, and the last digits of a
// training follow from that. On one backend and processor a seed fixes every digit and every pixel.
func TestExecutedNotebooks(t *testing.T) {
	if *executed == "" {
		t.Skip("there are no executed notebooks: run make notebooks")
	}
	eachNotebook(t, func(t *testing.T, name string, before *notebook) {
		text, err := os.ReadFile(filepath.Join(*executed, name+".ipynb"))
		if err != nil {
			t.Skip("was not executed")
		}
		after := readNotebook(t, string(text))
		for i, c := range after.code() {
			was, is := "", strings.Split(c.shown(), "\n")
			if i < len(before.code()) {
				was = before.code()[i].shown()
			}
			for _, line := range is { // go test shows it in the folder of the package
				if !slices.Contains(strings.Split(was, "\n"), line) {
					fmt.Printf("%s.ipynb: code cell %d: now %.200q\n", name, i+1, line)
					break
				}
			}
		}
		if *update {
			path := filepath.Join(root, "notebooks", name+".ipynb")
			require.NoError(t, os.WriteFile(path, adopt(t, text, after.checksum()), 0o644))
		}
	})
}

// adopt returns an executed notebook with the checksum of its code.
func adopt(t *testing.T, text []byte, checksum string) []byte {
	t.Helper()
	var book map[string]any
	require.NoError(t, json.Unmarshal(text, &book))
	book["metadata"].(map[string]any)["nkf_executed"] = checksum
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ") // as Jupyter does
	require.NoError(t, encoder.Encode(book))
	return out.Bytes()
}

// TestNotebooksCompile holds the notebooks, and the programs that they become, to the packages they import,
// without running them.
func TestNotebooksCompile(t *testing.T) {
	packages := &cell.Packages{Go: must(exec.LookPath("go")), Dir: root}
	packages.Add(must(packages.List(t.Context(), "std", module+"/layers/...", module+"/datasets/...",
		module+"/nkfx/...")))
	// The programs are packages of one module in a workspace with this one, so that one call vets all.
	folder := t.TempDir()
	write := func(name, text string) string { return xlatest.Write(t, folder, name, []byte(text)) }
	eachNotebook(t, func(t *testing.T, name string, book *notebook) {
		var parts []cell.Part
		for _, c := range book.Cells {
			part := cell.Part{Text: string(c.Source)}
			if c.Type == "code" {
				part = cell.Part{Code: string(c.Source)}
			}
			parts = append(parts, part)
		}
		program, mistakes := cell.Script(parts, packages)
		for _, m := range mistakes {
			t.Error(m)
		}
		write(name+"/main.go", program)
	})
	if !backendtest.Long() {
		return
	}
	version := regexp.MustCompile(`(?m)^go .*`).FindString(readText("go.mod"))
	write("go.mod", "module programs\n"+version+"\n")
	work := write("go.work", fmt.Sprintf("%s\nuse (\n\t.\n\t%q\n)\n", version, must(filepath.Abs(root))))
	// Without printf: vet takes names of cells for formats.
	cmd := exec.CommandContext(t.Context(), packages.Go, "vet", "-printf=false", "./...")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOWORK="+work)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestNotebooksBearOutWhatTheySay: testdata/claims.txt has sentences that a run has to bear out. Where the
// text of a notebook has one, its outputs have to have the other.
func TestNotebooksBearOutWhatTheySay(t *testing.T) {
	claims := map[string][][]string{}
	text := strings.TrimSpace(readText("nkfx/house/testdata/claims.txt"))
	for block := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(block, "\n")
		require.Len(t, lines, 3, "a notebook, what it says, and what it shows: %s", block)
		claims[lines[0]] = append(claims[lines[0]], lines[1:])
	}
	eachNotebook(t, func(t *testing.T, name string, book *notebook) {
		var shown strings.Builder
		for _, c := range book.code() {
			for line := range strings.Lines(c.shown()) {
				if line = strings.Join(strings.Fields(line), " "); line != "" {
					shown.WriteString(line + "\n")
				}
			}
		}
		for _, c := range claims[name] {
			require.Regexp(t, c[0], book.prose(), "is not said any more")
			require.Regexp(t, c[1], shown.String(), "%q is not so", c[0])
		}
		delete(claims, name)
		require.NotContains(t, shown.String(), "nothing is there", "a notebook shows what there is")
	})
	require.Empty(t, claims, "there are no such notebooks")
}
