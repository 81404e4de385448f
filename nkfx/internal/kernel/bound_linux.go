package kernel

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// runBound runs GoNB, which must not outlive nkf, however that ends.
func runBound(cmd *exec.Cmd, started func()) error {
	// The signal is bound to the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return err
	}
	started()
	return cmd.Wait()
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
	for _, process := range processes() {
		environment, _ := os.ReadFile(procFile(process, "environ")) // empty for others'
		for value := range bytes.SplitSeq(environment, []byte{0}) {
			if string(value) == "TMPDIR="+session && process != os.Getpid() {
				found = append(found, process)
				break
			}
		}
	}
	return found
}

func procFile(process int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(process), name)
}

func processes() (found []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		if process, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			found = append(found, process)
		}
	}
	return found
}

// descendants returns the processes that a process has started, and those that these have.
func descendants(of int) (found []int) {
	children := map[int][]int{}
	for _, process := range processes() {
		stat, _ := os.ReadFile(procFile(process, "stat")) // empty if it has ended
		_, after, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
		if fields := strings.Fields(after); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1]) // of digits
			children[parent] = append(children[parent], process)
		}
	}
	for queue := children[of]; len(queue) > 0; queue = queue[1:] {
		found = append(found, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return found
}

// signalProcess interrupts a process, or kills it.
func signalProcess(process int, kill bool) {
	signal := syscall.SIGINT
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(process, signal) // it may have ended
}
