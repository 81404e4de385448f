// Package pages makes the C library keep the memory that compiled programs free, in huge pages if the system
// grants them on request.
//
// XLA allocates its temporary arrays again in every call, and glibc returns freed arrays of more than 32 MiB
// to the system at once. The kernel then fetches and clears every page of 4 KiB at its first use, which takes
// longer than the computation: integrals of 1-forms over 10⁵ edges in one piece took 73 ms, with huge pages
// 37 ms, and with a heap that is not returned as well 25 ms. It is imported for this side effect.
package pages

import "strings"

// Settings of the C library of GNU, which reads them when a program starts: eight heaps that are never
// returned, and huge pages. In fewer heaps threads that compile programs wait for each other: the first run
// of BZR takes about 3 s in eight, 3.6 in two and 5 in one, on two cores. In two heaps integrals would take
// a fifth less time.
const (
	heap = "glibc.malloc.arena_max=8:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=18446744073709551615"
	huge = ":glibc.malloc.hugetlb=1"
)

// tunables returns the GLIBC_TUNABLES to start with, given the current ones, and whether a restart is needed:
// if the user has set nothing of the kind. The file enabled says whether the kernel grants huge pages.
func tunables(enabled, now string) (string, bool) {
	if strings.Contains(now, "glibc.malloc.") {
		return now, false
	}
	if now != "" {
		now += ":"
	}
	now += heap
	if strings.Contains(enabled, "[madvise]") {
		now += huge
	}
	return now, true
}
