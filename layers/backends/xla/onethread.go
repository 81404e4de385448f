package xla

import (
	"os"
	"sync"

	"github.com/gomlx/compute"
)

// threadsEnv names the variable from which the plug-in takes the number of threads when it makes a client:
// it has no option for it. There are as many as devices at least.
const threadsEnv = "PJRT_NPROC"

// environment is held while a client is made that has another number of threads than the environment says.
var environment sync.Mutex

// OneThread returns a new client with one thread where the backend is XLA on the CPU, and otherwise the
// backend itself, which has its own. Its caller finalizes a new client.
//
// XLA's CPU client passes the operations of a program between its threads. For the small operations of a
// training that costs more than it gains (an epoch of BZR 1.2 ms with one thread, 1.8 ms with two), and
// simultaneous programs of one client wait for each other, so two trainings with a client each are twice as
// fast. Sums are also cut into pieces by the number of threads: with one, a seed gives the same bits however
// many processors there are and trainings at once.
func OneThread(backend compute.Backend) (compute.Backend, error) {
	client, ok := Of(backend)
	if !ok || client.Kind != "cpu" {
		return backend, nil
	}
	environment.Lock()
	defer environment.Unlock()
	before, had := os.LookupEnv(threadsEnv)
	if err := os.Setenv(threadsEnv, "1"); err != nil {
		return nil, err
	}
	defer func() {
		if had {
			os.Setenv(threadsEnv, before)
		} else {
			os.Unsetenv(threadsEnv)
		}
	}()
	return Open(client.Config, 1)
}
