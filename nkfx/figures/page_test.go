package figures

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNotebooksHaveThesePrograms: what moves in the committed notebooks is moved by the programs of this
// package.
func TestNotebooksHaveThesePrograms(t *testing.T) {
	paths, err := filepath.Glob("../../notebooks/*.ipynb")
	require.NoError(t, err)
	count := map[string]int{}
	for _, path := range paths {
		var book struct {
			Cells []struct {
				Outputs []struct {
					Data struct {
						HTML []string `json:"text/html"`
					}
				}
			}
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &book))
		for i, cell := range book.Cells {
			for _, output := range cell.Outputs {
				page := strings.Join(output.Data.HTML, "")
				for kind := range programs {
					style, rest, is := strings.Cut(page, `<div class="nkf-`+kind+`" data-`)
					if !is {
						continue
					}
					count[kind]++
					_, program, _ := strings.Cut(rest, "</div>")
					same := program == script(kind) && (kind != "pad" || style == "<style>"+dark+"</style>")
					require.True(t, same, "%s: cell %d: an old %s: make notebooks UPDATE=1", path, i+1, kind)
				}
			}
		}
	}
	require.Len(t, count, len(programs), "notebooks have all kinds")
}
