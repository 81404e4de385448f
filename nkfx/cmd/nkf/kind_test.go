package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// words are a kind of data of a user's own: lines of a class and a text, which becomes the path of its
// letters.
type words struct{ classes, texts []string }

func (w *words) Kind() string { return "words" }
func (w *words) Len() int     { return len(w.texts) }

func (w *words) Describe() datasets.Info {
	return datasets.Info{Name: "words", SHA256: strings.Join(w.texts, " "), Classes: []string{"a", "b"}}
}

func (w *words) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "word", Column: "word", Value: w.texts[g]}}
}

func (w *words) Encoder(string) (datasets.Encoder, error) { return alphabet{First: 'a'}, nil }

// alphabet is the encoder of words.
type alphabet struct{ First rune }

func (e alphabet) Check() error { return nil }

func (e alphabet) Encode(s datasets.Source) (*datasets.Collection, error) {
	w := s.(*words)
	b := datasets.NewBuilder(2)
	b.Info = w.Describe()
	for g, text := range w.texts {
		var points []float64
		for i, letter := range text {
			points = append(points, float64(i), float64(letter-e.First))
		}
		b.AddPath(points, float64(strings.Index("ab", w.classes[g])))
	}
	return b.Collection()
}

// TestOwnKind: one more kind of data takes a line: it can be trained on, and predicted.
func TestOwnKind(t *testing.T) {
	onGo(t)
	t.Chdir(t.TempDir())
	before := models.Kinds
	defer func() { models.Kinds = before }()
	models.Kinds = append(before[:len(before):len(before)], models.Kind{Name: "words", Flags: "--words",
		Help: "file of words", Model: "nkf", Metric: "accuracy",
		Open: func(place string) (datasets.Source, error) {
			text, err := os.ReadFile(place)
			w := &words{}
			for line := range strings.Lines(string(text)) {
				class, word, _ := strings.Cut(strings.TrimSpace(line), " ")
				w.classes, w.texts = append(w.classes, class), append(w.texts, word)
			}
			return w, err
		},
		Encoder: func() datasets.Encoder { return &alphabet{} }})
	var text string
	for i := range 20 {
		text += fmt.Sprintf("%c %s\n", "ab"[i%2], strings.Repeat("xa"[i%2:i%2+1], 3+i/2))
	}
	require.NoError(t, os.WriteFile("words.txt", []byte(text), 0o666))
	done(t, strings.Fields("train --words words.txt --folds 2 --epochs 20 --out .")...)
	const predict = "predict --model models/words-nkf "
	stdout, stderr := done(t, strings.Fields(predict+"--words words.txt --json")...)
	require.Contains(t, stderr, "of 20 words with a label are right")
	require.Equal(t, 20, strings.Count(stdout, "\n"))
	var p struct{ Word, Class, Label string }
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.Equal(t, []string{"xxx", "a"}, []string{p.Word, p.Label})
	fails(t, "was trained on the words of words: give it --words",
		strings.Fields(predict+"--tu words.txt")...)
}
