package laws_test

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	_ "github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// goBackend is the pure Go backend.
func goBackend() compute.Backend {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	return backend
}

// The forms of a layer, with the weights of its store: trained ones would be
// checked in the same way.
func ExampleStokes() {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	s := laws.Subject{
		Backend: goBackend(),
		Store:   store,
		Form: layers.KForm(store.RootScope().In("forms"), 3, 1, 5).Activation(Tanh).
			Quadrature(quadrature.Gauss(6)).Done(),
		Size:      0.1,
		Tolerance: 1e-6,
	}
	fmt.Println(laws.Stokes(s), laws.Closed(s), laws.Padding(s))
	// Output: <nil> <nil> <nil>
}

// The trapezoid rule is not exact for squares.
func ExampleExactness() {
	err := laws.Exactness(quadrature.Trapezoid(2), 1, 2, 1e-9)
	fmt.Println(errors.Is(err, laws.ErrViolated))
	// Output: true
}
