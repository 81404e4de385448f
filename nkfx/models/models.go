// Package models provides the networks of nkf by name, and trained models: any
// Go program can load a model that `nkf train` saved and make predictions for
// graphs, molecules and other complexes. It imports neither plotting nor
// notebooks.
//
//	backend, err := backends.New()
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

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/internal/saved"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Size is the size of a model (paper, appendix E).
type Size struct {
	Hidden int `json:"hidden"` // H: width of the networks
	Forms  int `json:"forms"`  // ℓ: neural k-forms
	Points int `json:"points"` // of the rule that integrates them
	Layers int `json:"layers"` // of message-passing networks, which are 2H wide
}

// Model is a network with a name, options and a protocol of training.
type Model struct {
	Name string // with the options that were changed, as Lookup takes it
	Help string // half a line
	Kind string // of the data that it is made for, see [Kinds]; "" for any
	// Options are those of the network: the benchmark's Size for models of the paper; for other models their
	// own cochain.Config or path.Config, or nil.
	Options any

	features map[string]string // by kind of data, where not the usual ones
	even     bool              // all classes have the same weight, whatever the benchmark's protocol
	most     int               // epochs of a variant; 0: those of the protocol
	epochs   int               // asked for; 0: those of the protocol
	unread   []string          // names of options that have no effect, in lower case
	build    func(options any, outputs int) train.Model
	decode   func(text []byte) (any, error) // options
	// fit returns the options for some data, or an error if the network is not for them; nil: as they are.
	fit func(options any, data *datasets.Collection) (any, error)
	// protocol is nil for that of the benchmark.
	protocol func(options any, n Counts, best string) train.Protocol
}

// Input describes the data that a network is built for.
type Input struct {
	Dim     int `json:"dim"`     // coordinates of a vertex
	Degree  int `json:"degree"`  // of the simplices
	Outputs int `json:"outputs"` // classes or tasks
}

// InputOf returns the Input of a collection.
func InputOf(data *datasets.Collection) Input {
	return Input{Dim: data.Dim, Degree: data.Degree(), Outputs: data.Outputs()}
}

// Counts are numbers of complexes.
type Counts struct {
	All   int // of the data
	Train int // of a training part, with the validation part
}

