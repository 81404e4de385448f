//go:build cgo

package limits

// #include <stdio.h>
// #include <sys/resource.h>
// #include <unistd.h>
//
// // A run on the Go backend has up to 1.9 GB mapped, most of it never used, and 8 threads. With 1.7 GB half
// // of them abort, with 12 threads all. Root has no limit of threads.
// #define SPACE 2000000ul
// #define THREADS 16
//
// // The C library calls it before Go's runtime begins.
// __attribute__((constructor)) static void check(void) {
// 	struct rlimit limit;
// 	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / 1024 < SPACE) {
// 		dprintf(2, "nkf: it needs %lu kB of address space, and ulimit -v allows %lu\n", SPACE,
// 			(unsigned long)(limit.rlim_cur / 1024));
// 		_exit(1);
// 	}
// 	if (getuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < THREADS) {
// 		dprintf(2, "nkf: it needs %d threads, and ulimit -u allows %lu\n", THREADS,
// 			(unsigned long)limit.rlim_cur);
// 		_exit(1);
// 	}
// }
import "C"
