package mesh

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Kind returns "meshes".
func (s *Set) Kind() string { return "meshes" }

// Describe names the classes or tasks.
func (s *Set) Describe() datasets.Info { return s.Info }

// Len returns the number of meshes.
func (s *Set) Len() int { return len(s.Meshes) }

// Row returns the path of a mesh.
func (s *Set) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "mesh", Column: "mesh", Value: s.Files[g]}}
}

// Sizes of what networks take of meshes.
const (
	networkVertices = 300 // at most: larger meshes are coarsened
	cloudPoints     = 256
)

// options are the features of meshes by name.
var options = map[string]Options{
	"faces":      {Faces: true},
	"invariants": {Vertices: networkVertices, Invariants: true, Descriptor: "moments"},
	"points":     {Points: cloudPoints},
	"d2":         {Descriptor: "d2"},
	"moments":    {Descriptor: "moments"},
}

// Encoder returns an [Encoder] with the features of that name: "faces", which are the usual ones, are
// triangles with their edges, for any network on complexes; "invariants" those of vertices, of a mesh that is
// coarsened to 300 vertices; "points" 256 of the surface; "d2" and "moments" the descriptor of the whole
// mesh, see [Options].
func (s *Set) Encoder(features string) (datasets.Encoder, error) {
	if features == "" {
		features = "faces"
	}
	e := Encoder{Features: features, Labels: s.Elements}
	return e, e.Check()
}

// Encoder makes collections of meshes.
type Encoder struct {
	Features string   `json:"features"`
	Labels   Elements `json:"labels,omitzero"` // what has classes that are learned
}

// Check returns an error for features that there are not.
func (e Encoder) Check() error {
	if _, ok := options[e.Features]; !ok {
		return fmt.Errorf("no features %q of meshes: there are %s", e.Features,
			strings.Join(slices.Sorted(maps.Keys(options)), ", "))
	}
	if e.Labels < Whole || e.Labels > Faces {
		return fmt.Errorf("%v of meshes", e.Labels)
	}
	return nil
}

// Encode is [Set.Collection].
func (e Encoder) Encode(s datasets.Source) (*datasets.Collection, error) {
	set, ok := s.(*Set)
	if !ok {
		return nil, errors.New("another kind of data: want triangle meshes")
	}
	if err := e.Check(); err != nil {
		return nil, err
	}
	o := options[e.Features]
	o.Labels = e.Labels
	return set.Collection(o)
}

// Compare returns nothing: of meshes there is nothing that a model could not know.
func (e Encoder) Compare(datasets.Source) (datasets.Novelty, error) { return datasets.Novelty{}, nil }
