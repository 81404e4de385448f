package moleculenet

import (
	"io"
	"runtime"
)

// chunkRows is how many rows a worker takes at a time: enough to make the handing over cheap, few enough to
// keep all cores busy to the end. Of long rows it takes no more than chunkBytes and one.
const (
	chunkRows  = 128
	chunkBytes = 1 << 20
)

// chunk is some rows on their way through a worker.
type chunk[T any] struct {
	rows []row
	err  error // of reading what follows the rows
	done chan T
}

// ordered reads the rows of a table with next, gives them in chunks to work on all cores, and what that
// returns to take in the order of the file. It ends at the first error of reading or taking.
func ordered[T any](next func() (row, error), work func([]row) T, take func(T) error) error {
	workers := runtime.GOMAXPROCS(0)
	stop := make(chan struct{})
	jobs := make(chan *chunk[T])
	// The buffer bounds how far reading is ahead of taking, and so the memory.
	queue := make(chan *chunk[T], 4*workers)
	read := make(chan struct{})
	defer func() {
		close(stop)
		<-read // the file is no longer in use
	}()
	for range workers {
		go func() {
			for job := range jobs {
				job.done <- work(job.rows)
			}
		}()
	}
	go func() {
		defer close(read)
		defer close(queue)
		defer close(jobs)
		for {
			job := &chunk[T]{done: make(chan T, 1)}
			for bytes := 0; len(job.rows) < chunkRows && bytes < chunkBytes && job.err == nil; {
				var r row
				if r, job.err = next(); job.err == nil {
					job.rows = append(job.rows, r)
					bytes += len(r.smiles) + len(r.id)
				}
			}
			select {
			case queue <- job:
			case <-stop:
				return
			}
			select {
			case jobs <- job:
			case <-stop:
				return
			}
			if job.err != nil {
				return
			}
		}
	}()
	for job := range queue {
		if err := take(<-job.done); err != nil {
			return err
		}
		if job.err != nil && job.err != io.EOF {
			return job.err
		}
	}
	return nil
}
