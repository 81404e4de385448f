package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// training is what nkf and peers train: the first fold of a benchmark, as `nkf run` does it.
type training struct {
	task   train.Task
	model  models.Model
	folder string         // of the arrays that peers read
	arrays map[string]any // by name: file, type and shape
}

// endless is a number of epochs that no race comes to.
const endless = 1 << 30

// newTraining loads the data of a case and writes them for peers to read.
func newTraining(ctx context.Context, c Case) (*training, error) {
	benchmark := Shapes
	if c.Dataset != Shapes.Name {
		var err error
		if benchmark, err = experiments.Lookup(c.Dataset); err != nil {
			return nil, err
		}
	}
	x := experiments.NewRun(benchmark, c.Model)
	prepared, err := x.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	t := &training{task: prepared.Task(), arrays: map[string]any{}}
	if t.model, err = models.Lookup(c.Model, benchmark.Size); err != nil {
		return nil, err
	}
	t.task.Folds, t.task.Seeds, t.task.Workers = t.task.Folds[:1], t.task.Seeds[:1], 1
	p := &t.task.Protocol
	// Nothing but training: the validation part is looked at after the first epoch and never again.
	p.Epochs, p.Validate, p.StopPatience = endless, endless, endless
	if t.folder, err = os.MkdirTemp("", "nkf-epochs"); err != nil {
		return nil, err
	}
	if err := t.export(); err != nil {
		t.free()
		return nil, err
	}
	return t, nil
}

// free removes the arrays.
func (t *training) free() { _ = os.RemoveAll(t.folder) }

// request returns what peers are asked for.
func (t *training) request() map[string]any {
	return map[string]any{"model": t.model, "protocol": t.task.Protocol, "outputs": t.task.Data.Outputs(),
		"arrays": t.arrays}
}

// export writes the collection as arrays of little-endian numbers.
func (t *training) export() (err error) {
	data := t.task.Data
	write := func(name string, values any, kind string, shape ...int) {
		if err != nil {
			return
		}
		var out bytes.Buffer
		path := filepath.Join(t.folder, name)
		t.arrays[name] = map[string]any{"file": path, "type": kind, "shape": shape}
		if err = binary.Write(&out, binary.LittleEndian, values); err == nil {
			err = os.WriteFile(path, out.Bytes(), 0o666)
		}
	}
	const float, integer = "<f4", "<i4"
	write("vertices", data.Vertices, float, -1, data.Dim)
	write("labels", data.Labels, integer, -1)
	write("train", t.task.Folds[0].Train, integer, -1)
	write("start0", data.VertexStart, integer, -1)
	if data.Globals != nil {
		write("globals", data.Globals, float, -1, data.GlobalWidth)
	}
	for k, s := range data.Simplices {
		if k > 0 {
			write(fmt.Sprint("start", k), s.Start, integer, -1)
			write(fmt.Sprint("corners", k), s.Corners, integer, -1, k+1)
		}
		if s.Cochain != nil {
			write(fmt.Sprint("cochain", k), s.Cochain, float, -1, s.Width)
		}
	}
	return err
}

// own starts the training and returns what lets it go on by an epoch. It waits for its turn where it
// reports the end of an epoch.
func (t *training) own(ctx context.Context, backend compute.Backend) (program, error) {
	ctx, cancel := context.WithCancel(ctx)
	turn, epoch, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var failed error // once it has ended
	task := t.task
	task.Report = func(train.Progress) {
		select {
		case epoch <- struct{}{}:
		case <-ctx.Done():
			return
		}
		select {
		case <-turn:
		case <-ctx.Done():
		}
	}
	go func() {
		defer close(ended)
		if _, failed = train.CrossValidate(ctx, backend, task); failed == nil {
			failed = errors.New("the training has ended")
		}
	}()
	wait := func() error {
		select {
		case <-epoch:
			return nil
		case <-ended:
			return failed
		}
	}
	step := func() error {
		select {
		case turn <- struct{}{}:
			return wait()
		case <-ended:
			return failed
		}
	}
	p := program{run: func(seconds float64) ([]float64, error) { return timed(seconds, step) }, free: func() {
		cancel()
		<-ended // until then the training has the backend
	}}
	return p, wait() // the first epoch compiles
}

// Trainings returns what epochs can be timed of, by data set and model.
func Trainings() (names []string) {
	for _, experiment := range []struct {
		datasets, models []string
	}{
		{slices.Concat(experiments.Names("tu"), experiments.Names("moleculenet")),
			[]string{"nkf", "cochain", "cochain-small", "cochain-forms", "gin-tuned"}},
		{experiments.Names("uea"), []string{"path", "path-small", "path-large"}},
		{[]string{Shapes.Name}, []string{"mesh-forms"}},
	} {
		for _, d := range experiment.datasets {
			for _, m := range experiment.models {
				names = append(names, d+":"+m)
			}
		}
	}
	return names
}

// Shapes are meshes that need no file: tori of 240 to 288 vertices with bumps, whose number is the class.
var Shapes = experiments.Benchmark{
	Name: "tori", Experiment: "mesh", Split: "folds", Seeds: 1,
	Load: func(context.Context) (*experiments.Data, error) {
		return &experiments.Data{Name: "tori", Meshes: tori(240)}, nil
	},
}
