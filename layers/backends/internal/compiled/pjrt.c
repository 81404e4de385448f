//go:build linux && cgo

#include "pjrt.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "_cgo_export.h"

static const nkf_api* api;
static nkf_call own_compile;

const char* nkf_attach(const char* library) {
	// The library stays loaded: go-xla gets the same one, with the same table of functions.
	void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
	if (!handle) return dlerror();
	const nkf_api* (*get)(void) = (const nkf_api* (*)(void))dlsym(handle, "GetPjrtApi");
	if (!get) return dlerror();
	const nkf_api* found = get();
	if (!found) return "it has no functions";
	if (found->version.major != 0 ||
		found->struct_size < offsetof(nkf_api, call) + (nkf_executable_load + 1) * sizeof(nkf_call))
		return "it speaks another version of PJRT";
	if (api == found) return 0;
	if (api) return "another plug-in is in use";
	nkf_call* call = (nkf_call*)found->call;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)call & ~(page - 1);
	uintptr_t to = (uintptr_t)&call[nkf_client_compile + 1];
	if (mprotect((void*)from, to - from, PROT_READ | PROT_WRITE)) return "its table of functions cannot be changed";
	own_compile = call[nkf_client_compile];
	api = found;
	call[nkf_client_compile] = (nkf_call)nkfCompile;
	return 0;
}

// failed reports whether a call failed, and frees its error.
static int failed(void* error) {
	if (!error) return 0;
	nkf_object_args args = {sizeof args, 0, error};
	api->call[nkf_error_destroy](&args);
	return 1;
}

size_t nkf_devices(void* client) {
	nkf_devices_args args = {sizeof args, 0, client};
	return failed(api->call[nkf_client_addressable_devices](&args)) ? 0 : args.devices_size;
}

void* nkf_load(void* client, const char* bytes, size_t size) {
	nkf_load_args args = {sizeof args, 0, client, bytes, size};
	return failed(api->call[nkf_executable_load](&args)) ? 0 : args.loaded;
}

int nkf_serialize(void* loaded, nkf_serialize_args* out) {
	nkf_get_args get = {sizeof get, 0, loaded};
	if (failed(api->call[nkf_loaded_get_executable](&get))) return 1;
	memset(out, 0, sizeof *out);
	out->struct_size = sizeof *out;
	out->executable = get.executable;
	return failed(api->call[nkf_executable_serialize](out));
}

void nkf_release(nkf_serialize_args* out) {
	if (out->owner) out->free_owner(out->owner);
	nkf_object_args args = {sizeof args, 0, out->executable};
	failed(api->call[nkf_executable_destroy](&args));
}

void* nkf_compile(void* args) { return own_compile(args); }
