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
	line.wrote = line.wrote.Add(-silence)
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

// TestPhasesInLogs: what comes before the first epoch is told every minute, with the time since it began, and
// no longer when there are epochs; so is the training on everything.
func TestPhasesInLogs(t *testing.T) {
	var log bytes.Buffer
	line := (&app{stderr: &log}).progress()
	defer line.close()
	tell := func(name string, p train.Progress) string {
		t.Helper()
		line.mu.Lock()
		log.Reset()
		line.mu.Unlock()
		p.Total, p.Left = 1, max(p.Left, -1)
		line.epoch(name, p)
		line.mu.Lock()
		defer line.mu.Unlock()
		return log.String()
	}
	later := func(by time.Duration) string {
		line.mu.Lock()
		defer line.mu.Unlock()
		log.Reset()
		line.wrote = line.wrote.Add(-by)
		for name, p := range line.phases {
			line.phases[name] = phase{p.doing, p.since.Add(-by)}
		}
		line.wait()
		return log.String()
	}
	require.Empty(t, tell("A nkf", train.Progress{Doing: "preparing"}), "nothing worth a line takes no time")
	require.Equal(t, "A nkf: preparing, 1m0s\n", later(silence))
	require.Empty(t, later(silence/2))
	require.Equal(t, "A nkf: preparing, 2m0s\n", later(silence/2))
	require.Empty(t, tell("A nkf", train.Progress{Doing: "compiling"}))
	require.Equal(t, "A nkf: compiling, 1m0s\n", later(silence))
	require.Empty(t, tell("B gin", train.Progress{Doing: "compiling"}))
	require.Equal(t, "B gin: compiling, 1m0s\n", later(silence), "the last to begin")
	tell("B gin", train.Progress{})
	require.Equal(t, "A nkf: compiling, 3m0s\n", later(silence), "the other has not ended")
	tell("A nkf", train.Progress{})
	require.Empty(t, later(silence), "there are epochs")

	all := train.Progress{All: true, Epochs: 40, Epoch: train.Epoch{Epoch: 6, TrainLoss: 0.25},
		Left: 5 * time.Second}
	line.mu.Lock()
	line.wrote = time.Now()
	line.mu.Unlock()
	require.Empty(t, tell("A nkf", train.Progress{All: true, Doing: "compiling"}))
	require.Equal(t, "A nkf, training on everything: compiling, 1m0s\n", later(silence))
	later(silence)
	require.Equal(t, "A nkf, training on everything: epoch 7 of 40  train 0.2500  5s left\n", func() string {
		line.mu.Lock()
		line.wrote = line.wrote.Add(-silence)
		line.mu.Unlock()
		return tell("A nkf", all)
	}())
}

// TestDuring: a quick command says nothing of what it does.
func TestDuring(t *testing.T) {
	var log bytes.Buffer
	a := &app{stderr: &log}
	for range 3 {
		end := a.during("reading")
		end()
	}
	require.Empty(t, log.String())
}
