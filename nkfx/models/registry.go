package models

import (
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/layers/path"
)

// Networks that were chosen by validation parts; the logs are in testdata of the experiments.
var (
	cochainConfig = cochain.Config{
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Functions: 16, Head: 32, Dropout: 0.3,
	}
	augment    = path.Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2}
	pathConfig = path.Config{
		Width: 20, Forms: 20, Hidden: 40, Layers: 3, Windows: []int{1, 2, 4, 8, 0}, Dropout: 0.2,
		Kind: "integrals", Augment: augment,
	}
	cnnConfig = path.Config{Width: 40, Layers: 3, Dropout: 0.2, Kind: "integrals", Augment: augment}
)

// registry holds the models.
var registry = []Model{
	neuralForms("nkf", "neural k-forms, integrated and squared (the paper's code)", layers.SquaredL2, true),
	neuralForms("nkf-text", "neural k-forms, their L2 norms, no batch norm (the paper's text)", layers.L2,
		false),
	messagePassing("gcn", "graph convolutions (baseline of the paper)", gnn.GCN),
	messagePassing("gat", "graph attention (baseline of the paper)", gnn.GAT),
	messagePassing("gin", "sums over neighbors (baseline of the paper)", gnn.GIN),
	messagePassing("egnn", "equivariant messages (baseline of the paper)", gnn.EGNN),
	onKinds(network("cochain", "integrals of k-forms as messages between vertices", cochainConfig,
		cochain.Network)),
	onPaths(network("path", "integrals of 1-forms over windows of a path", pathConfig, path.Network)),
	onPaths(network("cnn", "convolutions over time", cnnConfig, path.CNN), "forms", "hidden", "kind",
		"rank", "windows"),
}

// variants are models that tables and guides compare others with, as [Lookup] takes them.
var variants = map[string]string{
	"cochain-small": "cochain:width=6:layers=2:forms=6:hidden=16:functions=0:head=16:dropout=0.1:epochs=60",
	"cochain-forms": "cochain:functions=0",
	"gin-tuned":     "cochain:width=24:forms=0:hidden=48:points=0:functions=24:neighbors=true",

	"path-constant":    "path:kind=constant",
	"path-differences": "path:kind=differences",
}
