package xla

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// entry is the function that every PJRT plug-in exports.
const entry = "GetPjrtApi"

// CheckLibrary returns an error unless the file at path is a whole shared library for this machine that
// exports what a PJRT plug-in must.
//
// Loading a file that ends too early kills the process with SIGBUS, and go-xla panics on other libraries, so
// the file is checked before it is loaded. This takes about a millisecond, since only headers are read.
func CheckLibrary(path string) (err error) {
	defer func() {
		switch {
		case err == nil:
		case pluginNames.MatchString(filepath.Base(path)):
			err = fmt.Errorf("the XLA plug-in %s is damaged or not a plug-in (%w): "+
				"remove it and run `%s`", path, err, SetupCommand(path))
		default: // any file, which somebody may need
			err = fmt.Errorf("%s is not a plug-in of XLA (%w): name one, or \"xla:cpu\" for the "+
				"installed one", path, err)
		}
	}()
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	if runtime.GOOS != "linux" {
		return nil // elsewhere the libraries are not ELF
	}
	file, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("no readable ELF headers: %w", err)
	}
	defer file.Close()
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want := machines[runtime.GOARCH]; file.Machine != want {
		return fmt.Errorf("built for %v, this program for %v", file.Machine, want)
	}
	for _, segment := range file.Progs {
		if segment.Filesz > uint64(info.Size()) || segment.Off > uint64(info.Size())-segment.Filesz {
			return fmt.Errorf("it ends after %d bytes, in the middle of a segment", info.Size())
		}
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return fmt.Errorf("no readable symbols: %w", err)
	}
	if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == entry && s.Section != elf.SHN_UNDEF
	}) {
		return fmt.Errorf("it does not export %s", entry)
	}
	return nil
}
