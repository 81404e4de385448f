package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestProgressInLogs: where there is no terminal, a line for every training
// that ends, and one for every minute without.
func TestProgressInLogs(t *testing.T) {
	var log bytes.Buffer
	line := (&app{stderr: &log}).progress()
	next := func(fits, epoch int) string {
		log.Reset()
		line.epoch("HIV gat", train.Progress{
			Epoch: train.Epoch{Epoch: epoch, TrainLoss: 0.25, ValidationLoss: 0.5, Rate: 1e-3},
			Fits:  fits, Total: 2, Seed: 42, Left: 90 * time.Second,
		})
		return log.String()
	}
	require.Empty(t, next(0, 6))
	line.told = line.told.Add(-silence)
	require.Equal(t, "HIV gat: 0 of 2 trainings, "+
		"fold 0 seed 42 epoch 7  train 0.2500  validation 0.5000  rate 1e-03  1m30s left\n", next(0, 7))
	require.Empty(t, next(0, 8))
	require.Equal(t, "HIV gat: 1 of 2 trainings  1m30s left\n", next(1, 99))
	require.Empty(t, next(1, 0))
	clear(line.fits)
	log.Reset()
	line.epoch("HIV gat", train.Progress{Fits: 1, Total: 1, Left: -1})
	require.Equal(t, "HIV gat: 1 of 1 training\n", log.String())
}
