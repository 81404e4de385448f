package kernel

import (
	"os/exec"
	"runtime"
	"syscall"
)

// runBound runs GoNB, which must not outlive nkf, however that ends.
func runBound(cmd *exec.Cmd) error {
	// The signal is bound to the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return cmd.Run()
}
