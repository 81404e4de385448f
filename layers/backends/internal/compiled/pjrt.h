// The part of the PJRT C API (OpenXLA, pjrt_c_api.h, major version 0) that keeping executables needs. The API
// only ever grows at the end of its structures, so what stands here holds for later minor versions too.
#ifndef NKF_PJRT_H
#define NKF_PJRT_H

#include <stddef.h>

typedef void* (*nkf_call)(void* args);

// How every structure begins.
#define NKF_HEAD size_t struct_size; void* extensions

// The first fields of PJRT_Api.
typedef struct {
	NKF_HEAD;
	struct { NKF_HEAD; int major, minor; } version;
	nkf_call call[];
} nkf_api;

// Places of functions in PJRT_Api.
enum {
	nkf_error_destroy = 0,
	nkf_client_addressable_devices = 16,
	nkf_client_compile = 20,
	nkf_executable_destroy = 40,
	nkf_executable_serialize = 49,
	nkf_loaded_get_executable = 51,
	nkf_executable_load = 56,
};

// Arguments of these functions. Those of PJRT_Error_Destroy and PJRT_Executable_Destroy are an object.
typedef struct { NKF_HEAD; void* object; } nkf_object_args;
typedef struct { NKF_HEAD; void* client; void* const* devices; size_t devices_size; } nkf_devices_args;
typedef struct { NKF_HEAD; char* code; size_t code_size; const char* format; size_t format_size; } nkf_program;
typedef struct {
	NKF_HEAD; void* client; const nkf_program* program; const char* options; size_t options_size; void* executable;
} nkf_compile_args;
typedef struct { NKF_HEAD; void* loaded; void* executable; } nkf_get_args;
typedef struct {
	NKF_HEAD; void* executable; const char* bytes; size_t bytes_size; void* owner; void (*free_owner)(void* owner);
} nkf_serialize_args;
typedef struct {
	NKF_HEAD; void* client; const char* bytes; size_t bytes_size; void* loaded; const char* options; size_t options_size;
} nkf_load_args;

// nkf_attach puts nkfCompile in the place of the plug-in's own function. It returns 0, or a
// sentence that says why it cannot be done.
const char* nkf_attach(const char* library);

// nkf_devices returns how many devices a client has.
size_t nkf_devices(void* client);

// nkf_load returns a loaded executable from what nkf_serialize made, or 0.
void* nkf_load(void* client, const char* bytes, size_t size);

// nkf_serialize fills in bytes, which the caller frees with nkf_release, and returns 0 on success.
int nkf_serialize(void* loaded, nkf_serialize_args* out);
void nkf_release(nkf_serialize_args* out);

// The plug-in's own function.
void* nkf_compile(void* args);

#endif
