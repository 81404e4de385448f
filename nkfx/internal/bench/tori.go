package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
)

// tori returns a number of tori in R³ of six classes. Those of class b have b+1 bumps around the hole;
// radii, heights and the number of vertices are drawn.
func tori(count int) *mesh.Set {
	const classes = 6
	rng := rand.New(rand.NewPCG(1, 1))
	s := &mesh.Set{Info: datasets.Info{Name: "tori"}}
	for c := range classes {
		s.Classes = append(s.Classes, fmt.Sprintf("%d bumps", c+1))
	}
	for i := range count {
		s.Files = append(s.Files, fmt.Sprintf("torus %d", i))
		s.Meshes = append(s.Meshes, torus(rng, float64(i%classes+1)))
		s.Targets = append(s.Targets, []float64{float64(i % classes)})
	}
	return s
}

// torus returns a torus of 20 to 24 by 12 vertices whose tube swells and shrinks that many times.
func torus(rng *rand.Rand, bumps float64) *mesh.Mesh {
	around := 20 + rng.IntN(5)
	radius, height, phase := 0.3+0.1*rng.Float64(), 0.2+0.2*rng.Float64(), 2*math.Pi*rng.Float64()
	return mesh.Torus(around, 12, func(u, v float64) (x, y, z float64) {
		tube := radius * (1 + height*math.Sin(bumps*u+phase))
		r := 1 + tube*math.Cos(v)
		return r * math.Cos(u), r * math.Sin(u), tube * math.Sin(v)
	})
}
