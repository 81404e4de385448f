package xla

import (
	"fmt"
	"syscall"
)

// identity returns the identity of the file at path, and none if there is no such file.
func identity(path string) fileIdentity {
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		return fileIdentity{}
	}
	modified, changed := s.Mtim.Nano(), s.Ctim.Nano()
	return fileIdentity{
		text:     fmt.Sprintf("%d %d %d %d %d", s.Dev, s.Ino, s.Size, modified, changed),
		modified: modified, changed: changed,
	}
}
