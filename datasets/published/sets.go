package published

import (
	_ "embed"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Set is a published data set.
type Set struct {
	Name   string
	Files  []File // in the order in which they are read
	SHA256 string // names the data: that of the first file; of PSB12 of the list
	Provenance

	missing string // how to get files that the program does not hold
}

// File is a published file.
type File struct {
	Name   string // e.g. "BZR.zip"
	Path   string // below a folder of data sets, with slashes, e.g. "tu/BZR.zip"
	SHA256 string // of the file's bytes, in hexadecimal
}

// Provenance says where a data set comes from.
type Provenance struct {
	Origin    string // who publishes it, and where
	Terms     string // its license, or on which terms it is published
	Reference string // to be cited
}

var (
	graphs = Provenance{
		Origin:    "TUDataset, www.chrsmrrs.com/graphkerneldatasets",
		Terms:     "no license stated; a collection of benchmarks for research, to be cited",
		Reference: "Morris et al., TUDataset, 2020, arXiv:2007.08663",
	}
	molecules = Provenance{
		Origin: "MoleculeNet, as DeepChem distributes it, " +
			"deepchemdata.s3-us-west-1.amazonaws.com/datasets",
		Terms:     "no license of its own stated; distributed with DeepChem (MIT), to be cited",
		Reference: "Wu et al., MoleculeNet, Chemical Science 9, 2018, arXiv:1703.00564",
	}
	timeSeries = Provenance{
		Origin: "UEA archive, www.timeseriesclassification.com; the copy in the folder mts of " +
			"github.com/mat-analysis/datasets, commit f50572553419e667e0bd89173a3e9cbe5b32a99d",
		Terms: "no license stated; a collection of benchmarks for research, to be cited",
		Reference: "Bagnall et al., The UEA multivariate time series classification archive, 2018, " +
			"arXiv:1811.00075",
	}
	buoys = Provenance{
		Origin: "Global Drifter Program (NOAA); ocean_drifters_data/dataBuoys.jld2 of " +
			"github.com/nglaze00/SCoNe_GCN, commit 35cf6bfa75eaf3cae5635729ccdf15d17a6177c7, as CSV",
		Terms: "MIT License (drifters/LICENSE)",
		Reference: "Schaub et al., Random walks on simplicial complexes and the normalized Hodge " +
			"1-Laplacian, SIAM Review 62, 2020",
	}
	starkey = Provenance{
		Origin: "Starkey Project, US Forest Service; the copy in the folder raw/Animals of " +
			"github.com/mat-analysis/datasets",
		Terms:     "a work of the US government, in the public domain in the United States",
		Reference: "Rowland et al., The Starkey project, report PNW-GTR-396, US Forest Service, 1997",
	}
	princeton = Provenance{
		Origin: "Princeton Shape Benchmark, shape.cs.princeton.edu/benchmark; posed, scaled and resampled " +
			"in " + meshFolder,
		Terms:     "for research; not to be passed on, so not embedded",
		Reference: "Shilane et al., The Princeton Shape Benchmark, Shape Modeling International 2004",
	}
)

const meshFolder = "the folder processed-models of github.com/costanzalaudisa/INFOMRproject, commit " +
	"a81dd7857db669c93f5061b21013704a85803901"

// sets are all data sets.
var sets = slices.Concat(
	one(graphs, "tu/", ".zip", "AIDS", "BZR", "COX2", "DHFR", "Letter-low", "Letter-med", "Letter-high"),
	[]Set{of(molecules, "BACE", "moleculenet/bace.csv")},
	one(molecules, "moleculenet/", ".csv", "BBBP", "HIV"),
	split("ArticularyWordRecognition", "BasicMotions", "ERing", "Epilepsy", "Handwriting", "Libras", "NATOPS",
		"PenDigits", "RacketSports", "UWaveGestureLibrary"),
	[]Set{
		of(buoys, "Drifters", "drifters/tracks.csv", "drifters/nodes.csv", "drifters/edges.csv",
			"drifters/triangles.csv", "drifters/node_paths.csv"),
		of(starkey, "Animals", "tracks/animals.csv"),
		meshes(),
	})

// one returns sets of one file each, which is called like the set.
func one(p Provenance, before, after string, names ...string) (all []Set) {
	for _, name := range names {
		all = append(all, of(p, name, before+name+after))
	}
	return all
}

// split returns sets of the UEA archive, each with a training and a test file.
func split(names ...string) (all []Set) {
	for _, name := range names {
		all = append(all, of(timeSeries, name, "uea/"+name+"_TRAIN.ts", "uea/"+name+"_TEST.ts"))
	}
	return all
}

// of returns a set of embedded files.
func of(p Provenance, name string, paths ...string) Set {
	s := Set{Name: name, Provenance: p}
	for _, at := range paths {
		s.Files = append(s.Files, File{path.Base(at), at, sums[at]})
	}
	s.SHA256 = s.Files[0].SHA256
	return s
}

// meshes returns PSB12, whose files are named after their class.
func meshes() Set {
	s := Set{Name: "PSB12", Provenance: princeton, missing: "put " + meshFolder +
		", into a folder that $NKF_DATA names; nkf may not pass these meshes on"}
	listed := checksums(meshList)
	names := slices.Sorted(maps.Keys(listed))
	var sums []string
	for _, name := range names {
		sums = append(sums, listed[name])
		s.Files = append(s.Files, File{name, "processed-models/" + path.Base(name), listed[name]})
	}
	s.SHA256 = datasets.Fingerprint(names, sums)
	return s
}

// sums are the checksums of the embedded files. The published folds of the benchmarks were made from them.
var sums = checksums(sumList)

// Lists as sha256sum prints them: of the embedded files, and of 234 meshes of twelve classes.
var (
	//go:embed sha256.txt
	sumList string
	//go:embed psb12.txt
	meshList string
)

// checksums returns what is in a list, by name.
func checksums(list string) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(list) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	return sums
}
