package experiments

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/published"
)

// rnaFolder is the name of a clone of the RNA surfaces of Poulenard, Rakotosaona, Ponty and Ovsjanikov
// (Effective rotation-invariant point CNN with spherical harmonics kernels, 2019), with the split that is
// recommended there.
const rnaFolder = "RNA-Surface-Segmentation-Dataset"

// rna returns the benchmarks on RNA surfaces, whose vertices have classes: all 683, and twelve that are
// coarsened and part of the program.
func rna() []Benchmark {
	own := func(name string, load func(context.Context) (datasets.Source, error)) Benchmark {
		b := Own("meshes").on(load)
		b.Name, b.Experiment, b.Split = name, "rna", defaultSplit
		return b
	}
	return []Benchmark{
		own("RNA", func(context.Context) (datasets.Source, error) {
			place := filepath.Join(os.Getenv("NKF_DATA"), rnaFolder)
			if _, err := os.Stat(place); err != nil || os.Getenv("NKF_DATA") == "" {
				return nil, fmt.Errorf("RNA: %w: put a clone of github.com/nmwsharp/%s into a folder that "+
					"$NKF_DATA names", fs.ErrNotExist, rnaFolder)
			}
			s, err := mesh.Reading{Learn: mesh.Vertices, Negative: true}.Open(place)
			if err == nil {
				s.Name = "RNA"
			}
			return s, err
		}),
		own("RNA12", func(ctx context.Context) (datasets.Source, error) {
			files, err := published.Open(ctx, "RNA12")
			if err != nil {
				return nil, err
			}
			return mesh.ReadSet("RNA12", mesh.Vertices, files)
		}),
	}
}
