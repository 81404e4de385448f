package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"
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

// Download returns the path of the source's file in the cache, where it is stored if it is not there yet.
//
// Only a complete file with the right checksum appears under that path. Several downloads at a time, of other
// processes too, end with the one file.
func (f *Finder) Download(ctx context.Context, source PublishedFile) (stored string, err error) {
	if f.Cache == "" {
		return "", errors.New("there is no cache folder: set $XDG_CACHE_HOME or $HOME")
	}
	stored = filepath.Join(f.Cache, filepath.FromSlash(source.Path))
	sum, err := FileSHA256(stored)
	switch {
	case err == nil && sum == source.SHA256:
		return stored, nil
	case err == nil:
		return "", &AlteredError{source, stored, sum}
	case !absent(err):
		return "", err
	case source.SHA256 == "" || source.URL == "":
		return "", errors.New("it has no published address and checksum")
	case f.Offline:
		return "", errors.New("this finder is offline")
	}
	err = WriteFile(stored, 0o666, func(w io.Writer) error { return f.fetch(ctx, source, w) })
	if cause := errors.Unwrap(err); cause != nil {
		err = cause // mostly that of the network; one of the disk names the file by itself
	}
	return stored, err
}

// fetch writes what the source's address serves to w and returns an error unless its checksum is right.
func (f *Finder) fetch(ctx context.Context, source PublishedFile, w io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	patience := f.Patience
	if patience <= 0 {
		patience = defaultPatience
	}
	stall := time.AfterFunc(patience, func() {
		cancel(fmt.Errorf("nothing arrived from %s for %v", source.URL, patience))
	})
	defer stall.Stop()
	// explain replaces the error of a request that was cancelled by the reason why.
	explain := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source.URL, nil)
	if err != nil {
		return err
	}
	if request.URL.Scheme != "https" {
		return fmt.Errorf("%s is not an HTTPS address", source.URL)
	}
	client := f.Client
	if client == nil {
		client = httpsClient
	}
	response, err := client.Do(request)
	if err != nil {
		return explain(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", source.URL, response.Status)
	}
	limit := f.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	tooLarge := fmt.Errorf("the file at %s is larger than the limit of %d bytes", source.URL, limit)
	if response.ContentLength > limit {
		return tooLarge
	}
	hash := sha256.New()
	body := &meter{
		reader: response.Body, total: response.ContentLength, progress: f.Progress,
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
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != source.SHA256 {
		return fmt.Errorf("the file at %s has the SHA-256 %s instead of %s: it is another version or was "+
			"damaged on the way", source.URL, sum, source.SHA256)
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
