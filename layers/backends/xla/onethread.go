package xla

import (
	"os"
	"sync"

	"github.com/gomlx/compute"
)

// OneThread returns a backend for one training at a time, of the kind of the given one, and what gives it
// back when everything on it has been freed.
//
// XLA's CPU client passes the operations of a program between its threads. For the small operations of a
// training that costs as much as it gains, and two programs of a client get into each other's way. A client
// with one thread needs half of the processors for the same speed, so that a training on each of two is twice
// as fast. Sums are also cut into pieces by the number of threads: with one, a seed gives the same bits
// however many processors there are and trainings at once. Other backends are returned as they are.
func OneThread(backend compute.Backend) (member compute.Backend, release func(), err error) {
	client, ok := Of(backend)
	if !ok || client.Kind != "cpu" {
		return backend, func() {}, nil
	}
	idle.Lock()
	defer idle.Unlock()
	config := client.Config
	if free := idle.clients[config]; len(free) > 0 {
		member, idle.clients[config] = free[len(free)-1], free[:len(free)-1]
	} else if member, err = open(config); err != nil {
		return nil, nil, err
	}
	return member, func() {
		idle.Lock()
		defer idle.Unlock()
		idle.clients[config] = append(idle.clients[config], member)
	}, nil
}

// idle has the clients of one thread that no training needs at the moment, by their configuration. Their
// memory is kept as well, so that there are never more of them than trainings at once.
var idle = struct {
	sync.Mutex
	clients map[string][]compute.Backend
}{clients: map[string][]compute.Backend{}}

// open returns a new client of one thread.
func open(config string) (compute.Backend, error) {
	// The plug-in reads the number of threads when it makes a client. There are as many as devices at least,
	// which would be four.
	const threads = "PJRT_NPROC"
	before, had := os.LookupEnv(threads)
	if err := os.Setenv(threads, "1"); err != nil {
		return nil, err
	}
	defer func() {
		if had {
			os.Setenv(threads, before)
		} else {
			os.Unsetenv(threads)
		}
	}()
	return Open(config, 1)
}
