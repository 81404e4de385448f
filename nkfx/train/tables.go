package train

import (
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Tables of batches are used again, for speed alone: that of an epoch may have
// tens of megabytes. Without them every segment would make its own.

// tables are those that no training uses at the moment.
type tables struct {
	mu   sync.Mutex
	free map[key][]*tensors.Tensor
}

// borrow returns a table for the batches of a program, [rows, width]. It lies
// where the device reads it, if that can be.
func (t *tables) borrow(backend compute.Backend, k key) (*tensors.Tensor, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if free := t.free[k]; len(free) > 0 {
		t.free[k] = free[:len(free)-1]
		return free[len(free)-1], nil
	}
	table := tensors.FromShape(shapes.Make(dtypes.Int32, k.rows, k.layout.Width()))
	return table, table.MaterializeOnDevice(backend, true, 0)
}

// giveBack takes a table that was borrowed.
func (t *tables) giveBack(k key, table *tensors.Tensor) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.free == nil {
		t.free = map[key][]*tensors.Tensor{}
	}
	t.free[k] = append(t.free[k], table)
}

// close frees the tables.
func (t *tables) close() {
	for _, free := range t.free {
		for _, table := range free {
			table.MustFinalizeAll()
		}
	}
}
