package moleculenet

import (
	"io"
	"runtime"
)

// chunkRows is the number of rows parsed at a time: enough to make the handing over cheap, few enough to
// keep all cores busy to the end. Of long rows a chunk has no more than chunkBytes and one.
const (
	chunkRows  = 128
	chunkBytes = 1 << 20
)

// ordered reads rows with next, has them worked on by all cores, and gives the results to take in the order
// of the file. It ends at the first error of reading or taking.
func ordered[T any](next func() (row, error), work func(row) T, take func(row, T) error) error {
	type chunk struct {
		rows    []row
		results []T
	}
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	// The buffer bounds how far reading is ahead of taking, and so the memory.
	queue := make(chan chan chunk, 4*cap(cores))
	stop := make(chan struct{})
	var readErr error
	go func() {
		defer close(queue)
		for readErr == nil {
			var c chunk
			for bytes := 0; len(c.rows) < chunkRows && bytes < chunkBytes && readErr == nil; {
				var r row
				if r, readErr = next(); readErr == nil {
					c.rows = append(c.rows, r)
					bytes += len(r.smiles) + len(r.id)
				}
			}
			done := make(chan chunk, 1)
			select {
			case queue <- done:
			case <-stop:
				return
			}
			go func() {
				cores <- struct{}{}
				for _, r := range c.rows {
					c.results = append(c.results, work(r))
				}
				<-cores
				done <- c
			}()
		}
	}()
	var takeErr error
	for done := range queue { // to its end, when the file is no longer in use
		if takeErr != nil {
			continue
		}
		c := <-done
		for i, r := range c.rows {
			if takeErr = take(r, c.results[i]); takeErr != nil {
				close(stop)
				break
			}
		}
	}
	if takeErr == nil && readErr != io.EOF {
		return readErr
	}
	return takeErr
}