// names returns the names of some models, ascending.
func names(of func(Model) bool) (names []string) {
	for _, m := range registry {
		if of(m) {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// AllNames returns the names of all models, ascending.
func AllNames() []string { return names(func(Model) bool { return true }) }

// Names returns the names of the models for a kind of data, ascending; for "" those of models for any kind.
func Names(kind string) []string { return names(func(m Model) bool { return m.Kind == kind }) }

// Variants maps the names of models with changed options to what they stand for.
func Variants() map[string]string { return maps.Clone(variants) }

// Lookup returns the model of that name. The size applies to models without options. Options are changed
// after a colon, as in "path:kind=constant:layers=2"; some such models have names of their own, see
// [Variants].
func Lookup(name string, size Size) (Model, error) {
	known, changes, changed := strings.Cut(name, ":")
	base, own, variant := strings.Cut(cmp.Or(variants[known], known), ":")
	for _, m := range registry {
		if m.Name != base {
			continue
		}
		if _, sized := m.Options.(Size); sized {
			m.Options = size
		}
		m.Name = name
		var err error
		if variant {
			m.most, err = m.change(own)
		}
		if changed && err == nil {
			m.epochs, err = m.change(changes)
		}
		return m, err
	}
	return Model{}, fmt.Errorf("no model %q: want one of %s", name, strings.Join(
		append(AllNames(), slices.Sorted(maps.Keys(variants))...), ", "))
}

// change sets options as in "kind=constant:layers=2:epochs=60", and returns the epochs, or 0.
func (m *Model) change(text string) (epochs int, err error) {
	have, err := json.Marshal(m.Options)
	options := map[string]json.RawMessage{}
	if err != nil || json.Unmarshal(have, &options) != nil || len(options) == 0 {
		return 0, fmt.Errorf("the model %q has no options", m.Name)
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(options)), func(name string) bool {
		return slices.Contains(m.unread, strings.ToLower(name))
	})
	for change := range strings.SplitSeq(text, ":") {
		name, value, _ := strings.Cut(change, "=")
		at := slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
		if n, err := strconv.Atoi(value); name == "epochs" && err == nil && n > 0 {
			epochs = n
			continue
		}
		if at < 0 || value == "" {
			return 0, fmt.Errorf("the model %q: %q changes no option: write OPTION=VALUE, options are %s",
				m.Name, change, strings.ToLower(strings.Join(names, ", ")))
		}
		if !json.Valid([]byte(value)) {
			value = strconv.Quote(value)
		}
		options[names[at]] = json.RawMessage(value)
	}
	changed, err := json.Marshal(options)
	if err != nil {
		return 0, err
	}
	if m.Options, err = m.decode(changed); err == nil {
		err = checkOptions(changed)
	}
	if err != nil {
		return 0, fmt.Errorf("the model %q: %s", m.Name, saved.Unreadable(err))
	}
	return epochs, nil
}

// Takes returns an error unless the model can be trained on data of a kind.
func (m Model) Takes(kind string) error {
	if m.Kind != "" && m.Kind != kind {
		return fmt.Errorf("the model %q is for %s, and not for %s", m.Name, m.Kind, kind)
	}
	return nil
}

// Features returns the default features of the model for a kind of data; "" are the default features of the
// data.
func (m Model) Features(kind string) string { return m.features[kind] }

// For returns the model with what its options leave to the data. It is an error if its network is not for
// such data.
func (m Model) For(data *datasets.Collection) (Model, error) {
	if m.fit == nil {
		return m, nil
	}
	options, err := m.fit(m.Options, data)
	if err != nil {
		return m, fmt.Errorf("the model %q is for %w", m.Name, err)
	}
	m.Options = options
	return m, nil
}

// Build returns the network with a number of outputs, for the data that [Model.For] had.
func (m Model) Build(outputs int) train.Model { return m.build(m.Options, outputs) }

// Protocol returns the protocol of the model for a number of complexes of a benchmark with the given
// protocol. Models with their own protocol take from it only the choice of the best epoch.
func (m Model) Protocol(benchmark train.Protocol, n Counts, best string) train.Protocol {
	p := benchmark
	if m.protocol != nil {
		p = m.protocol(m.Options, n, best)
	} else {
		p.FrequencyWeight = p.FrequencyWeight && !m.even
	}
	if m.most > 0 {
		p.Epochs = min(p.Epochs, m.most)
	}
	p.Epochs = cmp.Or(m.epochs, p.Epochs)
	return p
}

// Published reports whether the model is in the paper. Other models have their own protocol.
func (m Model) Published() bool { return m.protocol == nil }

// neuralForms returns a model of the paper (section 4 and appendix E): neural
// k-forms with hidden layers of H and H/2 are integrated over the simplices,
// reduced per complex, normalized if norm is set, and classified by an MLP
// with hidden layers of H and H/2, all with ReLU. Initialization is PyTorch's. Without norm, as in the
// paper's text, the loss weighs all classes equally.
func neuralForms(name, help string, readout layers.Reduction, norm bool) Model {
	m := network(name, help, Size{}, func(scope *model.Scope, b *layers.Batch, size Size, outputs int) *Node {
		forms := layers.KForm(scope.In("forms"), b.Dim(), b.Degree(), size.Forms).
			Hidden(size.Hidden, size.Hidden/2).
			Activation(activation.Relu).
			Quadrature(quadrature.Trapezoid(size.Points)).
			Initialization(layers.FanInUniform).Done()
		h := b.Readout(readout, forms)
		if norm {
			h = layers.BatchNorm(scope.In("norm"), h, b.Mask())
		}
		return layers.MLP(scope.In("head"), h, size.Hidden, size.Hidden/2, outputs)
	})
	m.even, m.unread = !norm, []string{"layers"}
	return m
}

// messagePassing is a baseline of the paper (appendix E): twice as wide as
// the neural forms, sums over the vertices, no normalization.
func messagePassing(name, help string, messages func(scope *model.Scope, batch *layers.Batch,
	hidden, depth, outputs int) *Node) Model {
	m := network(name, help, Size{}, func(scope *model.Scope, b *layers.Batch, size Size, outputs int) *Node {
		return messages(scope, b, 2*size.Hidden, size.Layers, outputs)
	})
	m.unread = []string{"forms", "points"}
	m.fit = func(options any, data *datasets.Collection) (any, error) { return options, graphs(data) }
	return m
}
