package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestProgressInLogs: where there is no terminal, a line for every training
// that ends, and one for every ten seconds without.
func TestProgressInLogs(t *testing.T) {
	var log bytes.Buffer
	line := (&app{stderr: &log}).progress()
	defer line.close()
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

// TestPhasesInLogs: work without epochs is shown every ten seconds, with the time since it began and, of a
// known share, an estimate, until there are epochs; so is the training on everything.
func TestPhasesInLogs(t *testing.T) {
	var log bytes.Buffer
	line := (&app{stderr: &log}).progress()
	close(line.ended) // the test calls wait
	tell := func(p train.Progress) string {
		log.Reset()
		p.Total, p.Left = 1, max(p.Left, -1)
		line.epoch("A nkf", p)
		return log.String()
	}
	later := func(by time.Duration) string {
		log.Reset()
		line.wrote, line.since = line.wrote.Add(-by), line.since.Add(-by)
		line.wait()
		return log.String()
	}
	require.Empty(t, tell(train.Progress{Doing: "preparing"}), "nothing worth a line takes no time")
	require.Equal(t, "A nkf: preparing, 10s\n", later(silence))
	require.Empty(t, later(silence/2))
	line.done(0.4)
	require.Equal(t, "A nkf: preparing, 20s, 40 %, 30s left\n", later(silence/2))
	require.Empty(t, tell(train.Progress{Doing: "compiling"}))
	require.Equal(t, "A nkf: compiling, 10s\n", later(silence))
	require.Empty(t, tell(train.Progress{Doing: "training", Share: func() float64 { return 0.25 }}))
	require.Equal(t, "A nkf: training, 10s, 25 %, 30s left\n", later(silence))
	require.Empty(t, tell(train.Progress{}))
	require.Equal(t, "A nkf: 0 of 1 training, fold 0 seed 0 epoch 0  train 0.0000  validation 0.0000  "+
		"rate 0e+00  0s left, 10s ago\n", later(silence), "the next epoch takes long")
	require.Empty(t, later(silence/2))
	line.wrote = line.wrote.Add(-silence)
	require.Equal(t, "A nkf, training on everything: epoch 7 of 40  train 0.2500  5s left\n",
		tell(train.Progress{All: true, Epochs: 40, Epoch: train.Epoch{Epoch: 6, TrainLoss: 0.25},
			Left: 5 * time.Second}))
}

// TestReadingInLogs: while data are read, the share of their bytes is shown, of a file or of a folder.
func TestReadingInLogs(t *testing.T) {
	var log bytes.Buffer
	line := (&app{stderr: &log}).progress()
	close(line.ended) // the test calls wait
	folder := t.TempDir()
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), make([]byte, 50), 0o666))
	}
	for place, want := range map[string]string{
		folder:                      ", 10s, 20 %, 40s left\n",
		filepath.Join(folder, "a"):  ", 10s, 40 %, 15s left\n",
		filepath.Join(folder, "no"): ", 10s\n",
		os.DevNull:                  ", 10s\n",
	} {
		line.begin("reading "+place, readOf(place))
		file, err := fileio.Open(filepath.Join(folder, "a"))
		require.NoError(t, err)
		_, err = file.Read(make([]byte, 20))
		require.NoError(t, err)
		require.NoError(t, file.Close())
		log.Reset()
		line.wrote, line.since = line.wrote.Add(-silence), line.since.Add(-silence)
		line.wait()
		require.Equal(t, "reading "+place+want, log.String())
		line.wrote = time.Now()
	}
}
