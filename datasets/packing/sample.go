package packing

import (
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// Repeats reports whether the packer has numbered what repeats itself: [Distinct] has not where a sample
// hardly did.
func (p *Packer) Repeats() bool { return p.distinct != nil }

// maxSample and maxVertices are the numbers of complexes, and of vertices of few complexes, among which
// repetitions are looked for before they are in all.
const maxSample, maxVertices = 1024, 1 << 16

// repeated reports whether vertices repeat themselves in a random sample, and whether at most the given share
// of its simplices is distinct. A batch, which is smaller, has a greater share.
func repeated(c *datasets.Collection, share float64) (vertices, simplices bool) {
	b, ids := datasets.NewBuilder(c.Dim), c.IDs()
	datasets.NewRandom(0).Shuffle(ids)
	for _, g := range ids[:maxSample] {
		corners := make([][]int32, len(c.Simplices))
		for k := 1; k < len(corners); k++ {
			corners[k] = c.Corners(k, int(g))
		}
		b.Add(c.Points(int(g)), corners)
	}
	sample, err := b.Collection()
	if err != nil { // it is that of all, whose users report it
		return true, true
	}
	d, all, distinct := Distinct(sample, share).distinct, 0, 0
	for k := range d.simplices {
		all, distinct = all+len(d.simplices[k].of), distinct+len(d.simplices[k].corners)/(k+1)
	}
	return d.repeatedIn(sample), float64(distinct) <= share*float64(all)
}

// repeatedVertices reports whether vertices repeat themselves in a random sample of the count vertices of few
// complexes.
func repeatedVertices(c *datasets.Collection, count int) bool {
	sample := &datasets.Collection{Dim: c.Dim, Vertices: c.Vertices}
	random, each := rand.New(rand.NewPCG(0, 0)), count/maxVertices
	for v := 0; v+each <= count; v += each {
		sample.Rows = append(sample.Rows, int32(rowOf(c, v+random.IntN(each))))
	}
	d := &distinct{}
	d.numberVertices(sample)
	return d.repeatedIn(sample)
}

// repeatedIn reports whether at least a tenth of the vertices of a collection are like others.
func (d *distinct) repeatedIn(c *datasets.Collection) bool {
	return 10*len(d.coordinates) < 9*c.Dim*len(d.vertex)
}
