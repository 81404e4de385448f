package mesh

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// columns returns the number of coordinates of a node: integrals, eigenfunctions and the area.
func (e Encoder) columns() int {
	if e.Nodes > 0 && !e.Labels.labeled() {
		return heatIntegrals + spaceIntegrals + e.Heat + 1
	}
	return heatIntegrals + e.Heat + 1
}

// rows returns the coordinates of nodes.
func (h *Heat) rows() []float32 {
	columns := (len(h.Integrals)+len(h.space)+len(h.Vectors))/max(1, len(h.Areas)) + 1
	rows := make([]float32, 0, len(h.Areas)*columns)
	for n := range h.Areas {
		rows = h.row(rows, n, 1)
	}
	return rows
}

// row appends the coordinates of a node, with a share of its area.
func (h *Heat) row(rows []float32, n int, share float64) []float32 {
	k := len(h.Values)
	rows = append(rows, packing.Round(h.Integrals[n*heatIntegrals:(n+1)*heatIntegrals])...)
	if len(h.space) > 0 {
		rows = append(rows, packing.Round(h.space[n*spaceIntegrals:(n+1)*spaceIntegrals])...)
	}
	rows = append(rows, packing.Round(h.Vectors[n*k:(n+1)*k])...)
	return append(rows, float32(h.Areas[n]*share))
}

// rowsOfVertices returns the coordinates of the node of every vertex of the mesh, with equal shares of its
// area; zeros for vertices without area.
func (h *Heat) rowsOfVertices() []float32 {
	members := make([]float64, len(h.Areas)+1)
	for _, n := range h.of {
		members[n+1]++
	}
	columns := heatIntegrals + len(h.Values) + 1
	rows := make([]float32, 0, len(h.of)*columns)
	for _, n := range h.of {
		if n < 0 {
			rows = append(rows, make([]float32, columns)...)
			continue
		}
		rows = h.row(rows, int(n), 1/members[n+1])
	}
	return rows
}

// encodeHeat returns the surfaces of a set as a collection. Of meshes whose vertices or faces have labels it
// reads coordinates when they are needed, if they are kept, see [Keep].
func (e Encoder) encodeHeat(s *Set) (*datasets.Collection, error) {
	surfaces, err := e.surfaces(s)
	if err != nil {
		return nil, err
	}
	b := datasets.NewBuilder(e.columns())
	b.Info = s.Info
	b.Features = "heat"
	b.Rows = func(g int) ([]float32, error) { return surfaces[g].read(e.columns()) }
	for i, h := range surfaces {
		b.AddRows(h.count, nil, s.Targets[i]...)
		b.SetGlobals(h.values)
		e.addLabels(b, s, i, 0)
	}
	c, err := b.Collection()
	if err != nil || e.Labels.labeled() {
		return c, err
	}
	return c.Part(c.IDs(), 0, nil)
}

// heated is what [Encoder.Heat] makes of a mesh.
type heated struct {
	values []float64 // [K]: eigenvalues
	count  int       // of rows
	rows   []float32 // [count, columns]; nil where a file has them
	path   string    // of the file
}

// surfaces returns those of a set, several side by side.
func (e Encoder) surfaces(s *Set) ([]*heated, error) {
	out := make([]*heated, len(s.Meshes))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range s.Meshes {
		work.Go(func() (err error) {
			if out[i], err = e.kept(m); err != nil {
				return fmt.Errorf("mesh %d: %w", i, err)
			}
			return nil
		})
	}
	return out, work.Wait()
}

// heatTriangles is the most triangles of a mesh that is taken as it is: a basis of more takes long, and its
// integrals are nearly those of the mesh decimated to as many.
const heatTriangles = 50_000

