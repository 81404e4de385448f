package mesh

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rotation returns the rows of a rotation at random.
func rotation(r *rand.Rand) [3]vector {
	var a, b vector
	for i := range 3 {
		a[i], b[i] = r.NormFloat64(), r.NormFloat64()
	}
	a = a.scale(1 / a.norm())
	b = b.sub(a.scale(a.dot(b)))
	b = b.scale(1 / b.norm())
	return [3]vector{a, b, a.cross(b)}
}

// spatially puts corners of the plane into space: turned, scaled and shifted.
func spatially(r *rand.Rand, corners [][2]float64, scale, shift float64) (points []vector) {
	turn := rotation(r)
	for _, x := range corners {
		p := vector{x[0], x[1], 0}
		p = vector{turn[0].dot(p), turn[1].dot(p), turn[2].dot(p)}.scale(scale)
		points = append(points, p.add(vector{shift, -shift, shift}))
	}
	return points
}

// asFiles returns a polygon as files with vertices before and after it.
func asFiles(points []vector) map[string]string {
	vertices, off, obj := "", fmt.Sprint(len(points)), "f"
	for i, p := range points {
		vertices += fmt.Sprintf("v %v %v %v\n", p[0], p[1], p[2])
		off, obj = fmt.Sprint(off, " ", i), fmt.Sprint(obj, " ", i+1)
	}
	numbers := strings.ReplaceAll(vertices, "v ", "")
	return map[string]string{
		"a.off":         fmt.Sprintf("OFF\n%d 1 0\n%s%s\n", len(points), numbers, off),
		"faces 1st.obj": obj + "\n" + vertices,
	}
}

// parsePolygon reads a polygon as OFF.
func parsePolygon(points []vector) (*Mesh, error) {
	return parse([]byte(asFiles(points)["a.off"]), "a.off")
}

// shoelace returns the area of a polygon of the plane.
func shoelace(x [][2]float64) (area float64) {
	for i, p := range x {
		q := x[(i+1)%len(x)]
		area += (p[0]*q[1] - p[1]*q[0]) / 2
	}
	return math.Abs(area)
}

// TestConcave cuts polygons that no fan covers: their area is that of the shoelace formula, from whichever
// corner the polygon begins, in either direction, wherever it lies, in every format.
func TestConcave(t *testing.T) {
	comb := [][2]float64{{0, 0}, {9, 0}}
	for i := range 9 {
		comb = append(comb, [2]float64{9 - float64(i), 5}, [2]float64{8.5 - float64(i), 1})
	}
	spiral := [][2]float64{}
	for i := range 60 {
		a := float64(i) / 4
		spiral = append(spiral, [2]float64{(1 + a) * math.Cos(a), (1 + a) * math.Sin(a)})
	}
	for i := 59; i >= 0; i-- {
		a := float64(i) / 4
		spiral = append(spiral, [2]float64{(0.2 + a) * math.Cos(a), (0.2 + a) * math.Sin(a)})
	}
	r := rand.New(rand.NewPCG(31, 5))
	for name, polygon := range map[string][][2]float64{
		"arrow":           {{0, 0}, {2, -1}, {1, 0}, {2, 1}}, // area 1, and 3 as a fan of other corners
		"L":               {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
		"comb":            comb,
		"spiral":          spiral,
		"corners on side": {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {1.5, 1}, {0, 1}, {0, .5}},
		"a corner twice":  {{0, 0}, {2, 0}, {2, 0}, {1, .5}, {2, 2}},
		"a hole by a bridge": {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1},
			{1, 1}},
		"a spike":      {{0, 0}, {2, 0}, {3, 0}, {2, 0}, {2, 2}, {0, 2}},
		"narrow":       {{0, 0}, {1, 1e-4}, {2, 0}, {1, 2e-4}},
		"convex":       {{0, 0}, {1, 0}, {1.5, 1}, {1, 2}, {0, 2}},
		"without area": {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {1, 1}},
	} {
		want := shoelace(polygon)
		for turn := range polygon {
			turned := append(append([][2]float64{}, polygon[turn:]...), polygon[:turn]...)
			if turn%2 == 1 {
				for i := range len(turned) / 2 {
					turned[i], turned[len(turned)-1-i] = turned[len(turned)-1-i], turned[i]
				}
			}
			scale := math.Pow(10, float64(turn%7-3))
			points := spatially(r, turned, scale, 100*scale)
			for file, text := range asFiles(points) {
				m, err := parse([]byte(text), file)
				require.NoError(t, err, "%s from corner %d, %s", name, turn, file)
				area, _ := m.Area()
				// Corners within 1e-6 of a line count as on it.
				require.InDelta(t, want, area/scale/scale, 1e-5, "%s from corner %d, %s", name, turn, file)
				require.Len(t, m.Triangles, 3*(len(polygon)-2))
				require.Zero(t, m.left)
			}
		}
	}
}

