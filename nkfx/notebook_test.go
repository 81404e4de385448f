package nkfx

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/ml/model"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/stretchr/testify/require"
)

// page is a notebook that remembers what it shows.
type page struct {
	shown   []string
	alts    []string // in words
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
			p.alts = append(p.alts, with.alt)
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
	Show(drawing{}, grid{}, "∫ω", picture{})
	require.Zero(t, p.exit)
	require.Equal(t, []string{
		`image/svg+xml 0 <svg height="1pt" width="72.5pt"></svg>`,
		"text/html 0 <table></table>",
		"text/markdown 0 ∫ω",
	}, p.shown[:3])
	require.Contains(t, p.shown[3], "image/png 96 \x89PNG")
}

// GoNB sends messages by gob, which takes types that are registered on both sides alone.
func TestMessagesCanBeSent(t *testing.T) {
	for _, with := range []attributes{{}, {width: 7}, {alt: "a torus"}, {7, "a torus"}} {
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

// A picture comes first, which is seen where the page is not trusted.
func TestShowFiguresThatTurn(t *testing.T) {
	p := openPage(t)
	Show(solid{})
	require.Len(t, p.shown, 2)
	require.Contains(t, p.shown[0], "image/png 96 ")
	require.Equal(t, "text/html 0 <div></div>", p.shown[1])
	require.Equal(t, []string{"a torus", ""}, p.alts)
	html, err := markup(solid{})
	require.NoError(t, err)
	require.Contains(t, html, `<svg role="img" aria-label="a torus"`)
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

// interrupt sends this process what Ctrl-C does.
func interrupt(t *testing.T) {
	t.Helper()
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	require.NoError(t, self.Signal(os.Interrupt))
}

func TestContextEndsOnInterrupt(t *testing.T) {
	ctx := Context()
	require.NoError(t, ctx.Err())
	interrupt(t)
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the interrupt did not arrive")
	}
}

// A cell that does not listen ends all the same, and says why.
func TestInterruptedCellEnds(t *testing.T) {
	p := openPage(t)
	ended := make(chan int)
	notebook.patience = time.Millisecond
	notebook.exit = func(code int) { ended <- code }
	Context()
	interrupt(t)
	select {
	case code := <-ended:
		require.Equal(t, 130, code)
		require.Equal(t, "nkf: interrupted\n", p.said.String())
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
		got, err := Kept[result]("fit")
		require.NoError(t, err)
		require.Equal(t, &want, got)
	}
	_, err = Kept[int]("fit")
	require.ErrorContains(t, err, `"fit" is not of type int`)
	require.ErrorContains(t, Keep("fit", func() {}), `keeping "fit"`)
	require.ErrorContains(t, Keep("../fit", 1), "use letters")

	store := model.NewStore()
	store.VariableWithValue("a/w", []float64{3}).SetTrainable(false)
	store.VariableWithValue("b", int32(4))
	require.NoError(t, Keep("store", store))
	again, err := Kept[model.Store]("store")
	require.NoError(t, err)
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
