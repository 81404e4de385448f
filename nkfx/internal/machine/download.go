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

const (
	defaultMaxBytes = 256 << 20
	defaultPatience = 30 * time.Second
)

// httpsClient follows redirects to HTTPS addresses only.
var httpsClient = &http.Client{
	CheckRedirect: func(request *http.Request, via []*http.Request) error {
		if request.URL.Scheme != "https" {
			return fmt.Errorf("it redirects to %s, which is not HTTPS", request.URL)
		}
		if len(via) >= 10 {
			return errors.New("it redirects more than ten times")
		}
		return nil
	},
}

// Download is a file that is to be downloaded.
type Download struct {
	URL      string                  // with HTTPS
	SHA256   string                  // of its bytes, in hexadecimal
	Client   *http.Client            // nil: one that stays on HTTPS
	MaxBytes int64                   // 0: 256 MiB
	Patience time.Duration           // how long it may stand still; 0: 30 seconds
	Progress func(done, total int64) // called meanwhile if not nil; total is -1 where unknown
}

// To stores the file at path, if it is not there yet. Another file there is an error.
//
// Only a complete file with the right checksum appears under that path. Several downloads at a time, of other
// processes too, end with the one file.
func (d Download) To(ctx context.Context, path string) error {
	sum, err := datasets.FileSHA256(path)
	switch {
	case err == nil && sum == d.SHA256:
		return nil
	case err == nil:
		return fmt.Errorf("%s has the SHA-256 %s instead of %s: remove it", path, sum, d.SHA256)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	err = datasets.WriteFile(path, 0o666, func(w io.Writer) error { return d.fetch(ctx, w) })
	if cause := errors.Unwrap(err); cause != nil {
		err = cause // mostly that of the network; one of the disk names the file by itself
	}
	return err
}

// request asks for the file.
func (d Download) request(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return nil, err
	}
	if request.URL.Scheme != "https" {
		return nil, fmt.Errorf("%s is not an HTTPS address", d.URL)
	}
	client := d.Client
	if client == nil {
		client = httpsClient
	}
	response, err := client.Do(request)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.Join(fmt.Errorf("%s answers %s", d.URL, response.Status), response.Body.Close())
	}
	return response, err
}

// fetch writes what the address serves to w and returns an error unless its checksum is right.
func (d Download) fetch(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	patience := d.Patience
	if patience <= 0 {
		patience = defaultPatience
	}
	stall := time.AfterFunc(patience, func() {
		cancel(fmt.Errorf("nothing arrived from %s for %v", d.URL, patience))
	})
	defer stall.Stop()
	// explain replaces the error of a request that was cancelled by the reason why.
	explain := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	response, err := d.request(ctx)
	if err != nil {
		return explain(err)
	}
	defer response.Body.Close()
	limit := d.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	tooLarge := fmt.Errorf("the file at %s is larger than the limit of %d bytes", d.URL, limit)
	if response.ContentLength > limit {
		return tooLarge
	}
	hash := sha256.New()
	body := &meter{
		reader: response.Body, total: response.ContentLength, progress: d.Progress,
		arrived: func() { stall.Reset(patience) },
	}
	written, err := io.Copy(io.MultiWriter(w, hash), io.LimitReader(body, limit+1))
	if err == nil {
		err = ctx.Err() // a body cut short by cancelling may end without an error of its own
	}
	if err != nil {
		return explain(err)
	}
	if written > limit {
		return tooLarge
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != d.SHA256 {
		return fmt.Errorf("the file at %s has the SHA-256 %s instead of %s: it is another version or was "+
			"damaged on the way", d.URL, sum, d.SHA256)
	}
	return nil
}

// meter reports the progress of a download and puts its stall timer back.
type meter struct {
	reader      io.Reader
	done, total int64
	progress    func(done, total int64)
	arrived     func()
}

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.reader.Read(p)
	m.done += int64(n)
	m.arrived()
	if m.progress != nil && n > 0 {
		m.progress(m.done, m.total)
	}
	return n, err
}
