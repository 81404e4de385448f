package machine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"time"

	"github.com/neuralkforms/nkf/datasets"
)

// patience is how long a download may stand still.
var patience = 30 * time.Second

// download stores the file at an address at path, if it is not there yet. Another file there is an error.
// progress, if it is not nil, receives how many bytes are there; total is -1 where it is unknown.
//
// Only a complete file with the right SHA-256 appears under that path. Several downloads at a time, of other
// processes too, end with the one file.
func download(ctx context.Context, address, sum, path string, progress func(done, total int64)) error {
	found, err := datasets.FileSHA256(path)
	switch {
	case err == nil && found == sum:
		return nil
	case err == nil:
		return fmt.Errorf("%s has the SHA-256 %s instead of %s: remove it", path, found, sum)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	hash := sha256.New()
	err = datasets.WriteFile(path, 0o666, func(w io.Writer) error {
		if err := fetch(ctx, address, io.MultiWriter(w, hash), progress); err != nil {
			return err
		}
		if got := hex.EncodeToString(hash.Sum(nil)); got != sum {
			return fmt.Errorf("the file at %s has the SHA-256 %s instead of %s: it is another version or "+
				"was damaged on the way", address, got, sum)
		}
		return nil
	})
	if cause := errors.Unwrap(err); cause != nil {
		err = cause // mostly that of the network; one of the disk names the file by itself
	}
	return err
}

// get asks for what an address serves.
func get(ctx context.Context, address string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.Join(fmt.Errorf("%s answers %s", address, response.Status), response.Body.Close())
	}
	return response, err
}

// fetch writes what an address serves to w.
func fetch(ctx context.Context, address string, w io.Writer, progress func(done, total int64)) (err error) {
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
	response, err := get(ctx, address)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	done := int64(0)
	arrived := writer(func(p []byte) (int, error) {
		stall.Reset(patience)
		if done += int64(len(p)); progress != nil {
			progress(done, response.ContentLength)
		}
		return len(p), nil
	})
	_, err = io.Copy(io.MultiWriter(w, arrived), response.Body)
	return err
}

// writer is a function that takes what is written.
type writer func(p []byte) (int, error)

func (f writer) Write(p []byte) (int, error) { return f(p) }
