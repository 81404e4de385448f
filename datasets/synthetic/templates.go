package synthetic

import (
	"math"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// Templates generates drawings in the unit square of two classes, each of
// which shows one shape several times:
//
//	cycles  circles as closed edge paths that run clockwise
//	stars   rays whose edges point inward, to the center
//
// The centers are uniform in the square. Afterwards the drawing is moved, so
// that its mean vertex is the middle (1/2, 1/2), and shrunk about it where it
// would leave the square.
type Templates struct{}

// NewTemplates returns the set-up: three shapes of 16 edges and radius 0.1
// with uniform noise of at most 0.01 on every coordinate. The paper says three
// shapes; the rest is chosen here.
func NewTemplates() Templates { return Templates{} }

// Of a drawing, and of each of its shapes.
const (
	templateShapes, templateEdges = 3, 16
	templateRadius, templateNoise = 0.1, 0.01
)

// TemplateClasses names the classes of Templates.
var TemplateClasses = []string{"cycles", "stars"}

// Sample returns perClass drawings of each class.
func (t Templates) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	return collect(t, "templates", 2, TemplateClasses, perClass, seed, part)
}

// simplices returns the edges of a drawing. A cycle has as many points as edges,
// a star has its center besides.
func (Templates) simplices(class int) [][]int32 {
	var out []int32
	for shape := range templateShapes {
		for i := range templateEdges {
			if TemplateClasses[class] == "cycles" {
				first := shape * templateEdges
				out = append(out, int32(first+i), int32(first+(i+1)%templateEdges))
			} else {
				center := shape * (templateEdges + 1)
				out = append(out, int32(center+1+i), int32(center))
			}
		}
	}
	return [][]int32{1: out}
}

func (Templates) vertices(r *rand.Rand, class int) []float64 {
	var points []float64
	add := func(x, y float64) {
		points = append(points, x+between(r, -templateNoise, templateNoise),
			y+between(r, -templateNoise, templateNoise))
	}
	for range templateShapes {
		x, y := r.Float64(), r.Float64()
		phase := between(r, 0, 2*math.Pi)
		if TemplateClasses[class] == "stars" {
			add(x, y)
		}
		for i := range templateEdges {
			sin, cos := math.Sincos(phase - 2*math.Pi*float64(i)/float64(templateEdges))
			add(x+templateRadius*cos, y+templateRadius*sin)
		}
	}
	recenter(points)
	return points
}

// recenter moves points in the plane so that their mean is (1/2, 1/2), and
// shrinks them about it into the unit square where they do not fit.
func recenter(points []float64) {
	var mean [2]float64
	for i, v := range points {
		mean[i%2] += v / float64(len(points)/2)
	}
	reach := 0.5
	for i, v := range points {
		reach = math.Max(reach, math.Abs(v-mean[i%2]))
	}
	for i, v := range points {
		points[i] = 0.5 + (v-mean[i%2])*0.5/reach
	}
}
