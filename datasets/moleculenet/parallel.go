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

// ordered reads rows with next, has chunks of them worked on by all cores, and gives the results to take in
// the order of the file. It ends at the first error of reading or taking.
func ordered[T any](next func() (row, error), work func([]row) T, take func(T) error) error {
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	// The buffer bounds how far reading is ahead of taking, and so the memory.
	queue := make(chan chan T, 4*cap(cores))
	stop := make(chan struct{})
	var readErr error
	go func() {
		defer close(queue)
		for readErr == nil {
			var rows []row
			for bytes := 0; len(rows) < chunkRows && bytes < chunkBytes && readErr == nil; {
				var r row
				if r, readErr = next(); readErr == nil {
					rows = append(rows, r)
					bytes += len(r.smiles) + len(r.id)
				}
			}
			done := make(chan T, 1)
			select {
			case queue <- done:
			case <-stop:
				return
			}
			go func() {
				cores <- struct{}{}
				done <- work(rows)
				<-cores
			}()
		}
	}()
	var takeErr error
	for done := range queue { // to its end, when the file is no longer in use
		if takeErr != nil {
			continue
		}
		if takeErr = take(<-done); takeErr != nil {
			close(stop)
		}
	}
	if takeErr == nil && readErr != io.EOF {
		return readErr
	}
	return takeErr
}
