package xla

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// What a client on the CPU and the compilation of a large program add to a process: measured 0.5 GB and 23
// threads for a client, and 1.9 GB for the first training of a cochain network, on two processors; 18 MB and
// 2.2 threads for each further one. Go starts threads when it needs them, and has up to goThreads in a
// training: what it has now differs from run to run.
const (
	roomSpace, processorSpace     = 2_000_000_000, 25_000_000
	roomThreads, processorThreads = 24, 3
	goThreads                     = 16
)

// Room returns an error if the limits of the process leave less address space, or fewer threads, than XLA
// needs. It would abort or wait for ever.
func Room() error {
	processors := uint64(runtime.NumCPU())
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) == nil && limit.Cur != unix.RLIM_INFINITY {
		if need := mapped() + roomSpace + processorSpace*processors; limit.Cur < need {
			const step = 500_000 // kB; what is mapped differs from run to run, by less than half of it
			return fmt.Errorf("XLA needs %d kB of address space, and `ulimit -v` allows %d",
				(need/1024+step/2+step)/step*step, limit.Cur/1024)
		}
	}
	// Most limits are far larger than what anybody has, which takes time to count. Root has none.
	const far = 1 << 14
	if os.Getuid() != 0 && unix.Getrlimit(unix.RLIMIT_NPROC, &limit) == nil && limit.Cur < far {
		others, own := threads(os.Getuid())
		need := others + max(own, goThreads) + roomThreads + processorThreads*processors
		if limit.Cur < need {
			return fmt.Errorf("with XLA you would have up to %d threads, and `ulimit -u` allows %d", need,
				limit.Cur)
		}
	}
	return nil
}

// mapped returns the size of the address space of the process, 0 if unknown.
func mapped() uint64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _, _ := strings.Cut(string(text), " ")
	n, _ := strconv.ParseUint(pages, 10, 64)
	return n * uint64(os.Getpagesize())
}

// threads returns the numbers of threads of a user in other processes and in this one.
func threads(user int) (others, own uint64) {
	tasks, _ := filepath.Glob("/proc/[0-9]*/task/*")
	self := fmt.Sprintf("/proc/%d/", os.Getpid())
	for _, task := range tasks {
		info, err := os.Stat(task)
		if err != nil {
			continue // it has ended
		}
		if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != user {
			continue
		}
		if strings.HasPrefix(task, self) {
			own++
		} else {
			others++
		}
	}
	return others, own
}
