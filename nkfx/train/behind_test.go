package train

import (
	"context"
	"errors"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// slow is a model that takes as long to build as a test wants, in place of one that takes long to compile.
type slow struct {
	when   chan struct{} // closed: from then on building waits
	begun  chan struct{} // receives when it does
	resume chan struct{} // closed: it goes on
}

func newSlow() *slow {
	return &slow{when: make(chan struct{}), begun: make(chan struct{}, 100), resume: make(chan struct{})}
}

func (s *slow) build(scope *model.Scope, b *nkf.Batch) *Node {
	select {
	case <-s.when:
		s.begun <- struct{}{}
		<-s.resume
	default:
	}
	return forms(scope, b)
}

// ended returns a channel that is closed when do, which begins, has ended.
func ended(do func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	return done
}

// TestEndsWhileCompiling: a training returns as soon as its context ends, also while programs are compiled,
// with the cause; nothing is reported or saved after that. The worker is not free, and the backend not idle,
// before the compilation has ended.
func TestEndsWhileCompiling(t *testing.T) {
	backend, why := must(backends.Open("go", nil)), errors.New("enough")
	data := cycles(40, false)
	for name, run := range map[string]func(ctx context.Context, one Task) error{
		"CrossValidate": func(ctx context.Context, one Task) error {
			_, err := CrossValidate(ctx, backend, one)
			return err
		},
		"FitAll": func(ctx context.Context, one Task) error {
			_, _, err := FitAll(ctx, backend, one, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, one := newSlow(), task(t, data, 2)
			one.Model, one.Pool = s.build, NewPool(1)
			returned := make(chan struct{})
			one.Report = func(p Progress) {
				select {
				case <-returned:
					t.Error("a report after the end")
				default:
				}
				if p.Doing == compiling {
					close(s.when)
				}
			}
			one.Save = func(*Fit) error {
				t.Error("saved")
				return nil
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-s.begun
				cancel(why)
			}()
			require.ErrorIs(t, run(ctx, one), why)
			close(returned)
			free, idle := ended(one.Pool.Close), ended(func() { Wait(backend) })
			select {
			case <-free:
				t.Error("the worker is free while it compiles")
			case <-idle:
				t.Error("the backend is idle while it compiles")
			case <-time.After(50 * time.Millisecond): // enough for either, if nothing holds them
			}
			close(s.resume)
			<-free
			<-idle
		})
	}
	backend.Finalize()
}

// TestPredictionEndsWhileCompiling: so does a prediction; the program is there for the next, and others that
// ask meanwhile wait for it alone.
func TestPredictionEndsWhileCompiling(t *testing.T) {
	backend, data, s := backendtest.Get(t, "go"), cycles(20, false), newSlow()
	weights, _ := fitted(t, backend, Task{Data: data, Model: forms})
	p := must(NewPredictor(backend, s.build, data.Info, weights))
	close(s.when)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	go func() {
		<-s.begun
		cancel(why)
	}()
	_, err := p.Predict(ctx, data)
	require.ErrorIs(t, err, why)
	var next []float32
	other := ended(func() { next = must(p.Predict(t.Context(), data)) })
	idle := ended(func() { Wait(backend) })
	select {
	case <-other:
		t.Error("predicted without a program")
	case <-idle:
		t.Error("the backend is idle while it compiles")
	case <-time.After(50 * time.Millisecond):
	}
	close(s.resume)
	<-other
	<-idle
	require.Len(t, s.begun, 1, "the graph that shows what is read, and that of the one program")
	same := must(NewPredictor(backend, forms, data.Info, weights))
	require.Equal(t, must(same.Predict(t.Context(), data)), next)
}

// TestWithoutContext: a nil context is an error.
func TestWithoutContext(t *testing.T) {
	backend, one := backendtest.Get(t, "go"), task(t, cycles(40, false), 1)
	var none context.Context
	_, err := CrossValidate(none, backend, one)
	require.ErrorIs(t, err, errNoContext)
	_, _, err = FitAll(none, backend, one, nil)
	require.ErrorIs(t, err, errNoContext)
	weights, _ := fitted(t, backend, one)
	_, err = must(NewPredictor(backend, one.Model, one.Data.Info, weights)).Predict(none, one.Data)
	require.ErrorIs(t, err, errNoContext)
}
