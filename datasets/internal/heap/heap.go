// Package heap measures heap memory for tests that bound the memory of readers.
package heap

import (
	"runtime"
	"runtime/debug"
	"time"
)

// Peak returns by how many bytes the heap grew while f ran, with garbage collected early.
func Peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, most, stop, done := m.HeapInuse, m.HeapInuse, make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	}()
	f()
	close(stop)
	<-done
	return most - before
}
