package experiments

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Benchmark is a data set, and how models are trained and compared on it.
type Benchmark struct {
	Name       string // of the data set; "" for that of its file
	Experiment string // that it belongs to: names the folder of its journals
	// Load reads the data.
	Load     func(context.Context) (datasets.Source, error)
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
	b.Load = func(ctx context.Context) (datasets.Source, error) {
		files, err := published.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		return datasets.AsSource(tu.Read(files[0]))
	}
	return b
}

// onMolecules returns the benchmark on a published data set of molecules: five trainings of the first fold.
func onMolecules(name string) Benchmark {
	b := Molecules("", moleculenet.Columns{})
	b.Name, b.Published, b.Split, b.Seeds = name, paper[name], Splits[0], 5
	b.Load = func(ctx context.Context) (datasets.Source, error) {
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
		return m, nil
	}
	return b
}

// Own returns how models are trained on a user's own data of a kind of package models: five folds, and the
// size of models in Table 2 for molecules, else that in Table 1.
func Own(kind string) Benchmark {
	b := Benchmark{
		Experiment: kind, Split: "folds", Seeds: 1, Protocol: train.Published(16),
		Size: models.Size{Hidden: 16, Forms: 5, Points: 5, Layers: 5},
	}
	switch kind {
	case "graphs":
		b.Experiment = "tu"
	case "molecules":
		b.Experiment, b.Protocol = "moleculenet", train.Published(32)
		b.Size = models.Size{Hidden: 64, Forms: 10, Points: 10, Layers: 10}
	case "paths":
		b.Experiment = "series"
	case "meshes":
		b.Experiment = "mesh"
	}
	return b
}

// on returns the benchmark with data that a function reads.
func (b Benchmark) on(load func(context.Context) (datasets.Source, error)) Benchmark {
	b.Load = load
	return b
}

// Graphs returns the benchmark on a zip archive or folder in the TU format.
func Graphs(path string) Benchmark {
	return Own("graphs").on(func(context.Context) (datasets.Source, error) {
		return datasets.AsSource(tu.Open(path))
	})
}

// Molecules returns the benchmark on the columns of a CSV file.
func Molecules(path string, columns moleculenet.Columns) Benchmark {
	return Own("molecules").on(func(context.Context) (datasets.Source, error) {
		return datasets.AsSource(moleculenet.Open(path, columns))
	})
}

// Meshes returns the benchmark on a folder, an archive or a table of meshes.
func Meshes(path string) Benchmark {
	return Own("meshes").on(func(context.Context) (datasets.Source, error) {
		return datasets.AsSource(mesh.Open(path, mesh.Whole))
	})
}

// TimeSeries returns the benchmark on a set of time series or tracks with its default split.
func TimeSeries(load func(context.Context) (*series.Set, error)) Benchmark {
	b := Own("paths").on(func(ctx context.Context) (datasets.Source, error) {
		return datasets.AsSource(load(ctx))
	})
	b.Experiment, b.Split = "uea", defaultSplit
	return b
}

// defaultSplit is that of a data set with a training and a test file.
const defaultSplit = "default"

// Princeton is the benchmark on twelve classes of the Princeton Shape Benchmark: five folds.
var Princeton = princeton()

func princeton() Benchmark {
	b := Own("meshes").on(func(ctx context.Context) (datasets.Source, error) {
		files, err := published.Open(ctx, "PSB12")
		if err != nil {
			return nil, err
		}
		return datasets.AsSource(mesh.ReadSet("PSB12", files))
	})
	b.Name = "PSB12"
	return b
}
