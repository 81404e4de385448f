package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// runBound runs GoNB, which must not outlive nkf, however that ends.
func runBound(cmd *exec.Cmd) error {
	// The signal is bound to the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return cmd.Run()
}

// endSession kills the processes that a session has left: cells, gopls, and their children, which have groups
// of their own and do not end with GoNB. They are known by their folder for temporary files.
func endSession(session string) {
	for range 50 { // what is killed may have started others
		left := processesOf(session)
		if len(left) == 0 {
			return
		}
		for _, process := range left {
			_ = syscall.Kill(process, syscall.SIGKILL)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// processesOf returns the processes of a session that still run.
func processesOf(session string) (found []int) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		process, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || process == os.Getpid() {
			continue
		}
		environment, _ := os.ReadFile(path) // empty for those of others, and those that have ended
		for value := range bytes.SplitSeq(environment, []byte{0}) {
			if string(value) == "TMPDIR="+session {
				found = append(found, process)
				break
			}
		}
	}
	return found
}
