package house_test

import (
	"bytes"
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
		was, is := a[i].shown(), b[i].shown()
		for j := range max(len(was), len(is)) {
			var x, y string
			if j < len(was) {
				x = was[j]
			}
			if j < len(is) {
				y = is[j]
			}
			if x != y {
				out = append(out, fmt.Sprintf("code cell %d: %s", i+1, difference(x, y)))
			}
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
func adopt(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var book map[string]any
	require.NoError(t, json.Unmarshal(data, &book))
	book["metadata"].(map[string]any)["nkf_executed"] = readNotebook(t, path).source()
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
	eachNotebook(t, func(t *testing.T, path string) {
		after := filepath.Join(*executed, filepath.Base(path))
		if _, err := os.Stat(after); err != nil {
			t.Skip("was not executed")
		}
		for _, d := range differences(readNotebook(t, path), readNotebook(t, after)) {
			fmt.Printf("%s: %s\n", filepath.Base(path), d) // which go test shows in the folder of the package
		}
		if *update {
			require.NoError(t, os.WriteFile(path, adopt(t, after), 0o644))
		}
	})
}
