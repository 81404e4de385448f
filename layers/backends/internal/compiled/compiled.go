// Package compiled keeps what XLA has compiled, so that the next process loads a program in a tenth of a
// second or less where it would compile it again for seconds.
//
// A program is found by the SHA-256 of all that its machine code depends on: the program and the options of
// its compilation, the plug-in, the processor, the threads of the client, and the environment that XLA reads.
// What does not load any more is compiled and kept again; nothing that goes wrong here stops a compilation.
package compiled

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/neuralkforms/nkf/datasets"
)

// Limit is how many bytes of programs a folder keeps. Those that were not used for the longest time go first.
const Limit = 256 << 20

// Counts tells what became of the programs of this process.
type Counts struct{ Loaded, Compiled int }

var loaded, compiled atomic.Int64

// Count returns the counts until now. Without [Keep] they are all zero.
func Count() Counts { return Counts{Loaded: int(loaded.Load()), Compiled: int(compiled.Load())} }

// Observer is told that a program is about to be compiled or loaded, and returns what is told of its end.
type Observer = func(name string) (end func(loaded bool))

var observer atomic.Pointer[Observer]

// Observe has o told of all programs from now on, of the process and from several goroutines at once; nil
// ends that. It is told of plug-ins that are given to [Keep] afterwards, or have been with a folder.
func Observe(o Observer) {
	if o == nil {
		observer.Store(nil)
		return
	}
	observer.Store(&o)
}

// observe tells the observer, if there is one, of a program in MLIR.
func observe(program []byte) (end func(loaded bool)) {
	o := observer.Load()
	if o == nil {
		return func(bool) {}
	}
	return (*o)(moduleName(program))
}

// moduleName returns the name of a module in MLIR, "" if it has none: it begins "module @name".
func moduleName(program []byte) string {
	_, rest, ok := bytes.Cut(program[:min(len(program), 1000)], []byte("module @"))
	if !ok {
		return ""
	}
	if end := bytes.IndexAny(rest, " {\n"); end >= 0 {
		rest = rest[:end]
	}
	return string(rest)
}

// folder is where programs are kept.
type folder struct {
	path     string
	identity string // of plug-in, processor and environment
	limit    int64
}

// extension of the files with programs.
const extension = ".xla"

// magic begins every file; the SHA-256 of the rest follows, and then the program.
const magic = "nkf-xla1"

// file returns the path of a program with these determinants.
func (f *folder) file(parts ...[]byte) string {
	h := sha256.New()
	for _, part := range append(parts, []byte(f.identity)) {
		// Lengths keep "ab", "c" apart from "a", "bc". Hashes cannot fail.
		_ = binary.Write(h, binary.LittleEndian, int64(len(part)))
		_, _ = h.Write(part)
	}
	return filepath.Join(f.path, fmt.Sprintf("%x%s", h.Sum(nil), extension))
}

// read returns the program in a file, and nil if there is none or it is damaged. The file counts as used.
func (f *folder) read(path string) []byte {
	data, err := os.ReadFile(path)
	const head = len(magic) + sha256.Size
	if err != nil || len(data) < head || string(data[:len(magic)]) != magic {
		return nil
	}
	if sum := sha256.Sum256(data[head:]); !bytes.Equal(sum[:], data[len(magic):head]) {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	return data[head:]
}

// write keeps a program in a file, and makes room for it.
func (f *folder) write(path string, program []byte) error {
	sum := sha256.Sum256(program)
	// What is in there will be run: nobody else may write it.
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return err
	}
	data := slices.Concat([]byte(magic), sum[:], program)
	if err := datasets.WriteFile(path, 0o600, datasets.Bytes(data)); err != nil {
		return err
	}
	return f.trim()
}

// trim removes the programs used least recently until the rest is within three quarters of the limit, if it
// is past the limit.
func (f *folder) trim() error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return err
	}
	var programs []fs.FileInfo
	total := int64(0)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && filepath.Ext(entry.Name()) == extension {
			programs = append(programs, info)
			total += info.Size()
		}
	}
	if total <= f.limit {
		return nil
	}
	slices.SortFunc(programs, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	var errs error
	for _, program := range programs {
		if total <= f.limit*3/4 {
			break
		}
		errs = errors.Join(errs, os.Remove(filepath.Join(f.path, program.Name())))
		total -= program.Size()
	}
	return errs
}
