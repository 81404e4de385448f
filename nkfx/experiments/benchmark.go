package experiments

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Benchmark is a data set, and how models are trained and compared on it.
type Benchmark struct {
	Name       string // of the data set; "" for that of its file
	Experiment string // that it belongs to: names the folder of its journals
	// Load reads the data.
	Load     func(context.Context) (*Data, error)
	Size     models.Size    // of models that have none of their own
	Protocol train.Protocol // of models that have none of their own
	Split    string         // the usual one of Splits
	Seeds    int            // usual trainings of every fold
	// Published holds, by model, the results of the paper, or those of others.
	Published map[string]Published
}

// Benchmarks are those of the paper's tables, and AIDS.
var Benchmarks = []Benchmark{
	onGraphs("BZR"), onGraphs("COX2"), onGraphs("DHFR"),
	onGraphs("Letter-low"), onGraphs("Letter-med"), onGraphs("Letter-high"), onGraphs("AIDS"),
	onMolecules("BACE"), onMolecules("BBBP"), onMolecules("HIV"),
}

// Names returns the names of the benchmarks of an experiment, "tu",
// "moleculenet", "uea" or "mesh", or of all for "".
func Names(experiment string) (names []string) {
	for _, b := range slices.Concat(Benchmarks, Archive, []Benchmark{Princeton}) {
		if experiment == "" || b.Experiment == experiment {
			names = append(names, b.Name)
		}
	}
	return names
}

// Lookup returns the benchmark of that name, in upper or lower case.
func Lookup(name string) (Benchmark, error) {
	for _, b := range slices.Concat(Benchmarks, Archive, []Benchmark{Princeton}) {
		if strings.EqualFold(b.Name, name) {
			return b, nil
		}
	}
	return Benchmark{}, fmt.Errorf("no benchmark %q: there are %s", name, strings.Join(Names(""), ", "))
}

// onGraphs returns the benchmark on a published data set of graphs.
func onGraphs(name string) Benchmark {
	b := Graphs("")
	b.Name, b.Published = name, paper[name]
	b.Load = func(ctx context.Context) (*Data, error) {
		files, err := published.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		a, err := tu.Read(files[0])
		if err != nil {
			return nil, err
		}
		return &Data{Name: name, SHA256: a.SHA256, Graphs: a}, nil
	}
	return b
}

// onMolecules returns the benchmark on a published data set of molecules: five trainings of the first fold.
func onMolecules(name string) Benchmark {
	b := Molecules("", moleculenet.Columns{})
	b.Name, b.Published, b.Split, b.Seeds = name, paper[name], Splits[0], 5
	b.Load = func(ctx context.Context) (*Data, error) {
		files, err := published.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		content := bytes.NewReader(files[0].Bytes)
		m, err := moleculenet.Read(content, files[0].Name, moleculenet.Published[name])
		if err != nil {
			return nil, err
		}
		m.Name = name
		return &Data{Name: name, SHA256: m.SHA256, Molecules: m}, nil
	}
	return b
}

// Graphs returns the benchmark on a zip archive or folder in the TU format:
// five folds and the size of models in Table 1.
func Graphs(path string) Benchmark {
	return Benchmark{
		Experiment: "tu", Split: "folds", Seeds: 1, Protocol: train.Published(16),
		Size: models.Size{Hidden: 16, Forms: 5, Points: 5, Layers: 5},
		Load: func(context.Context) (*Data, error) {
			a, err := tu.Open(path)
			if err != nil {
				return nil, err
			}
			return &Data{Name: a.Name, SHA256: a.SHA256, Graphs: a}, nil
		},
	}
}

// Molecules returns the benchmark on the columns of a CSV file: five folds and
// the size of models in Table 2.
func Molecules(path string, columns moleculenet.Columns) Benchmark {
	return Benchmark{
		Experiment: "moleculenet", Split: "folds", Seeds: 1, Protocol: train.Published(32),
		Size: models.Size{Hidden: 64, Forms: 10, Points: 10, Layers: 10},
		Load: func(context.Context) (*Data, error) {
			m, err := moleculenet.Open(path, columns)
			if err != nil {
				return nil, err
			}
			return &Data{Name: m.Name, SHA256: m.SHA256, Molecules: m, Columns: columns}, nil
		},
	}
}
