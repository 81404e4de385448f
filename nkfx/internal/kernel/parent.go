package kernel

import (
	"context"
	"os"
	"time"
)

// withParent returns a context that ends with the process that started this one, too: a server of Jupyter
// that is killed shuts no kernel down.
func withParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if os.Getppid() != parent {
					cancel()
				}
			}
		}
	}()
	return ctx, cancel
}
