package datasets

// Source is data of one kind, read from files: graphs, molecules, paths, meshes, or those of another package.
// It makes an [Encoder], which turns this and any other source of its kind into a collection.
//
// A source may also implement [Splitter], [Noter] and [Settings], and an encoder [Comparer] and [Refitter].
type Source interface {
	// Kind names what the data are, in the plural, such as "molecules".
	Kind() string
	// Describe returns the learning task. Classes and Tasks are both nil if there is none.
	Describe() Info
	// Len returns the number of complexes in the source.
	Len() int
	// Row identifies complex g: its number or file, and its name in the file.
	Row(g int) []Field
	// Encoder returns an encoder fitted to the training part of the data, with the features of that name; ""
	// stands for the default features.
	Encoder(features string) (Encoder, error)
}

// Encoder turns any source of its kind into a collection, with the coordinates that a model was trained on.
// It is saved with the model as JSON.
type Encoder interface {
	// Check returns an error if the encoder is invalid, for example after reading a damaged file.
	Check() error
	// Encode returns the collection, with the source's own classes or tasks. It is an error if the source is
	// of another kind, or has other columns than the one that the encoder was made from.
	Encode(Source) (*Collection, error)
}

// Comparer is an encoder of data with values that a model may not know.
type Comparer interface {
	// Compare reports what is new in the source, compared with the one that the encoder was made from.
	Compare(Source) (Novelty, error)
}

// Refitter is an encoder with numbers that are found on data, such as centers and scales. A cross-validation
// fits it anew for each fold: nothing of a test part may be known in training.
type Refitter interface {
	// Refit returns the complexes of all folds, fold by fold, with the columns of the encoder and numbers
	// found on the training and validation parts of each fold. Those of a fold are in the order of its
	// parts: training, validation, test.
	Refit(s Source, folds []Fold) (*Collection, error)
}

// Splitter is a source with splits of its own, such as scaffold splits of molecules.
type Splitter interface {
	// Fold returns a fold by the name of the split; false if there is no such split.
	Fold(name string) (Fold, bool, error)
}

// Noter is a source that tells what was read.
type Noter interface {
	// Notes returns what the files held, and what of it was changed or left out.
	Notes() []string
}

// Settings is a source whose content depends on more than the file of [Info.SHA256]: on the selected columns,
// or on other files.
type Settings interface {
	// Settings returns these settings, in a form that can be written as JSON.
	Settings() any
}

// Field is a part of the identification of a complex.
type Field struct {
	Name   string // in JSON
	Column string // of a table; "" where tables leave it out
	Value  any    // a text or a number
}

// Novelty lists the contents of a source that did not occur in the source of the encoder, so the model has
// not learned them.
type Novelty struct {
	Notes    []string // on the source as a whole
	Vertices []int    // [G]: vertices of each complex with values that did not occur; nil for none
}
