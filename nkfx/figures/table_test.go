package figures_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

// small is a table with an entry of every kind.
func small() *figures.Table {
	return &figures.Table{
		Title: "Norms & signs",
		Head:  []string{"readout", "x|y"},
		Rows: [][]figures.Cell{
			{{Text: "sum"}, {Text: "1.5 ± 0.2", Strong: true}},
			{{Text: "L<1>", Faint: true}, {Text: "*"}},
		},
		Notes: []string{"Larger is better."},
	}
}

func TestTableMarkdown(t *testing.T) {
	require.Equal(t, strings.Join([]string{
		"## Norms & signs", "",
		`| readout | x\|y          |`,
		`| ---     | ---           |`,
		`| sum     | **1.5 ± 0.2** |`,
		`| L<1>    | \*            |`, "",
		"Larger is better.", "",
	}, "\n"), small().Markdown())
}

func TestTableHTML(t *testing.T) {
	page := small().HTML()
	for _, part := range []string{"Norms &amp; signs", "<b>1.5 ± 0.2</b>", "L&lt;1&gt;", "x|y</th>",
		"<p>Larger is better.</p>"} {
		require.Contains(t, page, part)
	}
	require.Equal(t, strings.Count(page, "<td"), strings.Count(page, "</td>"))
	require.Equal(t, 4, strings.Count(page, "<td"))
	require.Equal(t, 1, strings.Count(page, "opacity"), "the faint entry")
	require.NotRegexp(t, `#[0-9a-f]{6}`, page, "colors are those of the page, light or dark")
}