// simple reports whether no two sides of a polygon of integers have a point in common but the corner that
// neighbors share, exactly.
func simple(x [][2]float64) bool {
	n := len(x)
	turn := func(a, b, c [2]float64) int {
		return cmp.Compare((b[0]-a[0])*(c[1]-a[1]), (b[1]-a[1])*(c[0]-a[0]))
	}
	within := func(a, b, c [2]float64) bool { // of c on the line ab
		return min(a[0], b[0]) <= c[0] && c[0] <= max(a[0], b[0]) && min(a[1], b[1]) <= c[1] &&
			c[1] <= max(a[1], b[1])
	}
	for i := range n {
		a, b := x[i], x[(i+1)%n]
		for j := range n {
			c, d := x[j], x[(j+1)%n]
			switch {
			case i == j:
			case (i+1)%n == j: // they share b = c
				if a == b || turn(a, b, d) == 0 && (b[0]-a[0])*(d[0]-c[0])+(b[1]-a[1])*(d[1]-c[1]) <= 0 {
					return false
				}
			case (j+1)%n == i:
			case turn(a, b, c)*turn(a, b, d) < 0 && turn(c, d, a)*turn(c, d, b) < 0,
				turn(a, b, c) == 0 && within(a, b, c), turn(a, b, d) == 0 && within(a, b, d):
				return false
			}
		}
	}
	return true
}

// TestAnyPolygon cuts random polygons of a small grid, where corners often lie on sides and coincide: simple
// ones are all cut, and whatever is cut has its area, without triangles of the other orientation.
func TestAnyPolygon(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 8))
	cut, crossing, proper := 0, 0, 0
	for range 3_000 {
		var polygon [][2]float64
		for range 4 + r.IntN(6) {
			polygon = append(polygon, [2]float64{float64(r.IntN(5)), float64(r.IntN(5))})
		}
		var points []vector
		for _, x := range polygon {
			points = append(points, vector{x[0], x[1], 7})
		}
		m := must(parsePolygon(points))
		if simple(polygon) {
			proper++
			require.Zero(t, m.left, polygon)
		}
		if m.left.crossing > 0 {
			crossing++
			continue
		}
		cut++
		area, _ := m.Area()
		require.InDelta(t, shoelace(polygon), area, 1e-9, polygon)
	}
	t.Logf("%d cut, %d of them simple; %d cross themselves", cut, proper, crossing)
	require.Greater(t, proper, 180)
}

// TestCrossing: polygons that cross themselves become fans, and are counted, as those that are not planar.
func TestCrossing(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	star := [][2]float64{}
	for i := range 5 {
		a := 4 * math.Pi * float64(i) / 5
		star = append(star, [2]float64{math.Cos(a), math.Sin(a)})
	}
	for name, polygon := range map[string][][2]float64{
		"bow tie":            {{0, 0}, {1, 1}, {1, 0}, {0, 1}},
		"unequal bow tie":    {{0, 0}, {1, 1}, {1, 0}, {0, 2}},
		"crosses at corners": {{0, 0}, {1, 1}, {2, 3}, {2, 0}, {1, 1}, {0, 2}},
		"star":               star,
	} {
		for file, text := range asFiles(spatially(r, polygon, 1, 0)) {
			m := must(parse([]byte(text), file))
			require.Equal(t, left{crossing: 1}, m.left, name)
			var triangles []int32
			for i := int32(2); int(i) < len(polygon); i++ {
				triangles = append(triangles, 0, i-1, i)
			}
			require.Equal(t, triangles, m.Triangles, name)
		}
	}
	for file, text := range asFiles([]vector{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.01}}) {
		m := must(parse([]byte(text), file))
		require.Equal(t, left{nonplanar: 1}, m.left, file)
		require.Equal(t, m.left.notes(), m.Inspect().Notes)
	}
}

