package figures

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"html"
	"image/color"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tetrahedron is colored by its vertices, and has an arrow on its first triangle.
func tetrahedron() *Mesh {
	return &Mesh{
		Vertices:  []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		Triangles: []int32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
		Values:    []float64{0, 0, 0, 3}, Smooth: true, Scale: Tint(Blue, 1), View: Front,
		Field: []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, Strength: Strength(1), Longest: 0.5,
	}
}

// sceneData is what a page has.
type sceneData struct {
	Title, Alt string
	View       struct{ Azimuth, Elevation float64 }
	Key        []struct{ Name, Color string }
	Bars       []struct{ Colors []string }
	Panels     []struct {
		Boxes  []any
		Meshes []struct {
			Points, Faces, Values, Normals string
			Colors                         []string
			Low                            [3]float64
			Step, Lift                     float64
			Wide, Shaded, Lines, Flat      bool
		}
	}
}

// unpack reads numbers of a page.
func unpack[T any](t *testing.T, text string, into T) T {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	_, err = binary.Decode(data, binary.LittleEndian, into)
	require.NoError(t, err)
	return into
}

// TestSceneData: what the viewer reads is the mesh.
func TestSceneData(t *testing.T) {
	m := tetrahedron()
	f := Arrange("a <b>", 1, NewPanel("solid", &Box{High: [3]float64{1, 1, 1}, View: Front}, m))
	f.Bars, f.Key = []Bar{{Label: "w", Scale: m.Scale}}, []Key{{Name: "blue", Color: Blue}}
	page := Turnable(f).HTML()
	found := regexp.MustCompile(`data-scene="([^"]*)"`).FindStringSubmatch(page)
	require.NotNil(t, found)
	var data sceneData
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(found[1])), &data))
	require.Equal(t, "a <b>", data.Title)
	require.Equal(t, "a <b>: solid", data.Alt)
	require.EqualValues(t, Front, data.View)
	require.Equal(t, "#0072b2", data.Key[0].Color)
	require.Equal(t, "#0072b2", data.Bars[0].Colors[16])
	require.Len(t, data.Panels[0].Boxes, 1)

	parts := m.parts()
	require.Len(t, data.Panels[0].Meshes, 2, "the surface and its arrows")
	require.Len(t, parts[1].corners, 3, "three triangles of the arrow; there is none where the field is zero")
	for p, part := range parts {
		mesh := data.Panels[0].Meshes[p]
		require.False(t, mesh.Wide)
		require.Equal(t, p == 0, mesh.Shaded)
		require.Equal(t, p == 0, mesh.Lines)
		numbers := unpack(t, mesh.Faces, make([]uint16, 3*len(part.corners)))
		count := int(slices.Max(numbers)) + 1
		points := unpack(t, mesh.Points, make([]uint16, 3*count))
		values := unpack(t, mesh.Values, make([]uint16, count))
		for i, corners := range part.corners {
			for j, corner := range corners {
				v := int(numbers[3*i+j])
				for axis, x := range []float64{corner.X, corner.Y, corner.Z} {
					at := mesh.Low[axis] + mesh.Step*float64(points[3*v+axis])
					require.InDelta(t, x, at, 0.5001*mesh.Step, "the nearest of 65,536 steps")
				}
				require.InDelta(t, part.scale.share(part.values[i][j]), float64(values[v])/65534, 1.0/65534)
			}
		}
	}
	for _, p := range parts[1].corners[0] {
		require.Zero(t, p.Z, "an arrow lies on its triangle")
	}
}

// TestManyPoints: numbers of more than 65,536 points do not fit into 16 bits.
func TestManyPoints(t *testing.T) {
	m := &Mesh{Scale: Tint(Blue, 1), View: Front, Smooth: true}
	for i := range int32(30_000) {
		x := float64(i)
		m.Vertices = append(m.Vertices, x, 0, 0, x, 30_000, 0, x, 0, 30_000)
		m.Triangles = append(m.Triangles, 3*i, 3*i+1, 3*i+2)
		m.Values = append(m.Values, 0, 0, 0)
	}
	data := m.parts()[0].data()
	require.Equal(t, true, data["wide"])
	numbers := unpack(t, data["faces"].(string), make([]uint32, 90_000))
	require.Equal(t, uint32(89_999), numbers[89_999])
}

// TestSceneAsksNothingOfTheNetwork: neither the page nor its program names an address.
func TestSceneAsksNothingOfTheNetwork(t *testing.T) {
	page := Turnable(Arrange("", 1, NewPanel("", tetrahedron()))).HTML()
	require.NotRegexp(t, `https?:|//[a-z]+\.|import|fetch`, page)
	require.Equal(t, 1, strings.Count(page, "</script>"))
	require.Less(t, len(common+sceneProgram), 14_000, "the program is in every output")
}

// TestBrokenScene says what is wrong in place of the figure.
func TestBrokenScene(t *testing.T) {
	m := tetrahedron()
	m.Values = []float64{1, 2, 3} // of fewer triangles
	s := Turnable(Arrange("broken", 1, NewPanel("", m)))
	require.Contains(t, s.HTML(), "<p>figure &#34;broken&#34;: ")
	_, err := s.PNG()
	require.ErrorContains(t, err, "broken")
	m.Values = []float64{1, 2} // of more triangles
	require.Contains(t, s.HTML(), "<p>figure &#34;broken&#34;: ")
	m.Values = []float64{1} // for all
	require.NotContains(t, s.HTML(), "<p>figure")
	m = tetrahedron()
	m.Vertices[0] = 1 / m.Values[0]
	require.Contains(t, Turnable(Arrange("far", 1, NewPanel("", m))).HTML(), "infinite or not a number")
}

// TestInk: layers whose color is not set are drawn in blue.
func TestInk(t *testing.T) {
	draw := func(ink color.NRGBA) string {
		square := []float64{0, 0, 1, 0, 1, 1}
		figure, err := Arrange("", 1, NewPanel("", &Routes{Paths: [][]float64{square}, Color: ink},
			&Complex{Points: square, Edges: []int32{0, 1, 1, 2}, Heads: true, Color: ink})).SVG()
		require.NoError(t, err)
		return string(figure)
	}
	require.Equal(t, draw(Blue), draw(color.NRGBA{}))
}
