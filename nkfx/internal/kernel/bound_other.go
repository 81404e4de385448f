//go:build !linux

package kernel

import "os/exec"

// runBound runs GoNB. Where nkf is killed, nothing ends GoNB but Jupyter.
func runBound(cmd *exec.Cmd) error { return cmd.Run() }
