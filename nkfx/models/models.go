// Package models provides the networks of nkf by name, and trained models: any
// Go program can load a model that `nkf train` saved and make predictions for
// graphs, molecules and other complexes. It imports neither plotting nor
// notebooks.
//
//	backend, err := backends.New() // of package layers/backends
//	model, err := models.Load("results/models/BACE-nkf", backend)
//	p, err := model.PredictSMILES("CCO")
//	fmt.Println(p.Class, p.Probabilities)
package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/internal/saved"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Model is a network with a protocol of training. It is a pointer to a struct, whose fields in JSON are its
// options: they are saved, and changed in a name, see [Lookup]. What is omitted while it is empty is no
// option. A method Check() error may refuse options.
type Model interface {
	// Features returns the features of a kind of data, as datasets.Source.Encoder takes them, that the model
	// has by default; "" are those of the data.
	Features(kind string) string
	// For returns the model with what its options leave to the data, such as the number of points of all
	// paths. It is an error that goes on after "the model is for", such as "graphs, not for surfaces", if the
	// model is not for such data.
	For(data *datasets.Collection) (Model, error)
	// Protocol returns the protocol of a training on a number of complexes: that of the benchmark, or a
	// protocol of its own, which selects the best epoch by the metric best, see train.Protocol.Select.
	Protocol(benchmark train.Protocol, n Counts, best string) train.Protocol
	// Build returns the network with a number of outputs, for the data that For had.
	Build(outputs int) train.Model
}

// Counts are numbers of complexes, on which protocols depend.
type Counts struct {
	All   int // of the data
	Train int // of a training part, with the validation part
}

// Names returns the names of some of [All], ascending.
func Names(of func(Entry) bool) (names []string) {
	for _, e := range All {
		if of(e) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Named is a model by a name that may change its options.
type Named struct {
	Model
	Entry        // of All
	Name  string // as Lookup took it
	// Epochs of a training, if the name has them; 0: those of the protocol.
	Epochs int
}

// Lookup returns the model of that name. Only models of the paper, [NKF] and [GNN], have the given size.
// Options are changed after a colon, as in "path:kind=constant:layers=2": they are the fields of the model,
// in upper or lower case, and epochs. It is an error if there is no such model or option, or if the model
// cannot have a value.
func Lookup(name string, size Size) (Named, error) {
	base, changes, changed := strings.Cut(name, ":")
	i := slices.IndexFunc(All, func(e Entry) bool { return e.Name == base })
	if i < 0 {
		usual := Names(func(e Entry) bool { return e.Help != "" })
		variants := Names(func(e Entry) bool { return e.Help == "" })
		return Named{}, fmt.Errorf("no model %q: want one of %s", name,
			strings.Join(append(usual, variants...), ", "))
	}
	m := Named{Model: All[i].New(size), Entry: All[i], Name: name}
	if !changed {
		return m, nil
	}
	return m, m.change(changes)
}

// epochs is the option of all models.
const epochs = "epochs"

// change sets options as in "kind=constant:layers=2:epochs=60".
func (m *Named) change(text string) error {
	options := map[string]json.RawMessage{}
	have, err := json.Marshal(m.Model)
	if err == nil {
		err = json.Unmarshal(have, &options)
	}
	if err != nil {
		return fmt.Errorf("the model %q: its options: %w", m.Name, err)
	}
	names := slices.SortedFunc(maps.Keys(options), func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	names = append(names, epochs)
	for change := range strings.SplitSeq(text, ":") {
		name, value, _ := strings.Cut(change, "=")
		at := slices.IndexFunc(names, func(option string) bool { return strings.EqualFold(option, name) })
		if at < 0 || value == "" {
			return fmt.Errorf("the model %q: %q changes no option: write OPTION=VALUE, options are %s",
				m.Name, change, strings.ToLower(strings.Join(names, ", ")))
		}
		if names[at] == epochs {
			if m.Epochs, err = strconv.Atoi(value); err != nil || m.Epochs < 1 {
				return fmt.Errorf("the model %q: %s: want a number of epochs, 1 or more", m.Name, change)
			}
			continue
		}
		if !json.Valid([]byte(value)) {
			value = strconv.Quote(value)
		}
		options[names[at]] = json.RawMessage(value)
	}
	changed, err := json.Marshal(options)
	if err == nil {
		err = checkOptions(changed)
	}
	if err == nil {
		err = m.set(changed)
	}
	if err != nil {
		return fmt.Errorf("the model %q: %s", m.Name, saved.Unreadable(err))
	}
	return nil
}

// set sets options, in JSON. It is an error if the network cannot have them, where it says so by a method
// Check.
func (m *Named) set(options []byte) error {
	if err := json.Unmarshal(options, m.Model); err != nil {
		return err
	}
	if c, ok := m.Model.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// Takes returns an error unless the model can be trained on data of a kind.
func (m Named) Takes(kind string) error {
	if m.Kind != "" && m.Kind != kind {
		return fmt.Errorf("the model %q is for %s, and not for %s", m.Name, m.Kind, kind)
	}
	return nil
}

// For returns the model for some data, see [Model].
func (m Named) For(data *datasets.Collection) (Named, error) {
	of, err := m.Model.For(data)
	if err != nil {
		return m, fmt.Errorf("the model %q is for %w", m.Name, err)
	}
	m.Model = of
	return m, nil
}

// Protocol returns the protocol of the model, see [Model], with the epochs of its name.
func (m Named) Protocol(benchmark train.Protocol, n Counts, best string) train.Protocol {
	p := m.Model.Protocol(benchmark, n, best)
	p.Epochs = cmp.Or(m.Epochs, p.Epochs)
	return p
}

// Input describes the data that a network is built for.
type Input struct {
	Dim     int `json:"dim"`     // coordinates of a vertex
	Degree  int `json:"degree"`  // of the simplices
	Outputs int `json:"outputs"` // classes or tasks
}

// inputOf returns the Input of a collection.
func inputOf(data *datasets.Collection) Input {
	return Input{Dim: data.Dim, Degree: data.Degree(), Outputs: data.Outputs()}
}
