// Package pages puts large arrays into huge pages where the system grants them on request.
//
// XLA allocates the arrays between its loops again in every call. In pages of 4 KiB, each of which the kernel
// fetches and clears when it is first written to, that takes nearly as long as the loops: four tenths of the
// time of integrals of 1-forms over 10⁵ edges.
package pages

import "strings"

// tunable makes glibc ask for huge pages. It is read when a program starts.
const tunable = "glibc.malloc.hugetlb"

// tunables returns the GLIBC_TUNABLES to start with, given the current ones, and whether a restart is needed:
// if the kernel grants huge pages on request, according to the file enabled, and the user has set nothing.
func tunables(enabled, now string) (string, bool) {
	if !strings.Contains(enabled, "[madvise]") || strings.Contains(now, tunable) {
		return now, false
	}
	if now != "" {
		now += ":"
	}
	return now + tunable + "=1", true
}
