package datasets

// Source is data of one kind that was read: graphs, molecules, paths, meshes, or what another package reads.
// It makes an [Encoder], which turns this and any other source of its kind into a collection.
//
// A source may also be a [Splitter] or a [Cutter], and have [Settings].
type Source interface {
	// Kind names what the data are, in the plural, such as "molecules".
	Kind() string
	// Describe says what is to be learned. Classes and Tasks are both nil where nothing is.
	Describe() Info
	// Len returns the number of complexes that the source becomes.
	Len() int
	// Row names complex g: its number or file, and what the file calls it.
	Row(g int) []Field
	// Encoder returns an encoder found on the part of the data that is trained on, with the features of that
	// name; "" stands for the usual ones.
	Encoder(features string) (Encoder, error)
}

// Encoder turns any source of its kind into a collection, with the coordinates that a model was trained on.
// It can be written as JSON and is saved with the model.
type Encoder interface {
	// Check returns an error for an encoder that no source can have made.
	Check() error
	// Encode returns the collection, with the source's own classes or tasks. It is an error if the source is
	// of another kind, or has other columns than the one that the encoder was made from.
	Encode(Source) (*Collection, error)
	// Compare reports what the source has that the one that the encoder was made from had not.
	Compare(Source) (Novelty, error)
}

// Splitter is a source with ways of its own to split its complexes.
type Splitter interface {
	// Fold returns a fold by the name of the way; false where there is no such way.
	Fold(name string) (Fold, bool, error)
}

// Cutter is a source whose complexes can be given in other ways, to test with, that should change no answer:
// paths with other observations, surfaces cut into other triangles.
type Cutter interface {
	// Cut returns the names of the ways, and a source with all n complexes as they are, then with all of them
	// in the first way, and so on: complex g in way w is number n·(w + 1) + g.
	Cut() (ways []string, cut Source, err error)
}

// Settings is a source whose content depends on more than the file of [Info.SHA256]: the columns that were
// taken, or other files.
type Settings interface {
	// Settings returns what it depends on; it can be written as JSON.
	Settings() any
}

// Field is a part of what a complex is called.
type Field struct {
	Name   string // in JSON
	Column string // of a table; "" where tables leave it out
	Value  any    // a text or a number
}

// Novelty is what a source has that the one that an encoder was made from had not, so that a model cannot
// know of it.
type Novelty struct {
	Notes    []string // on the source as a whole
	Vertices []int    // [G]: vertices of each complex with values that did not occur; nil for none
	Far      []*Far   // [G]: nil, or of each complex the observation farthest outside; nil for none
}

// Far is an observation far outside of what an encoder was made from.
type Far struct {
	Column     string  `json:"column"`     // the coordinate
	Deviations float64 `json:"deviations"` // from the mean, in standard deviations
}

// AsSource returns data of one type as a source, and nil on an error.
func AsSource[S Source](s S, err error) (Source, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
