package experiments

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

var meshSettings = flag.String("mesh", "", "settings of the search among networks of meshes, by name, "+
	"joined by semicolons")

// meshLog has every cross-validation of the search among networks of meshes, one a line.
const meshLog = "testdata/mesh-search.jsonl"

// triedMesh is a setting on the twelve classes: accuracy and average precision in percent on the validation
// parts of the five folds, trained on their training parts.
type triedMesh struct {
	Setting    string    `json:"setting"`
	Seed       uint32    `json:"seed"`
	Parameters int       `json:"parameters"`
	Folds      []float64 `json:"folds"`
	Mean       float64   `json:"mean"`
	Precision  float64   `json:"precision"`
	Seconds    float64   `json:"seconds"`
}

// meshSetting is what is tried.
type meshSetting struct {
	name    string
	options mesh.Options
	epochs  int
	members int
	seeds   []uint32 // nil: 42
	network func(*model.Scope, *layers.Batch, int) *Node
}

// surfaceSetting changes the network of surfaces.
func surfaceSetting(name string, vertices, epochs int, change func(*cochain.SurfaceConfig)) meshSetting {
	m, err := models.Lookup("mesh-forms", models.Size{})
	if err != nil {
		panic(err)
	}
	config := m.Options.(cochain.SurfaceConfig)
	config.Tensors, config.Members = 0, 1
	change(&config)
	return meshSetting{name, mesh.Options{Vertices: vertices, Invariants: true}, epochs,
		max(1, config.Members), nil, func(scope *model.Scope, b *layers.Batch, outputs int) *Node {
			return cochain.Surface(scope, b, config, outputs)
		}}
}

// thrice is the setting with three seeds.
func (x meshSetting) thrice() meshSetting {
	x.seeds = []uint32{42, 43, 44}
	return x
}

// described is the setting with moments as inputs of whole meshes, with three seeds.
func (x meshSetting) described() meshSetting {
	x.options.Descriptor = "moments"
	return x.thrice()
}

// meshAlternatives are the settings.
var meshAlternatives = []meshSetting{
	surfaceSetting("forms, 43 invariants", 300, 30, func(*cochain.SurfaceConfig) {}),
	surfaceSetting("tensors, 43 invariants", 300, 30, func(c *cochain.SurfaceConfig) {
		c.Tensors = 16
	}).thrice(),
	surfaceSetting("tensors, moments of 43 invariants", 300, 30, func(c *cochain.SurfaceConfig) {
		c.Tensors = 16
	}).described(),
	surfaceSetting("tensors, moments, 60 epochs", 300, 60, func(c *cochain.SurfaceConfig) {
		c.Tensors = 16
	}).described(),
	surfaceSetting("gin, moments of 43 invariants", 300, 30, func(c *cochain.SurfaceConfig) {
		c.Forms = 0
	}).described(),
	surfaceSetting("tensors, 150 vertices", 150, 30, func(c *cochain.SurfaceConfig) { c.Tensors = 16 }),
	surfaceSetting("tensors, no messages", 300, 30, func(c *cochain.SurfaceConfig) {
		c.Tensors, c.Layers = 16, 0
	}),
	surfaceSetting("tensors without 2-forms", 300, 30, func(c *cochain.SurfaceConfig) {
		c.Tensors, c.Forms = 16, 0
	}),
	surfaceSetting("tensors, three members", 300, 30, func(c *cochain.SurfaceConfig) {
		c.Tensors, c.Members = 16, 3
	}),
	surfaceSetting("gin, 43 invariants", 300, 30, func(c *cochain.SurfaceConfig) { c.Forms = 0 }),
	{"pointnet", mesh.Options{Points: 256}, 60, 1, nil, func(s *model.Scope, b *layers.Batch,
		outputs int) *Node {
		return gnn.PointNet(s, b, gnn.PointNetConfig{Hidden: 64, Features: 128, Head: 64, Dropout: 0.2,
			Scale: 0.1, Noise: 0.02}, outputs)
	}},
	{"moments, 43 invariants", mesh.Options{Descriptor: "moments"}, 300, 1, []uint32{42, 43, 44},
		func(s *model.Scope, b *layers.Batch, outputs int) *Node {
			x := layers.BatchNorm(s.In("norm"), b.Globals(), b.Mask())
			return layers.MLP(s.In("head"), x, outputs)
		}},
}

