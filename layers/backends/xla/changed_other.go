//go:build !linux

package xla

import (
	"io/fs"
	"time"
)

// changed returns when the contents of a file were changed.
func changed(info fs.FileInfo) time.Time { return info.ModTime() }
