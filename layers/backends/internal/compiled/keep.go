//go:build linux && cgo

package compiled

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// kept is where programs are kept, nil until [Keep].
var kept atomic.Pointer[folder]

// threads tells clients apart that compile differently: the number of threads, on which it depends how sums
// are cut into pieces.
var threads sync.Map // of unsafe.Pointer to string

// making has a mutex for every program, so that of several clients that want a program at once one compiles
// it.
var making sync.Map // of key to *sync.Mutex

// Keep makes the plug-in in library, the path of a PJRT plug-in for the CPU, keep its compiled programs in a
// folder, which is made when it is needed. It is for clients that are made afterwards. Identity tells what
// programs depend on besides: the version of the plug-in and the kind of processor. With no folder, "",
// nothing is kept, and the plug-in is left as it is unless somebody is to be told of programs.
//
// A folder that is not to be trusted and a plug-in that cannot keep its programs are errors of one sentence:
// nothing is kept then, and the plug-in works as before.
func Keep(path, library, identity string) error {
	kept.Store(nil)
	var distrust error
	if path != "" {
		if distrust = trust(path); distrust != nil {
			path = ""
		}
	}
	if path == "" && observer.Load() == nil {
		return distrust
	}
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	if problem := C.nkf_attach(name); problem != nil {
		return fmt.Errorf("programs of %s are not kept: %s", library, C.GoString(problem))
	}
	if path != "" {
		identity = fmt.Sprintf("%q %q", identity, os.Getenv("XLA_FLAGS"))
		kept.Store(&folder{path: path, identity: identity, limit: Limit})
	}
	return distrust
}

//export nkfCreate
func nkfCreate(args unsafe.Pointer) unsafe.Pointer {
	create := (*C.nkf_create_args)(args)
	if err := C.nkf_create(create); err != nil {
		return err
	}
	threads.Store(create.client, fmt.Sprintf("%s of %d, %d devices",
		os.Getenv("PJRT_NPROC"), runtime.NumCPU(), C.nkf_devices(create.client)))
	return nil
}

//export nkfCompile
func nkfCompile(args unsafe.Pointer) unsafe.Pointer {
	compile := (*C.nkf_compile_args)(args)
	found := false
	end := observe(view(compile.program.code, compile.program.code_size))
	defer func() { end(found) }()
	f := kept.Load()
	client, known := threads.Load(compile.client)
	if f == nil || !known {
		return C.nkf_compile(compile)
	}
	key := f.key([]byte(client.(string)),
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
			loaded.Add(1)
			found = true
			return nil
		}
	}
	if err := C.nkf_compile(compile); err != nil {
		return err
	}
	compiled.Add(1)
	_ = serialize(f, key, compile.executable) // a full disk is no reason not to train
	return nil
}

// serialize keeps an executable under a key.
func serialize(f *folder, k key, executable unsafe.Pointer) error {
	var out C.nkf_serialize_args
	if C.nkf_serialize(executable, &out) != 0 {
		return errors.New("the plug-in does not serialize its programs")
	}
	defer C.nkf_release(&out)
	return f.write(k, view(out.bytes, out.bytes_size))
}

// view returns memory of C, as long as it lives, as bytes.
func view(data *C.char, size C.size_t) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size))
}
