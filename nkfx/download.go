package nkfx

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// stallLimit is how long a download may stand still before it counts as broken.
const stallLimit = 60 * time.Second

// download stores what is at url in a new file at path.
//
// go-xla's own function for this cannot be interrupted, takes an error page for the file, and draws on standard
// output, which belongs to results.
func download(ctx context.Context, url, path string) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(stallLimit, func() {
		cancel(fmt.Errorf("the download stood still for %v", stallLimit))
	})
	defer stall.Stop()

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %q", url, response.Status)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	alive := readerFunc(func(p []byte) (int, error) {
		n, err := response.Body.Read(p)
		stall.Reset(stallLimit)
		return n, err
	})
	if _, err := io.Copy(file, alive); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return fmt.Errorf("the download of %s broke off: %w", url, err)
	}
	return nil
}

// readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// within returns what f returns, or an error if ctx ends or limit passes before; f itself cannot be stopped.
func within[T any](ctx context.Context, limit time.Duration, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer recoverTo(&r.err)
		r.value, r.err = f()
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
