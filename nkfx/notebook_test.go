package nkfx

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gomlx/gomlx/ml/model"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/stretchr/testify/require"
)

// page is a notebook that remembers what it shows.
type page struct {
	shown   []string
	alts    []string // in words
	values  []bool
	updated map[string][]string
	said    bytes.Buffer
	exit    int // 0 while the program goes on
}

// openPage puts a page in the place of the notebook.
func openPage(t *testing.T) *page {
	t.Helper()
	p := &page{updated: map[string][]string{}}
	before := notebook
	t.Cleanup(func() { notebook = before })
	notebook = &frontend{
		display: func(mime protocol.MIMEType, content any, with attributes) {
			p.shown = append(p.shown, fmt.Sprintf("%s %d %.60s", mime, with.width, content))
			p.alts, p.values = append(p.alts, with.alt), append(p.values, with.value)
		},
		update: func(id, text string) { p.updated[id] = append(p.updated[id], text) },
		sync:   func() {},
		errors: &p.said,
		exit:   func(code int) { p.exit = code },
	}
	return p
}

// drawing is a figure that is drawn with lines alone.
type drawing struct{ err error }

func (d drawing) SVG() ([]byte, error) {
	return []byte(`<?xml version="1.0"?><svg height="1pt" width="72.5pt"></svg>`), d.err
}

// picture is a figure that has pixels, too.
type picture struct{ drawing }

func (picture) PNG() ([]byte, error) {
	var out bytes.Buffer
	err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 2, 2)))
	return out.Bytes(), err
}

// solid is a figure that can be turned.
type solid struct{ picture }

func (solid) Description() string { return "a torus" }

func (solid) HTML() string { return "<div></div>" }

type grid struct{}

func (grid) HTML() string { return "<table></table>" }

func TestShow(t *testing.T) {
	p := openPage(t)
	Show(drawing{}, grid{}, "∫ω", picture{}, solid{})
	require.Zero(t, p.exit)
	require.Len(t, p.shown, 6)
	for i, want := range []string{
		`image/svg+xml 0 <svg height="1pt" width="72.5pt"></svg>`,
		"text/html 0 <table></table>",
		"text/markdown 0 ∫ω",
		"image/png 96 \x89PNG",
		"image/png 96 \x89PNG", // comes first, and is seen where the page is not trusted
		"text/html 0 <div></div>",
	} {
		require.Contains(t, p.shown[i], want)
	}
	require.Equal(t, []string{"", "", "", "", "a torus", ""}, p.alts)
}

// lastLine is what the program of a cell shows.
type lastLine struct{ of any }

func (v lastLine) CellValue() any { return v.of }

func TestShowValueOfCell(t *testing.T) {
	p := openPage(t)
	Show(drawing{}, lastLine{solid{}}, lastLine{"text"})
	require.Zero(t, p.exit)
	require.Equal(t, []bool{false, true, true, true}, p.values)
	require.Contains(t, p.shown[3], "text/markdown 0 text")
}

// GoNB sends messages by gob, which takes types that are registered on both sides alone.
func TestMessagesCanBeSent(t *testing.T) {
	both := attributes{width: 7, alt: "a torus"}
	for _, with := range []attributes{{}, {width: 7}, {alt: "a torus"}, both, {value: true}} {
		var sent bytes.Buffer
		require.NoError(t, gob.NewEncoder(&sent).Encode(displayed("image/png", []byte{1}, with)))
		var got protocol.DisplayData
		require.NoError(t, gob.NewDecoder(&sent).Decode(&got))
		if with.width > 0 {
			require.Equal(t, map[string]int{"width": 7}, got.Metadata["image/png"])
		}
		if with.alt != "" {
			require.Equal(t, "a torus", got.Metadata["alt"])
		}
	}
}

func TestShowWhatCannotBeShown(t *testing.T) {
	for _, item := range []any{7, drawing{errors.New("no ink")}, picture{drawing{errors.New("no ink")}}} {
		p := openPage(t)
		Show(item)
		require.Equal(t, 1, p.exit)
		require.Empty(t, p.shown)
		require.True(t, strings.HasPrefix(p.said.String(), "nkf: "), p.said.String())
	}
}

func TestMust(t *testing.T) {
	p := openPage(t)
	require.Equal(t, 3, Must(3, nil))
	require.Zero(t, p.exit)

	Must(0, errors.New("no data"))
	require.Equal(t, 1, p.exit)
	require.Equal(t, "nkf: no data\n", p.said.String())

	p.said.Reset()
	Check(fmt.Errorf("training: %w", context.Canceled))
	require.Equal(t, 130, p.exit)
	require.Equal(t, "nkf: interrupted\n", p.said.String())
}

// An interrupt ends the context, and then a cell that does not listen, which says why.
func TestInterrupt(t *testing.T) {
	p := openPage(t)
	ended := make(chan int)
	notebook.patience = time.Millisecond
	notebook.exit = func(code int) { ended <- code }
	ctx := Context()
	require.NoError(t, ctx.Err())
	require.NoError(t, must(os.FindProcess(os.Getpid())).Signal(os.Interrupt)) // as Ctrl-C does
	select {
	case code := <-ended:
		require.Equal(t, 130, code)
		require.Equal(t, "nkf: interrupted\n", p.said.String())
		require.Error(t, ctx.Err())
	case <-time.After(10 * time.Second):
		t.Fatal("the program goes on")
	}
}

