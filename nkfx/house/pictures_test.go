package house_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/internal/pixels"
)

// pictures is the folder of the pictures that guides show, each made by a run of the program. Its list says
// by which.
const pictures = "nkfx/experiments/pictures"

// shown is a picture of the list.
type shown struct {
	Picture string   `json:"picture"` // file in the folder
	Command string   `json:"command"` // that makes it
	File    string   `json:"file"`    // where that leaves it, below --out
	Says    []string `json:"says"`    // what the command prints, without the last line, which names --out
	Words   []string `json:"words"`   // in the picture
	// Origin is that of the result.
	Origin struct {
		Experiment string `json:"experiment"`
		Seed       int    `json:"seed"`
		Backend    string `json:"backend"`
		Version    string `json:"version"`
		GoMLX      string `json:"gomlx"`
		GoXLA      string `json:"goxla"`
		Processor  string `json:"processor"`
	} `json:"origin"`
}

// readPictures returns the list.
func readPictures(t *testing.T) (list []*shown) {
	t.Helper()
	data := readText(filepath.Join(pictures, "pictures.json"))
	require.NoError(t, json.Unmarshal([]byte(data), &list))
	return list
}

var (
	// image is a reference to a picture, in Markdown, HTML or reStructuredText.
	image = regexp.MustCompile(`!\[[^\]]*\]\(([^)\s]+)[^)]*\)|<img[^>]+src=\\?["']([^"'\\]+)`)
	// pictureFile is the name of one in a comment.
	pictureFile = regexp.MustCompile(`[\w][\w./-]*\.(?:png|svg|jpe?g|gif|webp)\b`)
)

// referenced returns the pictures that texts refer to, by the text: guides and other Markdown, the text of
// notebooks, and the documentation of packages.
func referenced(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	add := func(text, link string) {
		if !strings.Contains(link, "://") {
			link = filepath.ToSlash(filepath.Join(filepath.Dir(text), link))
		}
		found[text] = append(found[text], link)
	}
	for _, path := range files(t, ".md", ".ipynb") {
		shows := readText(path)
		if strings.HasSuffix(path, ".ipynb") {
			shows = parseNotebook(t, shows).prose()
		}
		for _, link := range image.FindAllStringSubmatch(shows, -1) {
			add(path, link[1]+link[2])
		}
	}
	for _, s := range sources(t) {
		for _, file := range s.files {
			text := s.path + "/" + filepath.Base(s.fset.Position(file.Pos()).Filename)
			for _, comment := range file.Comments {
				for _, link := range pictureFile.FindAllString(comment.Text(), -1) {
					add(text, link)
				}
			}
		}
	}
	return found
}

// dark returns the name of a picture in the colors of dark pages.
func dark(picture string) string { return strings.Replace(picture, ".png", "-dark.png", 1) }

// TestPicturesComeFromRuns: every picture that a text shows is in the list, and never one that a test drew;
// the caption in README names command and seed. Dark pages have the same picture in other colors.
func TestPicturesComeFromRuns(t *testing.T) {
	list := readPictures(t)
	used := map[string]bool{}
	for text, links := range referenced(t) {
		for _, link := range links {
			require.NotContains(t, link, "testdata", "%s shows what a test drew of made-up values", text)
			listed := func(s *shown) bool { return pictures+"/"+s.Picture == link }
			require.True(t, slices.ContainsFunc(list, listed),
				"%s shows %s, which is not in %s/pictures.json: no run made it", text, link, pictures)
			used[link] = true
		}
	}
	require.True(t, used[pictures+"/paths-fields.png"], "README shows one")
	entries := must(os.ReadDir(filepath.Join(root, pictures)))
	require.Len(t, entries, 2*len(list)+1, "the pictures of the list, light and dark, and the list")
	for _, s := range list {
		require.True(t, used[pictures+"/"+s.Picture], "nothing shows %s", s.Picture)
		data := readText(filepath.Join(pictures, s.Picture))
		_, after, _ := strings.Cut(readText("README.md"),
			`dark)" srcset="`+pictures+"/"+dark(s.Picture))
		require.Contains(t, after[:min(len(after), 800)], s.Command, "README does not say how it is made")
		night := must(pixels.Dark([]byte(data)))
		share := must(pixels.Difference([]byte(readText(pictures+"/"+dark(s.Picture))), night, nil))
		require.Zero(t, share, "%s is of another picture: make pictures", dark(s.Picture))
		o := s.Origin
		for _, field := range []string{o.Experiment, o.Backend, o.Version, o.GoMLX, o.GoXLA, o.Processor} {
			require.NotEmpty(t, field, "%s: %+v", s.Picture, o)
		}
		require.Contains(t, s.Command, fmt.Sprintf("nkf run %s --seed %d", o.Experiment, o.Seed))
	}
}

