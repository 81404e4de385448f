package saved

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/nkfx/internal/outputs"
)

// Weights are the values of variables that a model predicts with.
type Weights []Weight

// Weight is the value of a variable.
type Weight struct {
	Path string `json:"path"`
	Dims []int  `json:"dims"`
	Data []byte `json:"data"` // float32, little endian; base64 in JSON
}

// Of returns the variables of a store, without those of training that are not float32: counters of steps and
// the state of random numbers. It is an error if another is not float32.
func Of(store *model.Store) (out Weights, err error) {
	for v := range store.IterVariables() {
		if !v.Trainable && v.DType() != dtypes.Float32 {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path(), err)
		}
		values, err := tensors.CopyFlatData[float32](value)
		if err != nil {
			return nil, fmt.Errorf("variable %s is of %v: only float32 can be kept", v.Path(), v.DType())
		}
		data, err := binary.Append(nil, binary.LittleEndian, values)
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path(), err)
		}
		out = append(out, Weight{v.Path(), slices.Clone(v.Shape().Dimensions), data})
	}
	return out, nil
}

// Store returns the weights as variables of GoMLX.
func (w Weights) Store() (*model.Store, error) {
	store := model.NewStore()
	for _, v := range w {
		values := make([]float32, len(v.Data)/4)
		if err := binary.Read(bytes.NewReader(v.Data), binary.LittleEndian, values); err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path, err)
		}
		_, err := store.Scope(path.Dir(v.Path)).
			CreateVariable(path.Base(v.Path), tensors.FromFlatDataAndDimensions(values, v.Dims...))
		if err != nil {
			return nil, fmt.Errorf("weights of variable %s: %w", v.Path, err)
		}
	}
	return store, nil
}

// Check returns an error for a variable without a name, of another size than its data, or with a value that
// is not finite, and for two of one name.
func (w Weights) Check() error {
	seen := make(map[string]bool, len(w))
	for _, v := range w {
		if err := v.check(); err != nil {
			return err
		}
		if seen[v.Path] {
			return fmt.Errorf("weights: the variable %q occurs twice", v.Path)
		}
		seen[v.Path] = true
	}
	return nil
}

// check is Check of one.
func (w Weight) check() error {
	if !path.IsAbs(w.Path) || path.Clean(w.Path) != w.Path || path.Base(w.Path) == "/" {
		return fmt.Errorf("weights: %q is not the name of a variable", w.Path)
	}
	size := 4
	for _, d := range w.Dims {
		if d < 1 || d > len(w.Data) {
			size = -1
			break
		}
		size = min(size*d, len(w.Data)+1) // no overflow
	}
	if size != len(w.Data) {
		return fmt.Errorf("weights: the variable %q has the shape %v and %d bytes", w.Path, w.Dims,
			len(w.Data))
	}
	for i := 0; i < len(w.Data); i += 4 {
		if x := math.Float32frombits(binary.LittleEndian.Uint32(w.Data[i:])); outputs.NotFinite(x) {
			return fmt.Errorf("weights: number %d of the variable %q is %v", i/4, w.Path, x)
		}
	}
	return nil
}
