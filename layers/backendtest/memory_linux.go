package backendtest

/*
#include <malloc.h>

// used returns the bytes that are in use of the heap of the C library, or 0 where it does not count them.
static unsigned long used(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
#else
	return 0;
#endif
}
*/
import "C"

// NativeBytes returns how many bytes the process has taken from the C library and not given back: the memory
// of XLA, its compiler and its buffers, none of which Go sees. Unlike the resident memory it does not count
// what is free between two blocks in use, which changes from one run of a program to the next.
func NativeBytes() (bytes int64, ok bool) {
	bytes = int64(C.used())
	return bytes, bytes != 0
}
