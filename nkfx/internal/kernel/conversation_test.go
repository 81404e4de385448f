package kernel

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestConversation talks to the installed kernel as Jupyter does: `make kernel` installs it.
func TestConversation(t *testing.T) {
	backendtest.NeedLong(t)
	cmd := exec.Command(root+"/.venv/bin/python", root+"/.jupyter/conversation.py")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "NKF_STEP=1") // between interrupts; ten times as many take eight minutes
	require.NoError(t, cmd.Run())
}