// again runs the command, and returns what it leaves: the entry and the picture.
func (s shown) again(t *testing.T, program string) (*shown, []byte) {
	t.Helper()
	out := t.TempDir()
	cmd := exec.Command(program, append(strings.Fields(s.Command)[1:], "--out", out)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	read := func(path string) []byte { return must(os.ReadFile(filepath.Join(out, path))) }
	picture := read(s.File)
	lines := strings.Split(strings.TrimSpace(string(stdout)), "\n")
	s.Says = lines[:len(lines)-1]
	require.NoError(t, json.Unmarshal(read(filepath.Join(filepath.Dir(s.File), "result.json")), &s.Origin))
	s.Words = nil
	drawing := read(strings.TrimSuffix(s.File, ".png") + ".svg")
	for _, text := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllSubmatch(drawing, -1) {
		if word := string(text[1]); number.FindString(word) != word {
			s.Words = append(s.Words, word)
		}
	}
	return &s, picture
}

// number is one, as axes and scores have them.
var number = regexp.MustCompile(`[+−-]?\d+(\.\d+)?`)

// wordsOf returns sentences without their numbers.
func wordsOf(says []string) string { return number.ReplaceAllString(strings.Join(says, "\n"), "#") }

// TestPicturesAreMadeAgain runs the commands of the list. -update keeps what they leave.
//
// A seed fixes every bit on a backend and a kind of processor, so there the picture is the same, pixel for
// pixel, and so is every score. Elsewhere the roundings of a training are others. The data are not: paths and
// words are the same, but for one of 200 colored pixels that rasterizers round otherwise (the pure Go backend
// moves 1 of 20,000, another seed 3 of 4). Of the arrows some turn: the Go backend moves 3.0 % of all pixels
// of paths-fields.png, and another seed 7.8 %. So up to 5 % may differ.
func TestPicturesAreMadeAgain(t *testing.T) {
	backendtest.NeedLong(t)
	program := must(nkftest.Program(t.TempDir()))
	list := readPictures(t)
	for _, want := range list {
		got, picture := want.again(t, program)
		path := filepath.Join(root, pictures, want.Picture)
		if *update {
			night := must(pixels.Dark(picture))
			*want = *got
			require.NoError(t, os.WriteFile(path, picture, 0o644))
			require.NoError(t, os.WriteFile(dark(path), night, 0o644))
			continue
		}
		committed := must(os.ReadFile(path))
		share := must(pixels.Difference(committed, picture, nil))
		paths := must(pixels.Difference(committed, picture, pixels.Colored))
		a, b := got.Origin, want.Origin
		if a.Backend == b.Backend && a.Processor == b.Processor && a.GoXLA == b.GoXLA {
			require.Zero(t, share, "%s is another: look at it, and see -update", want.Picture)
			require.Equal(t, want.Says, got.Says)
		}
		require.LessOrEqual(t, paths, 1.0/200, "%s: the data or their colors are others", want.Picture)
		require.LessOrEqual(t, share, 0.05, "%s: %s made another picture", want.Picture, want.Command)
		require.Equal(t, wordsOf(want.Words), wordsOf(got.Words))
		require.Equal(t, wordsOf(want.Says), wordsOf(got.Says))
	}
	if *update {
		data := must(json.MarshalIndent(list, "", "  "))
		path := filepath.Join(root, pictures, "pictures.json")
		require.NoError(t, os.WriteFile(path, append(data, '\n'), 0o644))
	}
}
