package experiments

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// archiveLog has every cross-validation of the search among path networks and controls, one a line. A search
// goes on where the log ends.
const archiveLog = "testdata/uea-search.jsonl"

// compared is a setting on the training part of a set: accuracies of an ensemble of three on folds of it, in
// percent. Test parts are never looked at. Seconds are those of a machine that did other things as well.
type compared struct {
	Setting    string    `json:"setting"`
	Dataset    string    `json:"dataset"`
	Seed       uint32    `json:"seed"`
	Parameters int       `json:"parameters"`
	Validation []float64 `json:"validation"`
	Seconds    float64   `json:"seconds"`
}

// alternatives are the settings, in the order in which they are tried. The log has two more, which brought
// nothing and were taken out again: "words of two", with the iterated integrals of every form and its next
// read out as well, and "filters", with convolutions of 9 and 5 points before the first layer.
var alternatives = []struct {
	name     string
	network  func(*model.Scope, *layers.Batch, path.Config, int) *Node
	change   func(*path.Config)
	protocol func(*train.Protocol)
}{
	{"recipe", path.Network, func(*path.Config) {}, nil},
	{"cnn", path.CNN, func(c *path.Config) { c.Width = 40 }, nil},
	{"wide", path.Network, wide(func(*path.Config) {}), nil},
	{"wide, twice as long", path.Network, wide(func(*path.Config) {}),
		func(p *train.Protocol) { p.Epochs *= 2 }},
	{"wide, five layers", path.Network, wide(func(c *path.Config) { c.Layers = 5 }), nil},
	{"five layers of width 40", path.Network, func(c *path.Config) {
		c.Width, c.Forms, c.Hidden, c.Layers = 40, 32, 80, 5
	}, nil},
	{"wide, running integrals alone", path.Network, wide(func(c *path.Config) { c.Windows = []int{0} }), nil},
	{"cnn, five blocks of width 32", path.CNN, func(c *path.Config) { c.Width, c.Layers = 32, 5 }, nil},
	{"five of width 36", path.Network, func(c *path.Config) {
		c.Members, c.Width, c.Forms, c.Hidden = 5, 36, 30, 72
	}, nil},
}

// wide returns a change of networks as large as the CNN's.
func wide(change func(*path.Config)) func(*path.Config) {
	return func(c *path.Config) {
		c.Width, c.Forms, c.Hidden = 48, 40, 96
		change(c)
	}
}

// TestSearchArchive compares the alternatives on three folds of every training part; with -search.
func TestSearchArchive(t *testing.T) {
	if !*search {
		t.Skip("takes hours: go test ./nkfx/experiments -run TestSearchArchive -search -timeout 0")
	}
	done := map[[2]string]bool{}
	if text, err := os.ReadFile(archiveLog); err == nil {
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var c compared
			require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
			done[[2]string{c.Setting, c.Dataset}] = true
		}
	}
	log, err := os.OpenFile(archiveLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	defer log.Close()
	for a, alternative := range alternatives {
		// Of the other sets all networks know nearly everything.
		for _, dataset := range []string{"ERing", "RacketSports", "Libras", "NATOPS", "UWaveGestureLibrary",
			"Handwriting"} {
			if done[[2]string{alternative.name, dataset}] {
				continue
			}
			line, err := json.Marshal(compare(t, a, dataset))
			require.NoError(t, err)
			_, err = log.Write(append(line, '\n'))
			require.NoError(t, err)
		}
	}
}

// compare cross-validates an alternative on the training part of a set.
func compare(t *testing.T, alternative int, dataset string) compared {
	t.Helper()
	b, err := Lookup(dataset)
	require.NoError(t, err)
	whole, err := b.Load(t.Context())
	require.NoError(t, err)
	set := whole.(*series.Set)
	ids := set.Split.Train
	prepared, err := series.Prepare(set.Collection, ids)
	require.NoError(t, err)
	data, err := prepared.Apply(set.Collection)
	require.NoError(t, err)
	labels := make([]int32, len(ids))
	for i, id := range ids {
		labels[i] = data.Labels[id]
	}
	parts, err := datasets.StratifiedFolds(labels, 3, 42)
	require.NoError(t, err)
	var folds []datasets.Fold
	for _, part := range parts {
		var fold datasets.Fold
		for _, i := range append(part.Train, part.Validation...) {
			fold.Train = append(fold.Train, ids[i])
		}
		for _, i := range part.Test {
			fold.Test = append(fold.Test, ids[i])
		}
		folds = append(folds, fold)
	}
	recipe, err := models.Lookup("path", models.Size{})
	require.NoError(t, err)
	config := recipe.Options.(path.Config)
	config.Points = prepared.Points
	alternatives[alternative].change(&config)
	protocol := recipe.Protocol(train.Protocol{}, models.Counts{Train: len(folds[0].Train)}, "")
	if change := alternatives[alternative].protocol; change != nil {
		change(&protocol)
	}
	const seed = 1
	start := time.Now()
	out, err := train.CrossValidate(t.Context(), backendtest.Get(t, "xla:cpu"), train.Task{
		Data: data, Folds: folds, Seeds: []uint32{seed},
		Protocol: protocol,
		Model: func(scope *model.Scope, b *layers.Batch) *Node {
			return alternatives[alternative].network(scope, b, config, data.Outputs())
		},
	})
	require.NoError(t, err)
	c := compared{Setting: alternatives[alternative].name, Dataset: dataset, Seed: seed,
		Parameters: out.Parameters, Seconds: time.Since(start).Seconds()}
	for _, f := range out.Fits {
		c.Validation = append(c.Validation, float64(f.Last.Accuracy))
	}
	return c
}