// TestSearchMeshes tries the settings; with -search.
func TestSearchMeshes(t *testing.T) {
	if !*search {
		t.Skip("takes hours: go test ./nkfx/experiments -run TestSearchMeshes -search -timeout 0")
	}
	data, err := Princeton.Load(t.Context())
	require.NoError(t, err)
	set := data.(*mesh.Set)
	type trained struct {
		setting string
		seed    uint32
	}
	done := map[trained]bool{}
	if text, err := os.ReadFile(meshLog); err == nil {
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var c triedMesh
			require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
			done[trained{c.Setting, c.Seed}] = true
		}
	}
	log, err := os.OpenFile(meshLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	defer log.Close()
	wanted := map[string]bool{}
	for _, name := range strings.Split(*meshSettings, ";") {
		wanted[name] = true
	}
	collections := map[mesh.Options]*datasets.Collection{}
	for _, setting := range meshAlternatives {
		if *meshSettings != "" && !wanted[setting.name] {
			continue
		}
		if collections[setting.options] == nil {
			collections[setting.options], err = set.Collection(setting.options)
			require.NoError(t, err)
		}
		for _, seed := range append(slices.Clone(setting.seeds), 42)[:max(1, len(setting.seeds))] {
			if done[trained{setting.name, seed}] {
				continue
			}
			line, err := json.Marshal(setting.try(t, collections[setting.options], seed))
			require.NoError(t, err)
			_, err = log.Write(append(line, '\n'))
			require.NoError(t, err)
			t.Log(string(line))
		}
	}
}

// try trains on the training parts of the folds and scores their validation parts.
func (x meshSetting) try(t *testing.T, data *datasets.Collection, seed uint32) triedMesh {
	t.Helper()
	folds, err := datasets.StratifiedFolds(data.Labels, 5, splitSeed)
	require.NoError(t, err)
	for i, fold := range folds {
		folds[i] = datasets.Fold{Train: fold.Train, Test: fold.Validation}
	}
	name := "mesh-forms"
	if x.options.Descriptor != "" && !x.options.Invariants {
		name = "mesh-moments"
	}
	recipe, err := models.Lookup(name, models.Size{})
	require.NoError(t, err)
	protocol := recipe.Protocol(train.Protocol{}, models.Counts{}, "")
	protocol.Epochs = x.epochs
	protocol.Clip /= math.Sqrt(float64(x.members))
	start := time.Now()
	out, err := train.CrossValidate(t.Context(), backendtest.Get(t, "xla:cpu"), train.Task{
		Data: data, Folds: folds, Seeds: []uint32{seed}, Protocol: protocol,
		Model: func(scope *model.Scope, b *layers.Batch) *Node { return x.network(scope, b, data.Outputs()) },
	})
	require.NoError(t, err)
	c := triedMesh{Setting: x.name, Seed: seed, Parameters: out.Parameters,
		Seconds: time.Since(start).Seconds()}
	rounded := func(x float64) float64 { return math.Round(10*x) / 10 }
	for _, f := range out.Fits {
		c.Folds = append(c.Folds, rounded(float64(f.Last.Accuracy)))
		c.Mean += float64(f.Last.Accuracy) / float64(len(out.Fits))
		c.Precision += float64(f.Last.AveragePrecision) / float64(len(out.Fits))
	}
	c.Mean, c.Precision, c.Seconds = rounded(c.Mean), rounded(c.Precision), rounded(c.Seconds)
	return c
}
