package figures_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/internal/pixels"
)

var update = flag.Bool("update", false, "write the golden images anew, to be looked at")

// golden prints the name of a figure if it looks as in testdata, and else what is wrong with it. So an
// example with that output is a test of the picture.
//
// Rasterizers round differently on other processors (fused multiplication and addition), which moves the
// edges of shapes by a fraction of a gray level in few pixels: at most 1 of 200 pixels may differ by more
// than 1/8 of the range of a channel. On amd64, where the images were made, it is 1 of 20,000: a letter or
// the head of an arrow is more.
func golden(name string, f *figures.Figure) {
	if err := compare(filepath.Join("testdata", name), f); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(name)
}

// score is a figure in percent in a title.
var score = regexp.MustCompile(`\d+(\.\d+)? %`)

// madeUpValues begins the title of a figure that no run has made.
const madeUpValues = "Made-up values: "

// madeUp marks a figure that looks like a result, and takes the scores out of its titles.
func madeUp(f *figures.Figure) *figures.Figure {
	f.Title = madeUpValues + score.ReplaceAllString(f.Title, "– %")
	for _, p := range f.Panels {
		p.Title.Text = score.ReplaceAllString(p.Title.Text, "– %")
	}
	return f
}

// compare compares a figure with an image, or writes that.
func compare(path string, f *figures.Figure) error {
	got, err := figures.Small(f)
	if err != nil {
		return err
	}
	svg, err := f.SVG()
	if err != nil {
		return err
	}
	if !bytes.Contains(svg, []byte("</svg>")) {
		return fmt.Errorf("the SVG of %s has no end", path)
	}
	if claim := score.Find(svg); claim != nil && !strings.HasPrefix(f.Title, madeUpValues) {
		return fmt.Errorf("%s claims %s, which no run made: see madeUp", path, claim)
	}
	if *update {
		return os.WriteFile(path, got, 0o644)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	share, err := pixels.Difference(want, got, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	most := 1.0 / 200
	if runtime.GOARCH == "amd64" {
		most = 1.0 / 20_000
	}
	if share > most {
		return fmt.Errorf("%.1f %% of the pixels of %s are others", 100*share, path)
	}
	return nil
}

// TestEveryGoldenImageIsDrawn: every image is the output of an example, or in a table of figures.
func TestEveryGoldenImageIsDrawn(t *testing.T) {
	tests := must(filepath.Glob("*_test.go"))
	var text string
	for _, name := range tests {
		text += string(must(os.ReadFile(name)))
	}
	images := must(filepath.Glob("testdata/*.png"))
	for _, image := range images {
		name := regexp.QuoteMeta(filepath.Base(image))
		require.Regexp(t, `(?m)^\t// (Output: )?`+name+`$|^\t\t"`+name+`": `, text)
	}
}

func TestSaveWritesWhatTheExtensionSays(t *testing.T) {
	dir := t.TempDir()
	f := figures.IntegrationMatrix("X", 2, []float64{1, 0.1, 0.4, 0.9})
	path := filepath.Join(dir, "a", "field.PNG")
	require.NoError(t, f.Save(path))
	require.NoError(t, f.Save(path), "again, over the old one")
	require.True(t, strings.HasPrefix(string(must(os.ReadFile(path))), "\x89PNG"))
	require.ErrorContains(t, f.Save(filepath.Join(dir, "field.gif")), "use .svg or .png")
	require.Error(t, f.Save(filepath.Join(path, "below-a-file.svg")))
}

func TestSVGNamesFontsThatAllHave(t *testing.T) {
	svg := must(figures.IntegrationMatrix("X", 1, []float64{1}).SVG())
	require.Contains(t, string(svg), "sans-serif")
	require.NotContains(t, string(svg), "font-family:Liberation Sans;")
}
