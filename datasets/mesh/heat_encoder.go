package mesh

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
)

// rows returns the coordinates of nodes, or of a node for every vertex of the mesh.
func (h *Heat) rows(vertices bool) []float64 {
	k := len(h.Values)
	rows := make([]float64, 0, len(h.Areas)*(HeatIntegrals+k+1))
	row := func(n int32, share float64) {
		if n < 0 { // of a mesh without area
			rows = append(rows, make([]float64, HeatIntegrals+k+1)...)
			return
		}
		rows = append(rows, h.Integrals[int(n)*HeatIntegrals:int(n+1)*HeatIntegrals]...)
		rows = append(append(rows, h.Vectors[int(n)*k:int(n+1)*k]...), h.Areas[n]/share)
	}
	if vertices {
		members := make([]float64, len(h.Areas)+1)
		for _, n := range h.Of {
			members[n+1]++
		}
		for _, n := range h.Of {
			row(n, members[n+1])
		}
	} else {
		for n := range h.Areas {
			row(int32(n), 1)
		}
	}
	return rows
}

// checkHeat is Check of what heat goes with.
func (e Encoder) checkHeat() error {
	others := e.Points > 0 || e.Descriptor != "" || e.Faces || e.Invariants
	if e.Heat < 0 || e.Heat > 1<<10 || e.Heat > 0 && others {
		return fmt.Errorf("no such encoder of meshes: %+v", e)
	}
	return nil
}

// encodeHeat returns the surfaces of a set as a collection.
func (e Encoder) encodeHeat(s *Set) (*datasets.Collection, error) {
	surfaces, err := e.heat(s)
	if err != nil {
		return nil, err
	}
	b := datasets.NewBuilder(HeatIntegrals + e.Heat + 1)
	b.Info = s.Info
	b.Features = "heat"
	for i, h := range surfaces {
		var simplices [][]int32
		if e.Labels == Faces {
			simplices = [][]int32{2: s.Meshes[i].Triangles}
		}
		b.Add(h.rows(e.Labels.labeled()), simplices, s.Targets[i]...)
		b.SetGlobals(h.Values)
		e.addLabels(b, s, i)
	}
	return b.Collection()
}

// heat returns the surfaces of a set, several side by side.
func (e Encoder) heat(s *Set) ([]*Heat, error) {
	out := make([]*Heat, len(s.Meshes))
	nodes := e.Vertices
	if e.Labels.labeled() {
		nodes = 0
	}
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range s.Meshes {
		work.Go(func() (err error) {
			if out[i], err = m.kept(e.Heat, nodes); err != nil {
				return fmt.Errorf("mesh %d: %w", i, err)
			}
			return nil
		})
	}
	return out, work.Wait()
}

var keep atomic.Pointer[string]

// Keep makes encoders store the results of [Encoder.Heat] in a folder, in files named after the content of
// the mesh, and read them from there. The folder may be deleted at any time.
func Keep(folder string) { keep.Store(&folder) }

// heatFormat changes with whatever changes the result of Heat.
const heatFormat = "nkf heat 1"

// kept returns m.Heat(k, nodes) from the folder of Keep, or computes it and puts it there. A file that cannot
// be read or written costs time alone.
func (m *Mesh) kept(k, nodes int) (*Heat, error) {
	folder := keep.Load()
	if folder == nil {
		return m.Heat(k, nodes)
	}
	hash := sha256.New()
	fmt.Fprintln(hash, heatFormat, k, nodes, len(m.Vertices), len(m.Triangles))
	_ = binary.Write(hash, binary.LittleEndian, m.Vertices) // which never fails
	_ = binary.Write(hash, binary.LittleEndian, m.Triangles)
	path := filepath.Join(*folder, hex.EncodeToString(hash.Sum(nil)))
	h := &Heat{}
	if data, err := os.ReadFile(path); err == nil && gob.NewDecoder(bytes.NewReader(data)).Decode(h) == nil &&
		len(h.Values) == k && len(h.Of) == len(m.Vertices)/3 && len(h.Vectors) == len(h.Areas)*k &&
		len(h.Integrals) == len(h.Areas)*HeatIntegrals {
		return h, nil
	}
	h, err := m.Heat(k, nodes)
	if err == nil {
		_ = datasets.WriteFile(path, 0o666, func(w io.Writer) error { return gob.NewEncoder(w).Encode(h) })
	}
	return h, err
}
