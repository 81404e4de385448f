package xla

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns when a file, or its name or date, was changed. Unlike the date of its contents no program
// sets it.
func changed(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return info.ModTime()
}
