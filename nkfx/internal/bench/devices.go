package bench

import (
	"context"

	"github.com/gomlx/compute"
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
)

// onDevices returns the training on one device, on two that share each batch, and as two trainings side by
// side with half of each batch, which do what the two devices do and pass nothing between them.
func (t *training) onDevices(ctx context.Context, backend compute.Backend) []entry {
	on := func(devices int) func() (program, error) {
		return func() (program, error) {
			own := *t
			own.task.Protocol.Devices = devices
			return own.own(ctx, backend)
		}
	}
	return []entry{{"nkf 1 device", on(1)}, {"nkf 2 devices", on(2)}, {"nkf halves", func() (program, error) {
		return t.halves(ctx, backend)
	}}}
}

// halves starts two trainings on half of the data in batches of half the size: as many steps.
func (t *training) halves(ctx context.Context, backend compute.Backend) (p program, err error) {
	var both []program
	p.free = func() {
		for _, half := range both {
			half.free()
		}
	}
	all, middle := t.task.Folds[0].Train, len(t.task.Folds[0].Train)/2
	for _, ids := range [][]int32{all[:middle], all[middle:]} {
		half := *t
		half.task.Protocol.Devices, half.task.Protocol.Batch = 1, t.task.Protocol.Batch/2
		half.task.Folds = []datasets.Fold{t.task.Folds[0]}
		half.task.Folds[0].Train = ids
		own, err := half.own(ctx, backend)
		both = append(both, own)
		if err != nil {
			return p, err
		}
	}
	p.run = func(seconds float64) ([]float64, error) {
		return timed(seconds, func() error {
			var work errgroup.Group
			for _, half := range both {
				work.Go(func() error {
					_, err := half.run(0) // an epoch
					return err
				})
			}
			return work.Wait()
		})
	}
	return p, nil
}
