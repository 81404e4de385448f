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

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// training is what nkf and peers train: the first fold of a benchmark, as `nkf run` does it.
type training struct {
	task   train.Task
	model  models.Named   // whose options peers take
	folder string         // of the arrays that peers read
	arrays map[string]any // by name: file, type and shape
}

// endless is a number of epochs that no race comes to.
const endless = 1 << 30

// newTraining loads the data of a case and writes them for peers to read.
func newTraining(ctx context.Context, c Case) (*training, error) {
	benchmark, err := experiments.Lookup(c.Dataset)
	if err != nil {
		return nil, err
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
	t.task.Folds, t.task.Seeds, t.task.Pool = t.task.Folds[:1], t.task.Seeds[:1], nil
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

// request returns what peers are asked for: the network, its options, and how it is trained on which data.
func (t *training) request() map[string]any {
	var network string
	switch t.model.Model.(type) {
	case *models.NKF:
		network = "forms"
	case *models.Cochain:
		network = "cochain"
	case *models.Path:
		network = "path"
	}
	return map[string]any{"network": network, "config": t.model.Model, "protocol": t.task.Protocol,
		"outputs": t.task.Data.Outputs(), "arrays": t.arrays}
}

// export writes the collection as arrays of little-endian numbers of 32 bits.
func (t *training) export() error {
	data := t.task.Data
	var failed error
	write := func(name, kind string, values any, shape ...int) {
		var out bytes.Buffer
		file := filepath.Join(t.folder, name)
		t.arrays[name] = map[string]any{"file": file, "type": kind, "shape": shape}
		err := binary.Write(&out, binary.LittleEndian, values)
		if err == nil {
			err = os.WriteFile(file, out.Bytes(), 0o666)
		}
		failed = errors.Join(failed, err)
	}
	floats := func(name string, values []float32, width int) {
		if len(values) > 0 {
			write(name, "<f4", values, -1, width)
		}
	}
	integers := func(name string, values []int32, shape ...int) {
		write(name, "<i4", values, append([]int{-1}, shape...)...)
	}
	var points []float64
	for g := range data.Len() {
		points = append(points, data.Points(g)...)
	}
	floats("vertices", datasets.Float32s(points), data.Dim)
	integers("labels", data.Labels)
	integers("train", t.task.Folds[0].Train)
	integers("start0", data.VertexStart)
	for k, s := range data.Simplices {
		if k > 0 {
			integers(fmt.Sprint("start", k), s.Start)
			integers(fmt.Sprint("corners", k), s.Corners, k+1)
		}
		floats(fmt.Sprint("cochain", k), datasets.Float32s(s.Cochain), s.Width)
	}
	return failed
}

// own starts the training and returns what lets it go on by an epoch. It waits for its turn where it
// reports the end of an epoch.
func (t *training) own(ctx context.Context, backend compute.Backend) (program, error) {
	ctx, cancel := context.WithCancel(ctx)
	turn, epoch, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var failed error // once it has ended
	task := t.task
	task.Report = func(p train.Progress) {
		if p.Doing != "" {
			return // it prepares and compiles
		}
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
		{experiments.Names("uea"), []string{"path"}},
	} {
		for _, d := range experiment.datasets {
			for _, m := range experiment.models {
				names = append(names, d+":"+m)
			}
		}
	}
	return names
}
