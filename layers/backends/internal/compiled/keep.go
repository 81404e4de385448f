//go:build linux && cgo

package compiled

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// kept is where programs are kept, nil until [Keep].
var kept atomic.Pointer[folder]

// making has a mutex for every program, so that of several clients that want a program at once one compiles
// it.
var making sync.Map // of key to *sync.Mutex

// Keep makes the plug-in in library, the path of a PJRT plug-in for the CPU, keep its compiled programs in a
// folder, which is made when it is needed; with no folder, "", it keeps none from then on. It is for clients
// that are made afterwards. Identity says what programs depend on besides: the version of the plug-in, the
// kind of processor, the options.
//
// A folder that is not to be trusted and a plug-in that cannot keep its programs are errors of one sentence:
// nothing is kept then, and the plug-in works as before.
func Keep(path, library, identity string) error {
	kept.Store(nil)
	if path == "" {
		return nil
	}
	if err := trust(path); err != nil {
		return err
	}
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	if problem := C.nkf_attach(name); problem != nil {
		return fmt.Errorf("programs of %s are not kept: %s", library, C.GoString(problem))
	}
	kept.Store(&folder{path: path, identity: identity, limit: Limit})
	return nil
}

//export nkfCompile
func nkfCompile(args unsafe.Pointer) unsafe.Pointer {
	compile := (*C.nkf_compile_args)(args)
	f := kept.Load()
	if f == nil {
		return C.nkf_compile(args)
	}
	// The number of devices tells clients apart that compile differently: it is 1 for one thread, more for
	// all, and on the threads depends how sums are cut into pieces.
	key := f.key(fmt.Appendf(nil, "%d devices", C.nkf_devices(compile.client)),
		view(compile.program.code, compile.program.code_size),
		view(compile.program.format, compile.program.format_size),
		view(compile.options, compile.options_size))
	mutex, _ := making.LoadOrStore(key, new(sync.Mutex))
	mutex.(*sync.Mutex).Lock()
	defer mutex.(*sync.Mutex).Unlock()
	if program := f.read(key); len(program) > 0 {
		compile.executable = C.nkf_load(compile.client, (*C.char)(unsafe.Pointer(&program[0])),
			C.size_t(len(program)))
		if compile.executable != nil {
			Loaded.Add(1)
			return nil
		}
	}
	if err := C.nkf_compile(args); err != nil {
		return err
	}
	Compiled.Add(1)
	var out C.nkf_serialize_args
	if C.nkf_serialize(compile.executable, &out) == 0 {
		defer C.nkf_release(&out)
		_ = f.write(key, view(out.bytes, out.bytes_size)) // a full disk is no reason not to train
	}
	return nil
}

// view returns memory of C, as long as it lives, as bytes.
func view(data *C.char, size C.size_t) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size))
}
