package experiments

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Benchmark is a data set with its rules for training and comparing models.
type Benchmark struct {
	Name       string // of the data set; "" for that of its file
	Experiment string // that it belongs to: names the folder of its journals
	Kind       string // of the data, one of models.Kinds or a program's own
	// Load reads the data.
	Load     func(context.Context) (datasets.Source, error)
	Size     models.Size    // of models that have none of their own
	Protocol train.Protocol // of models that have none of their own
	Split    string         // the usual one of Splits
	Seeds    int            // usual trainings of every fold
	// Published holds, by model, the results of the paper, or those of others.
	Published map[string]Published
}

// Own returns the benchmark on data of your own: their default split, as of a training and a test file, or
// else five folds, and models of the size of Table 2 for molecules, of Table 1 for all else.
func Own(data datasets.Source) Benchmark {
	b := usual(data.Kind()).in("own-"+data.Kind(), "folds", 1)
	b.Load = func(context.Context) (datasets.Source, error) { return data, nil }
	if ownSplit(data, defaultSplit) != nil {
		b.Split = defaultSplit
	}
	return b
}

// usual returns the size and the protocol for a kind of data.
func usual(kind string) Benchmark {
	b := Benchmark{Kind: kind, Protocol: train.Published(16),
		Size: models.Size{Hidden: 16, Forms: 5, Points: 5, Layers: 5}}
	switch kind {
	case "molecules":
		b.Protocol, b.Size = train.Published(32), models.Size{Hidden: 64, Forms: 10, Points: 10, Layers: 10}
	case "meshes": // squares of integrals over small triangles are tiny: at 1e-3 hardly anything is learned
		b.Protocol.Rate = 1e-2
	}
	return b
}

// in returns the benchmark as one of an experiment, with the split and the number of seeds that are usual
// there.
func (b Benchmark) in(experiment, split string, seeds int) Benchmark {
	b.Experiment, b.Split, b.Seeds = experiment, split, seeds
	return b
}

// Benchmarks are all benchmarks: those of the paper's tables and AIDS, ten multivariate time series of the
// UEA archive, currents and strands.
var Benchmarks = benchmarks()

func benchmarks() []Benchmark {
	return slices.Concat(
		onPublished(usual("graphs").in("tu", "folds", 1), readGraphs,
			"BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high", "AIDS"),
		onPublished(usual("molecules").in("moleculenet", "fold0", 5), readMolecules, "BACE", "BBBP", "HIV"),
		onPublished(usual("paths").in("uea", defaultSplit, 1), readSeries,
			"ArticularyWordRecognition", "BasicMotions", "ERing", "Epilepsy", "Handwriting", "Libras",
			"NATOPS", "PenDigits", "RacketSports", "UWaveGestureLibrary"),
		[]Benchmark{currents(), strands(5), strands(10), strands(20)})
}

// of returns the benchmarks of some experiments.
func of(experiments ...string) (found []Benchmark) {
	for _, b := range Benchmarks {
		if slices.Contains(experiments, b.Experiment) {
			found = append(found, b)
		}
	}
	return found
}

// Names returns the names of the benchmarks of an experiment, "tu",
// "moleculenet", "uea", "currents" or "strands", or of all for "".
func Names(experiment string) (names []string) {
	for _, b := range Benchmarks {
		if experiment == "" || b.Experiment == experiment {
			names = append(names, b.Name)
		}
	}
	return names
}

// Lookup returns the benchmark of that name, in upper or lower case.
func Lookup(name string) (Benchmark, error) {
	for _, b := range Benchmarks {
		if strings.EqualFold(b.Name, name) {
			return b, nil
		}
	}
	return Benchmark{}, fmt.Errorf("no benchmark %q: want one of %s", name, strings.Join(Names(""), ", "))
}

// onPublished returns benchmarks like b on published data sets.
func onPublished(b Benchmark, read func(name string, files []datasets.File) (datasets.Source, error),
	names ...string) (all []Benchmark) {
	for _, name := range names {
		b.Name, b.Published = name, publishedResults[name]
		b.Load = func(ctx context.Context) (datasets.Source, error) {
			files, err := published.Open(ctx, name)
			if err != nil {
				return nil, err
			}
			return read(name, files)
		}
		all = append(all, b)
	}
	return all
}

// readGraphs reads a published data set of graphs.
func readGraphs(_ string, files []datasets.File) (datasets.Source, error) { return tu.Read(files[0]) }

// readMolecules reads a published data set of molecules.
func readMolecules(name string, files []datasets.File) (datasets.Source, error) {
	m, err := moleculenet.Read(bytes.NewReader(files[0].Bytes), files[0].Name, moleculenet.Published[name])
	if err != nil {
		return nil, err
	}
	m.Name = name
	return m, nil
}

// readSeries reads a published data set of time series: a training and a test file.
func readSeries(name string, files []datasets.File) (datasets.Source, error) {
	s, err := series.ReadTS(files[0], files[1])
	if err != nil {
		return nil, err
	}
	s.Name = name
	return s, nil
}

// currents returns the benchmark on 100 synthetic paths in a flow in the plane, where learned forms matter:
// the direction at a position tells the classes apart, and nothing else does.
func currents() Benchmark {
	b := usual("paths").in("currents", "folds", 1)
	b.Name = "Currents"
	b.Load = func(context.Context) (datasets.Source, error) {
		c, err := synthetic.Currents(50, 1, synthetic.Train)
		if err != nil {
			return nil, err
		}
		c.SHA256 = checksum(c)
		return &series.Set{Collection: c, Coordinates: []string{"x", "y"}, Label: "class",
			Split: datasets.Fold{Train: c.IDs()}}, nil
	}
	return b
}

// strands returns the benchmark on graphs whose class depends on vertices that many edges apart.
func strands(length int) Benchmark {
	b := usual("collections").in("strands", "folds", 1)
	b.Name = fmt.Sprintf("Strands-%d", length)
	b.Load = func(context.Context) (datasets.Source, error) {
		c, err := synthetic.Strands{Length: length}.Sample(500, 1, synthetic.Train)
		if err != nil {
			return nil, err
		}
		c.Name, c.SHA256 = b.Name, checksum(c)
		return c, nil
	}
	return b
}

// checksum returns that of synthetic complexes, which no file has.
func checksum(c *datasets.Collection) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, c.Vertices, c.Labels)))
}
