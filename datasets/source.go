package datasets

import (
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Source is data of one kind, read from files: graphs, molecules, paths, meshes, or those of another package.
// It makes an [Encoder], which turns this and other sources of its kind into collections.
type Source interface {
	// Kind names what the data are, in the plural, such as "molecules".
	Kind() string
	// Describe returns the learning task. Classes and Tasks are both nil if there is none.
	Describe() Info
	// Len returns the number of complexes in the source.
	Len() int
	// Row identifies complex g: its number or file, and its name in the file.
	Row(g int) []Field
	// Encoder returns an encoder with the features of that name; "" stands for the default features. Numbers
	// that are found on data, such as centers and scales, are fitted to the complexes train; nil: to all. A
	// cross-validation fits an encoder for each fold, as nothing of a test part may be known in training. The
	// columns of coordinates do not depend on train.
	Encoder(features string, train []int32) (Encoder, error)
}

// Encoder turns any source of its kind into a collection, with the coordinates that a model was trained on.
// It is saved with the model as JSON. An encoder of values that may be new to a model, such as one-hot
// labels, also has a method
//
//	Compare(Source) (Novelty, error)
//
// which reports what did not occur in the source that it was made from.
type Encoder interface {
	// Check returns an error if the encoder is invalid, for example after reading a damaged file.
	Check() error
	// Encode returns the collection, with the source's own classes or tasks. It is an error if the source is
	// of another kind, or has other columns than the one that the encoder was made from.
	Encode(Source) (*Collection, error)
}

// Field is a part of the identification of a complex in predictions, such as {"row", "row", 7}.
type Field struct {
	Name   string // key in JSON
	Column string // heading in CSV; "" leaves it out there
	Value  any    // a text or a number
}

// Novelty lists the contents of a source that did not occur in the source of the encoder, so the model has
// not learned them.
type Novelty struct {
	Notes    []Note // on the source as a whole
	Vertices []int  // [G]: vertices of each complex with values that did not occur; nil for none
}

// Note counts what is new in a source, as in "2 of 9 molecules hold elements that are new (Br, I)".
type Note struct {
	Count, Of int      // 2 and 9; Of is 0 for a sentence without counts
	Text      string   // "molecules hold elements that are new"
	Values    []string // "Br", "I"
}

// Sentences returns the notes that have something to say.
func (n Novelty) Sentences() (all []string) {
	for _, note := range n.Notes {
		switch {
		case note.Of == 0:
			all = append(all, note.Text)
		case note.Count > 0:
			all = append(all, fmt.Sprintf("%d of %d %s (%s)", note.Count, note.Of, note.Text,
				fileio.List(note.Values)))
		}
	}
	return all
}

// Add adds the notes on another part of the source.
func (n *Novelty) Add(part Novelty) {
	for _, note := range part.Notes {
		i := slices.IndexFunc(n.Notes, func(known Note) bool { return known.Text == note.Text })
		if i < 0 {
			n.Notes = append(n.Notes, note)
			continue
		}
		known := &n.Notes[i]
		known.Count, known.Of = known.Count+note.Count, known.Of+note.Of
		for _, value := range note.Values {
			if !slices.Contains(known.Values, value) {
				known.Values = append(known.Values, value)
			}
		}
	}
}
