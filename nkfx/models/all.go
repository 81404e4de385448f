package models

import (
	"github.com/neuralkforms/nkf/layers/gnn"
)

// Entry is a model under its name.
type Entry struct {
	Name string           // without colons
	Help string           // half a line; "" for a variant: options that tables and guides compare others with
	Kind string           // of the data that it is made for, see [Kinds]; "" for any
	New  func(Size) Model // returns the model; one with sizes of its own ignores the argument
}

// All are all models. To add one, write a [Model] and one line here, or append the line from another program
// before anything is looked up.
var All = []Entry{
	{"nkf", "neural k-forms, integrated and squared (the paper's code)", "", newNKF(false)},
	{"nkf-text", "neural k-forms, their L2 norms, no batch norm (the paper's text)", "", newNKF(true)},
	{"gcn", "graph convolutions (baseline of the paper)", "", newGNN(gnn.GCN)},
	{"gat", "graph attention (baseline of the paper)", "", newGNN(gnn.GAT)},
	{"gin", "sums over neighbors (baseline of the paper)", "", newGNN(gnn.GIN)},
	{"egnn", "equivariant messages (baseline of the paper)", "", newGNN(gnn.EGNN)},
	{"cochain", "integrals of k-forms as messages between vertices", "", newCochain(func(*Cochain) {})},
	{"cochain-forms", "", "", newCochain(func(m *Cochain) { m.Functions = 0 })},
	{"cochain-small", "", "", newCochain(func(m *Cochain) {
		m.Width, m.Layers, m.Forms, m.Hidden, m.Functions, m.Head = 6, 2, 6, 16, 0, 16
		m.Dropout, m.Epochs = 0.1, 60
	})},
	{"gin-tuned", "", "", newCochain(func(m *Cochain) {
		m.Width, m.Forms, m.Hidden, m.Points, m.Functions, m.Neighbors = 24, 0, 48, 0, 24, true
	})},
	{"path", "integrals of 1-forms over windows of a path", "paths", newPath(func(*Path) {})},
	{"path-constant", "", "paths", newPath(func(m *Path) { m.Config.Kind = "constant" })},
	{"path-differences", "", "paths", newPath(func(m *Path) { m.Config.Kind = "differences" })},
	{"cnn", "convolutions over time", "paths", newCNN},
}

// Size is the size of a model (paper, appendix E).
type Size struct {
	Hidden int `json:"hidden"` // H: width of the networks
	Forms  int `json:"forms"`  // ℓ: neural k-forms
	Points int `json:"points"` // of the rule that integrates them
	Layers int `json:"layers"` // of message-passing networks, which are 2H wide
}
