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
		left := processesOf("TMPDIR="+session, 0)
		if len(left) == 0 {
			return
		}
		for _, process := range left {
			signalProcess(process, true)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// processesOf returns the processes with a value in their environment, and those that these have started, but
// for GoNB and this one.
func processesOf(value string, gonb int) (found []int) {
	children := map[int][]int{}
	var queue []int
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		process, _ := strconv.Atoi(filepath.Base(dir))               // of digits
		stat, _ := os.ReadFile(filepath.Join(dir, "stat"))           // empty if it has ended
		environment, _ := os.ReadFile(filepath.Join(dir, "environ")) // empty for others'
		if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) > 1 {
			parent, _ := strconv.Atoi(string(fields[1]))
			children[parent] = append(children[parent], process)
		}
		if bytes.Contains(append([]byte{0}, environment...), []byte("\x00"+value+"\x00")) {
			queue = append(queue, process)
		}
	}
	seen := map[int]bool{os.Getpid(): true, gonb: true}
	for ; len(queue) > 0; queue = queue[1:] {
		if process := queue[0]; !seen[process] {
			seen[process] = true
			found = append(found, process)
			queue = append(queue, children[process]...)
		}
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
