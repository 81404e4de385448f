package machine

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// patience is how long a download may stand still. Closed networks may drop what they refuse.
var patience = 30 * time.Second

// fetch passes what an address serves to take. arrived, if it is not nil, receives how many bytes are there;
// total is -1 where it is unknown.
func fetch(ctx context.Context, address string, arrived func(done, total int64),
	take func(*http.Response) error) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(patience, func() {
		cancel(fmt.Errorf("nothing arrived from %s for %v", address, patience))
	})
	defer stall.Stop()
	defer func() {
		if cause := context.Cause(ctx); cause != nil {
			err = cause // also of a body that was cut short without an error of its own
		}
	}()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, response.Status)
	}
	done := int64(0)
	response.Body = counted{response.Body, func(n int) {
		stall.Reset(patience)
		if done += int64(n); arrived != nil {
			arrived(done, response.ContentLength)
		}
	}}
	return take(response)
}

// counted is a body that reports how many bytes each read returns.
type counted struct {
	io.ReadCloser
	read func(n int)
}

func (c counted) Read(p []byte) (n int, err error) {
	if n, err = c.ReadCloser.Read(p); n > 0 {
		c.read(n)
	}
	return n, err
}
