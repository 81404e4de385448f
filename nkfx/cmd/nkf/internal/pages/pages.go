// Package pages has large arrays in huge pages where the system gives them to who asks.
//
// XLA allocates the arrays between its loops anew in every call. In pages of 4 KiB, each of which the kernel
// fetches and clears when it is first written to, that takes nearly as long as the loops: four tenths of the
// time of integrals of 1-forms over 10⁵ edges.
package pages

import "strings"

// tunable makes glibc ask for huge pages. It is read when a program starts.
const tunable = "glibc.malloc.hugetlb"

// tunables returns the GLIBC_TUNABLES to start with, given those that there are, and whether it takes a new
// start: where the kernel gives huge pages to who asks, as the file enabled says, and nobody has chosen.
func tunables(enabled, now string) (string, bool) {
	if !strings.Contains(enabled, "[madvise]") || strings.Contains(now, tunable) {
		return now, false
	}
	if now != "" {
		now += ":"
	}
	return now + tunable + "=1", true
}
