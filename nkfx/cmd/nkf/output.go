package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// writeTo writes to a file or, if out is "", to standard output, once all could be written: after an error
// there is no part of it. A device or a pipe is written to and not replaced. A file that is also read is an
// error.
func (a *app) writeTo(out string, read []string, write func(io.Writer) error) error {
	if out == "" {
		return atOnce(a.stdout, write)
	}
	there, err := os.Stat(out)
	if err != nil || there.Mode().IsRegular() {
		for _, path := range read {
			if from, e := os.Stat(path); err == nil && e == nil && os.SameFile(there, from) {
				return fmt.Errorf("--out %s is the file that is read", out)
			}
		}
		return fileio.Write(out, 0o666, write)
	}
	file, err := os.OpenFile(out, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(atOnce(file, write), file.Close())
}

// atOnce writes everything at once, by way of a temporary file.
func atOnce(to io.Writer, write func(io.Writer) error) error {
	file, err := os.CreateTemp("", "nkf-")
	if err != nil {
		return fmt.Errorf("a temporary file: %w", err)
	}
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }() // it does no harm
	buffered := bufio.NewWriter(file)
	if err := errors.Join(write(buffered), buffered.Flush()); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(to, file)
	return err
}
