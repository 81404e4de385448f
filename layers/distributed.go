package layers

import (
	"errors"
	"iter"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/core/tensors/dtensor"
	"github.com/gomlx/gomlx/ml/train"
)

// Distributed returns the batches for GoMLX's trainer on as many devices as options.Devices, the first of its
// backend: each has one row of a batch, the variables are on all, and the program is that of the whole batch,
// which XLA partitions. So losses, metrics, batch norms and random numbers of GoMLX and of nkf are those of
// one device that is given the same batches by Iter.
//
// On two devices:
//
//	batches, err := layers.NewDataset(data, ids, layers.DatasetOptions{Batch: 16, Devices: 2})
//	err = devices.Prepare(store) // before the first step
//	metrics, err := train.NewLoop(trainer).RunSteps(batches.Distributed(), steps)
//
// Of a train.Loop, RunSteps trains on the devices; RunEpochs of GoMLX v0.28.3 uses the first alone. XLA
// gathers what rows of one device may ask of another, so train.NewLoopOn, where each device runs its own
// program, communicates less.
func (d *Dataset) Distributed() train.DistributedDataset { return &sharded{d, d.rows} }

// sharded is a data set whose tensors are distributed by their first axis.
type sharded struct {
	*Dataset
	rows *distributed.ShardingSpec
}

// Strategy returns automatic sharding.
func (s *sharded) Strategy() distributed.Strategy { return distributed.AutoSharding }

// DeviceAssignment returns the first devices.
func (s *sharded) DeviceAssignment() (devices []compute.DeviceNum) {
	for i := range s.options.Devices {
		devices = append(devices, compute.DeviceNum(i))
	}
	return devices
}

// DistributedIter returns an epoch.
func (s *sharded) DistributedIter() iter.Seq2[train.DistributedBatch, error] {
	return func(yield func(train.DistributedBatch, error) bool) {
		for batch, err := range s.Iter() {
			out := train.DistributedBatch{Spec: batch.Spec}
			if err == nil {
				out, err = s.shard(batch)
			}
			if !yield(out, err) || err != nil {
				return
			}
		}
	}
}

// shard distributes a batch, which it frees.
func (s *sharded) shard(batch train.Batch) (out train.DistributedBatch, err error) {
	out.Spec = batch.Spec
	parts := func(all []*tensors.Tensor) (shards []*dtensor.Tensor) {
		for _, t := range all {
			shard, e := dtensor.ShardTensor(s.rows, t)
			shards, err = append(shards, shard), errors.Join(err, e)
		}
		return shards
	}
	out.Inputs, out.Labels = parts(batch.Inputs), parts(batch.Labels)
	return out, errors.Join(err, batch.Finalize())
}
