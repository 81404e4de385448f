//go:build !linux

package kernel

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// runBound runs GoNB. Where nkf is killed, nothing ends GoNB but Jupyter.
func runBound(cmd *exec.Cmd, started func()) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	started()
	return cmd.Wait()
}

// endSession kills nothing: what a session has left ends by itself.
func endSession(session string) {}

// processesOf returns the processes that GoNB has started, and those that these have.
func processesOf(value string, gonb int) (found []int) {
	children, _ := exec.Command("pgrep", "-P", strconv.Itoa(gonb)).Output() // an error where there are none
	for _, field := range strings.Fields(string(children)) {
		if process, err := strconv.Atoi(field); err == nil {
			found = append(append(found, process), processesOf(value, process)...)
		}
	}
	return found
}

// signalProcess interrupts a process, or kills it.
func signalProcess(process int, kill bool) {
	p, err := os.FindProcess(process)
	if err != nil {
		return
	}
	if kill {
		_ = p.Kill()
	} else {
		_ = p.Signal(os.Interrupt) // it may have ended
	}
}
