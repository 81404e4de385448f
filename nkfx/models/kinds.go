package models

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
)

// Kind is a kind of data that models are trained on.
type Kind struct {
	Name   string // as Source.Kind of its sources returns it, and for the commands train and predict
	Place  string // what these take: "FILE", "FOLDER" or "PATH"; "" if only Go programs make such data
	Help   string // what the place is, or has
	Model  string // the usual one
	Metric string // of classes: "accuracy" or "auroc"
	Degree int    // of the simplices; 0 for any
	// Open reads data from a place; nil if that takes more than a place, as the columns of a table.
	Open    func(place string) (datasets.Source, error)
	Encoder func() datasets.Encoder // returns one to decode into
}

// Kinds are all kinds of data. To add one, write a package with a [datasets.Source] and a [datasets.Encoder],
// and one line here.
var Kinds = []Kind{
	{"graphs", "PATH", "is a zip archive or a folder in the format of TUDataset", "nkf", "accuracy", 1,
		func(place string) (datasets.Source, error) { return tu.Open(place) }, tu.NewEncoder},
	{"molecules", "FILE", "is a table with SMILES, or - for standard input", "nkf", "auroc", 1, nil,
		moleculenet.NewEncoder},
	{"paths", "FILE", "has time series in the .ts format of the UCR and UEA archives, or is a table with " +
		"a row for each point", "path", "accuracy", 1, nil, series.NewEncoder},
	{"meshes", "FOLDER", "has a folder of triangle meshes (.off, .obj, .stl, .ply) for each class; to " +
		"predict, it may be a mesh", "nkf", "accuracy", 2,
		func(place string) (datasets.Source, error) { return mesh.Open(place) }, mesh.NewEncoder},
	{"collections", "", "", "nkf", "accuracy", 0, nil, datasets.NewIdentity},
}

// KindOf returns the kind of that name.
func KindOf(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind{}, fmt.Errorf("no kind of data %q: want one of %s", name, strings.Join(names, ", "))
}

// Encoder is the encoder of a kind of data, in its saved form.
type Encoder struct {
	Kind string
	datasets.Encoder
}

// MarshalJSON returns the kind and the encoder.
func (e Encoder) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"kind": e.Kind, "found": e.Encoder})
}

// UnmarshalJSON reads a kind and an encoder of that kind.
func (e *Encoder) UnmarshalJSON(text []byte) error {
	var saved struct {
		Kind  string          `json:"kind"`
		Found json.RawMessage `json:"found"`
	}
	if err := json.Unmarshal(text, &saved); err != nil || saved.Found == nil {
		return err
	}
	kind, err := KindOf(saved.Kind)
	if err != nil {
		return err
	}
	e.Kind, e.Encoder = kind.Name, kind.Encoder()
	return json.Unmarshal(saved.Found, e.Encoder)
}