func TestKeep(t *testing.T) {
	t.Setenv("GONB_TMP_DIR", t.TempDir())
	type result struct {
		Losses []float64
		Name   string
	}
	_, err := Kept[result]("fit")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, `run the cell with Keep("fit", …) first`)
	for _, want := range []result{{[]float64{2, 1}, "first"}, {nil, "second"}} {
		require.NoError(t, Keep("fit", want))
		require.Equal(t, &want, must(Kept[result]("fit")))
	}
	_, err = Kept[int]("fit")
	require.ErrorContains(t, err, `"fit" is not of type int`)
	require.ErrorContains(t, Keep("fit", func() {}), `keeping "fit"`)
	require.ErrorContains(t, Keep("../fit", 1), "use letters")

	store := model.NewStore()
	store.VariableWithValue("a/w", []float64{3}).SetTrainable(false)
	store.VariableWithValue("b", int32(4))
	require.NoError(t, Keep("store", store))
	again := must(Kept[model.Store]("store"))
	require.Equal(t, 2, again.NumVariables())
	require.Equal(t, []float64{3}, again.GetVariable("/a/w").MustValue().Value())
	require.False(t, again.GetVariable("/a/w").Trainable)
	require.True(t, again.GetVariable("/b").Trainable)
	_, err = Kept[model.Store]("fit")
	require.ErrorContains(t, err, `"fit" is not of type model.Store`)

	t.Setenv("GONB_TMP_DIR", "")
	require.ErrorContains(t, Keep("fit", 1), "notebook only")
}

// Where nobody can move it, a slider is its first picture.
func TestSliderWithoutBrowser(t *testing.T) {
	t.Setenv("GONB_JUPYTER_KERNEL_ID", "")
	p := openPage(t)
	Slider("angle", 0, 90, 45, func(value int) any {
		require.Equal(t, 45, value)
		return grid{}
	})
	require.Equal(t, []string{"text/html 0 <table></table>"}, p.shown)
}

// A slider ends with its page, also with one that says nothing any more.
func TestSlide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			signs   int // of the page, one a minute
			pressed bool
			want    error
			minutes float64
		}{
			{2, false, errGone, 3.5}, {1, false, errGone, 2.5}, {5, true, nil, 5},
		} {
			moved, pressed, alive := make(chan int), make(chan int), make(chan int)
			go func() {
				moved <- 7
				for range c.signs {
					alive <- 1
					time.Sleep(time.Minute)
				}
				if c.pressed {
					pressed <- 1
				}
			}()
			var drawn []int
			began := time.Now()
			err := slide(t.Context(), moved, pressed, alive, func(value int) { drawn = append(drawn, value) })
			require.Equal(t, c.want, err)
			require.Equal(t, c.minutes, time.Since(began).Minutes())
			require.Equal(t, []int{7}, drawn)
		}
	})
}

// What a slider redraws is part of one page.
func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		item any
		want string
	}{
		{solid{}, `<svg role="img" aria-label="a torus" style="max-width:100%;height:auto;` +
			`border:1px solid #d9dee4;border-radius:8px" ` +
			`height="1pt" width="72.5pt"></svg>`},
		{grid{}, "<table></table>"},
		{"a < b", "a &lt; b"},
	} {
		require.Equal(t, c.want, must(markup(c.item)))
	}
	_, err := markup(7)
	require.ErrorContains(t, err, "no way to show a int")
}

// A card has a fine edge, and corners through which one sees what is behind it.
func TestCard(t *testing.T) {
	_, err := card([]byte("no image"), 0)
	require.ErrorContains(t, err, "the image of a figure")

	figure := image.NewNRGBA(image.Rect(0, 0, 300, 150))
	for i := range figure.Pix {
		figure.Pix[i] = 255
	}
	var full bytes.Buffer
	require.NoError(t, png.Encode(&full, figure))
	data, err := card(full.Bytes(), 200) // 1.5 pixels of the image for one of the screen
	require.NoError(t, err)
	require.Less(t, len(data), 1000)
	got := must(png.Decode(bytes.NewReader(data)))
	at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA) }
	edge, white := color.NRGBA{0xd9, 0xde, 0xe4, 255}, color.NRGBA{255, 255, 255, 255}
	for _, way := range [][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} { // into the image from each corner
		diagonal := func(i int) color.NRGBA {
			return at((300+way[0]*i+(way[0]-1)/2)%300, (150+way[1]*i+(way[1]-1)/2)%150)
		}
		// The circle of radius 12 about (12, 12) passes through the middle of (3, 3).
		require.Zero(t, diagonal(2).A)
		require.InDelta(t, 128, diagonal(3).A, 16, "the edge of a corner is soft")
		require.Equal(t, edge, diagonal(4))
		require.Equal(t, white, diagonal(6))
	}
	require.Equal(t, edge, at(150, 0))
	require.Equal(t, edge, at(0, 75))
}
