package house_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sections are the parts of the paper (ICLR 2024) that texts of nkf refer to, with files that have to: those
// where the subject of the part is at home.
var sections = map[string][]string{
	"section 3":   {"layers/exterior/algebra.go"}, // integration matrices are linear
	"section 4":   nil,                            // the architecture, and its parts
	"section 4.1": {"layers/kform.go"},
	"section 4.2": {"layers/exterior/integral.go"},
	"section 4.3": {"layers/readout.go"},
	"section 5":   nil, // experiments
	"section 5.1": {"nkfx/experiments/paths.go", "notebooks/paths.ipynb"},
	"section 5.2": {"nkfx/experiments/surfaces.go", "notebooks/surfaces.ipynb"},
	"appendix D":  {"nkfx/experiments/convolution.go", "notebooks/convolution.ipynb"},
	// eigenvectors as vector fields
	"appendix D.2": {"nkfx/experiments/eigenvectors.go"},
	// the protocol of the benchmarks
	"appendix E": {"nkfx/train/protocol.go", "nkfx/train/doc.go", "nkfx/models/models.go",
		"nkfx/experiments/data.go", "notebooks/table1.ipynb"},
}

var (
	// margin is what begins a line of a comment or of a notebook.
	margin = regexp.MustCompile(`(?m)^\s*(//|"|#+)?\s*|\\n",?$`)
	// cited is a part of the paper in a text.
	cited = regexp.MustCompile(`\b(section|appendix) ([0-9A-F](?:\.[0-9])?)\b`)
	// other are works whose parts are cited too.
	other = regexp.MustCompile(`Stroud|FIPS|of section 1 into`)
)

// TestSectionsOfThePaper: every part that a text cites is one that the paper has, and every subject is cited
// by its own number.
func TestSectionsOfThePaper(t *testing.T) {
	found := map[string][]string{} // files by part
	for _, path := range files(t, ".go", ".md", ".ipynb") {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		joined := strings.Join(strings.Fields(margin.ReplaceAllString(readText(t, path), "")), " ")
		for _, at := range cited.FindAllStringIndex(joined, -1) {
			if around := joined[max(0, at[0]-80):min(len(joined), at[1]+20)]; !other.MatchString(around) {
				part := joined[at[0]:at[1]]
				found[part] = append(found[part], path)
			}
		}
	}
	require.NotEmpty(t, found)
	for part, files := range found {
		require.Contains(t, sections, part, "%v", files)
	}
	for part, files := range sections {
		require.Subset(t, found[part], files, part)
		for _, file := range files {
			for elsewhere, others := range found {
				// An experiment or the protocol has one part; models have the architecture as well.
				one := strings.HasPrefix(file, "nkfx/experiments") || strings.HasPrefix(file, "notebooks")
				if one && elsewhere != part && elsewhere != "section 4" {
					require.NotContains(t, others, file, "%s is %s", file, part)
				}
			}
		}
	}
}
