package devices

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Program runs graphs with the variables of a store on one or several devices, as model.Exec does on one. The
// store holds the values of one device; graphs change them equally on all devices.
type Program struct {
	backend compute.Backend
	store   *model.Store
	count   int
	build   func(scope *model.Scope, inputs []*graph.Node) []*graph.Node

	one     *model.Exec                         // on one device; else nil
	many    *graph.Exec                         // on several; else nil
	mu      sync.Mutex                          // guards changed
	changed map[graph.GraphId][]*model.Variable // whose values come before the other outputs
}

// NewProgram returns a program on the first devices of a backend, as many as count. Each device has inputs
// and outputs of its own.
func NewProgram(backend compute.Backend, store *model.Store, count int,
	build func(scope *model.Scope, inputs []*graph.Node) []*graph.Node) (*Program, error) {
	p := &Program{backend: backend, store: store, count: max(1, count), build: build,
		changed: map[graph.GraphId][]*model.Variable{}}
	var err error
	if p.count == 1 {
		if p.one, err = model.NewExec(backend, store, build); err != nil {
			return nil, err
		}
		return p, nil
	}
	if have := backend.NumDevices(); have < p.count {
		return nil, fmt.Errorf("%d devices of a backend that has %d: %s", p.count, have, backend.Name())
	}
	mesh, err := distributed.NewDeviceMesh([]int{p.count}, []string{"batch"})
	if err != nil {
		return nil, err
	}
	if err := prepare(store); err != nil {
		return nil, err
	}
	// GoMLX's model.Exec (v0.28.3) cannot run SPMD programs with variables: it gives parameters a sharding
	// over a mesh that only programs with automatic sharding declare. See layers/backends/upstream.
	if p.many, err = graph.NewExec(backend, p.graph); err != nil {
		return nil, err
	}
	p.many.SPMD(mesh).SetSideParamsHook(p.variables)
	return p, nil
}

// randomPath is the path of the variable with the state of the random numbers.
const randomPath = "/" + model.RNGStateVariableName

// apart is added to the key of the random numbers from one device to the next, so that each draws its own:
// the odd number next to 2⁶⁴ over the golden ratio.
const apart = 0x9e3779b97f4a7c15

// prepare makes a store fit for programs on several devices: it replaces the variable of the random numbers,
// or makes it. GoMLX (v0.28.3) makes one that does not know its store, and follows its nil pointer in every
// program for several devices. See layers/backends/upstream.
func prepare(store *model.Store) error {
	if store.GetVariable(randomPath) == nil {
		if err := store.ResetRNGState(); err != nil {
			return err
		}
	}
	value, err := store.GetVariable(randomPath).Value()
	if err == nil {
		value, err = value.LocalClone()
	}
	if err == nil {
		err = store.DeleteVariable(randomPath)
	}
	if err != nil {
		return err
	}
	store.RootScope().VariableWithValue(model.RNGStateVariableName, value).SetTrainable(false)
	return nil
}

// Finalize frees the compiled graphs.
func (p *Program) Finalize() {
	if p.one != nil {
		p.one.Finalize()
		return
	}
	p.many.Finalize()
}

// Compile compiles the graph for inputs of those shapes on each device.
func (p *Program) Compile(inputs ...shapes.Shape) (*graph.Graph, error) {
	if p.one != nil {
		return p.one.Compile(inputs...)
	}
	var all []shapes.Shape
	for range p.count {
		all = append(all, inputs...)
	}
	return p.many.Compile(all...)
}

// Call runs the graph with the inputs of each device, and returns the outputs of each. It initializes missing
// variables.
func (p *Program) Call(inputs ...[]any) (outputs [][]*tensors.Tensor, err error) {
	if len(inputs) != p.count {
		return nil, fmt.Errorf("inputs for %d devices: want %d", len(inputs), p.count)
	}
	if p.one != nil {
		out, err := p.one.Call(inputs[0]...)
		return [][]*tensors.Tensor{out}, err
	}
	var all []any
	for _, in := range inputs {
		all = append(all, in...)
	}
	running.Lock()
	defer running.Unlock()
	out, g, err := p.many.CallWithGraph(all...)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	changed := p.changed[g.GraphId()]
	p.mu.Unlock()
	each := len(out) / p.count
	for d := range p.count {
		own := out[d*each : (d+1)*each]
		for i, v := range changed {
			if d > 0 {
				err = errors.Join(err, own[i].FinalizeAll())
			} else {
				err = errors.Join(err, v.SetValue(own[i]))
			}
		}
		outputs = append(outputs, own[len(changed):])
	}
	return outputs, err
}

// running is held while a program runs on several devices: they wait for each other, and do so for ever if
// two programs start on them in a different order.
var running sync.Mutex

// graph builds the graph of one device. Values of the variables that it changes come first.
func (p *Program) graph(inputs []*graph.Node) []*graph.Node {
	g := inputs[0].Graph()
	model.SetStore(g, p.store)
	outputs := p.build(p.store.RootScope(), inputs)
	var changed []*model.Variable
	var values []*graph.Node
	for v := range p.store.IterVariables() {
		if v.ChangedInGraph(g) {
			changed, values = append(changed, v), append(values, v.NodeValue(g))
		}
	}
	p.mu.Lock()
	p.changed[g.GraphId()] = changed
	p.mu.Unlock()
	return append(values, outputs...)
}

// variables hands the values of the variables that a graph uses to the devices.
func (p *Program) variables(g *graph.Graph, buffers []compute.Buffer, donate []bool) error {
	// On one device, from which they are copied.
	if err := p.store.InitializeVariables(p.backend, nil); err != nil {
		return err
	}
	for v := range p.store.IterVariables() {
		parameter := g.GetParameterByName(v.Path())
		if parameter == nil {
			continue
		}
		value, err := v.Value()
		if err != nil {
			return err
		}
		for d := range p.count {
			device := compute.DeviceNum(d)
			copied, err := value.OnDeviceClone(p.backend, device)
			if err == nil && v.Path() == randomPath {
				err = tensors.MutableFlatData(copied, func(state []uint64) { state[0] += uint64(d) * apart })
			}
			if err != nil {
				return fmt.Errorf("variable %s on device %d: %w", v.Path(), d, err)
			}
			at := d*g.NumParameters() + int(parameter.GetParameterHandle())
			if buffers[at], err = copied.DonateBuffer(p.backend, device); err != nil {
				return err
			}
			donate[at] = true
		}
	}
	return nil
}
