package experiments

import (
	"context"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/published"
)

// Princeton is the benchmark on twelve classes of the Princeton Shape Benchmark: five folds.
var Princeton = meshes("PSB12", func(ctx context.Context) (*mesh.Set, error) {
	files, err := published.Open(ctx, "PSB12")
	if err != nil {
		return nil, err
	}
	return mesh.ReadSet("PSB12", files)
})

// Meshes returns the benchmark on a folder, an archive or a table of meshes: five folds.
func Meshes(path string) Benchmark {
	return meshes("", func(context.Context) (*mesh.Set, error) { return mesh.Open(path) })
}

// LabeledMeshes returns that on their vertices or triangles.
func LabeledMeshes(path string, of mesh.Elements) Benchmark {
	return meshes("", func(context.Context) (*mesh.Set, error) { return mesh.OpenLabeled(path, of) })
}

func meshes(name string, load func(context.Context) (*mesh.Set, error)) Benchmark {
	return Benchmark{
		Name: name, Experiment: "mesh", Split: "folds", Seeds: 1,
		Load: func(ctx context.Context) (*Data, error) {
			s, err := load(ctx)
			if err != nil {
				return nil, err
			}
			return &Data{Name: s.Name, SHA256: s.SHA256, Meshes: s}, nil
		},
	}
}