// TestManyCorners: a convex polygon has as many corners as it likes, another no more than can be cut soon.
func TestManyCorners(t *testing.T) {
	for _, n := range []int{1000, 1500} {
		var round, saw [][2]float64
		for i := range n {
			a, radius := 2*math.Pi*float64(i)/float64(n), 1-0.5*float64(i%2)
			round = append(round, [2]float64{math.Cos(a), math.Sin(a)})
			saw = append(saw, [2]float64{radius * math.Cos(a), radius * math.Sin(a)})
		}
		r := rand.New(rand.NewPCG(1, 1))
		must(parsePolygon(spatially(r, round, 1, 0)))
		if _, err := parsePolygon(spatially(r, saw, 1, 0)); n == 1000 {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "a.off, line 1503: a polygon of 1500 corners is more")
		}
	}
}

// TestFarCoordinates refuses coordinates of which measures overflow, and measures those that are left.
func TestFarCoordinates(t *testing.T) {
	for _, x := range []string{"1e308", "-1e31", "1e30"} {
		triangle := "0 0 0\n" + x + " 0 0\n0 " + x + " 1\n"
		m, err := parse([]byte("OFF\n3 1 0\n"+triangle+"3 0 1 2\n"), "a.off")
		if x != "1e30" {
			require.ErrorContains(t, err, "a.off, line 4: the vertex (")
			require.ErrorContains(t, err, "scale the mesh")
			continue
		}
		require.NoError(t, err)
		area, centroid := m.Area()
		require.InEpsilon(t, 5e59, area, 1e-12)
		require.InEpsilon(t, 1e30/3, centroid[0], 1e-12)
		volume, _ := m.Volume()
		require.False(t, math.IsInf(volume, 0) || math.IsNaN(volume))
	}
}

// TestHandMade: an invalid mesh is neither written nor encoded.
func TestHandMade(t *testing.T) {
	triangle := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}
	for want, m := range map[string]*Mesh{
		"triangle 0 of a mesh: vertex number 7, but there are 3": {Vertices: triangle,
			Triangles: []int32{0, 1, 7}},
		"vertex number -1":                {Vertices: triangle, Triangles: []int32{0, -1, 2}},
		"with 9 coordinates and 2 corner": {Vertices: triangle, Triangles: []int32{0, 1}},
		"with 8 coordinates":              {Vertices: triangle[1:], Triangles: []int32{0, 1, 1}},
		"coordinate NaN is not within":    {Vertices: []float64{0, 0, math.NaN()}},
		"coordinate 1e+300 is not within": {Vertices: []float64{0, 0, 1e300}},
	} {
		require.ErrorContains(t, m.Validate(), want)
		require.ErrorContains(t, m.Write(filepath.Join(t.TempDir(), "a.off")), want)
		set := &Set{Meshes: []*Mesh{m}, Targets: [][]float64{{}}}
		_, err := must(set.Encoder("", nil)).Encode(set)
		require.ErrorContains(t, err, want)
	}
}

// TestPacked stops at packed files that unpack to far more than a mesh does, or to
// vertices that are all the same, before they fill the memory.
func TestPacked(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"zeros.off":  {"OFF\n200000 0 0\n" + strings.Repeat("0 0 0\n", 160_000), "16 times the memory of"},
		"blanks.off": {"OFF\n1 0\n" + strings.Repeat("\n", 6e6), "100 times its size"},
		// 100,000 triangles at one point.
		"bomb.stl": {strings.Repeat("\x00", 80) + "\xa0\x86\x01" + strings.Repeat("\x00", 5_000_001),
			"100 times its size"},
	} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".gz"), pack(t, []byte(c.text)), 0o666))
		_, err := Read(filepath.Join(folder, name+".gz"))
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, name+".gz")
		_, err = Open(folder)
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, folder+": "+name+".gz")
	}
}