// surface computes what an encoder makes of a mesh.
func (e Encoder) surface(m *Mesh) (*heated, error) {
	var h *Heat
	var rows []float32
	var err error
	switch e.Labels {
	case Vertices:
		if h, err = m.Heat(e.Heat, 0); err == nil {
			rows = h.rowsOfVertices()
		}
	case Faces:
		if h, err = m.heatOfFaces(e.Heat); err == nil && len(h.Areas) == 0 {
			rows = make([]float32, len(m.Triangles)/3*e.columns())
		} else if err == nil {
			rows = h.rows()
		}
	default:
		if len(m.Triangles) > 3*heatTriangles {
			welded, _ := m.welded()
			m = welded.Decimate(heatTriangles)
		}
		if h, err = m.Heat(e.Heat, e.Nodes); err == nil {
			rows = h.rows()
		}
	}
	if err != nil {
		return nil, err
	}
	return &heated{values: h.Values, rows: rows, count: len(rows) / e.columns()}, nil
}

var keep atomic.Pointer[string]

// Keep makes encoders store what they compute of meshes for [Encoder.Heat] in a folder, in files named
// after the content of the mesh, and read it from there. The folder may be deleted when no collection of
// an encoder is in use.
func Keep(folder string) { keep.Store(&folder) }

// heatFormat changes with whatever changes the result of Heat or the file: the numbers of eigenvalues and
// rows, 32 bits each, then both as float64 and float32, all in little endian.
const heatFormat = "nkf heat 9"

// kept returns the surface of a mesh from the folder of [Keep], or computes it and puts it there. A file that
// cannot be read or written costs time alone.
func (e Encoder) kept(m *Mesh) (*heated, error) {
	folder := keep.Load()
	if folder == nil {
		return e.surface(m)
	}
	hash := sha256.New()
	fmt.Fprintln(hash, heatFormat, e.Heat, e.Nodes, e.Labels.labeled(), len(m.Vertices), len(m.Triangles))
	_ = binary.Write(hash, binary.LittleEndian, m.Vertices) // which never fails
	_ = binary.Write(hash, binary.LittleEndian, m.Triangles)
	if e.Labels == Faces {
		fmt.Fprintln(hash, "faces")
	}
	path := filepath.Join(*folder, hex.EncodeToString(hash.Sum(nil)))
	if s := readSurface(path, e.Heat, e.columns()); s != nil {
		return s, nil
	}
	s, err := e.surface(m)
	if err == nil && fileio.Write(path, 0o666, s.write) == nil {
		s.rows, s.path = nil, path
	}
	return s, err
}

// write writes the file.
func (s *heated) write(w io.Writer) error {
	sizes := []uint32{uint32(len(s.values)), uint32(s.count)}
	for _, part := range []any{sizes, s.values, s.rows} {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}

// readSurface returns the surface of k eigenvalues in a file, without its rows; nil if there is none.
func readSurface(path string, k, columns int) *heated {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	s := &heated{values: make([]float64, k), path: path}
	var sizes [2]uint32
	info, err := file.Stat()
	if err != nil || binary.Read(file, binary.LittleEndian, &sizes) != nil || int(sizes[0]) != k ||
		binary.Read(file, binary.LittleEndian, s.values) != nil {
		return nil
	}
	if s.count = int(sizes[1]); info.Size() != int64(s.start()+4*s.count*columns) {
		return nil
	}
	return s
}

// start returns where rows begin in the file.
func (s *heated) start() int { return 2*4 + 8*len(s.values) }

// read returns the rows.
func (s *heated) read(columns int) ([]float32, error) {
	if s.rows != nil || s.count == 0 {
		return s.rows, nil
	}
	data, err := os.ReadFile(s.path)
	if want := s.start() + 4*s.count*columns; err == nil && len(data) != want {
		err = fmt.Errorf("%s has %d bytes, not %d: it was changed", s.path, len(data), want)
	}
	if err != nil {
		return nil, err
	}
	rows := make([]float32, s.count*columns)
	for i := range rows {
		rows[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[s.start()+4*i:]))
	}
	return rows, nil
}
