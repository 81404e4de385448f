package nkfx

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Run is the kernel: Jupyter starts it with the file that says on which ports to listen. It returns when
// Jupyter shuts the kernel down or ctx ends, and leaves nothing behind; what a kernel leaves that was killed
// goes when the next one starts.
func (k Kernel) Run(ctx context.Context, connectionFile string) error {
	if err := checkCheckout(k.Checkout); err != nil {
		return err
	}
	for _, tool := range k.missingTools() {
		if !tool.spare {
			return fmt.Errorf("the kernel needs %s: run `nkf kernel install` in %s", tool.path, k.Checkout)
		}
	}
	session, remove, err := scratch(os.TempDir(), "nkf-session-")
	if err != nil {
		return err
	}
	defer remove()
	environment, err := k.environment(ctx, session)
	if err != nil {
		return err
	}
	connectionFile, front, err := openFront(connectionFile, session)
	if err != nil {
		return err
	}
	if front != nil {
		passing, stop := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			front.run(passing)
			close(ended)
		}()
		defer func() {
			stop()
			<-ended
		}()
	}
	log := filepath.Join(session, "gonb.log")
	cmd := exec.CommandContext(ctx, k.program(gonb), "-kernel", connectionFile,
		"-go_work="+k.Checkout, fmt.Sprintf("-raw_error=%t", os.Getenv("NKF_RAW_ERRORS") != ""),
		"-logtostderr=false", "-stderrthreshold=FATAL", "-log_file="+log)
	cmd.Env = environment
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	if err := runBound(cmd); err != nil && ctx.Err() == nil {
		said, _ := os.ReadFile(log)
		return fmt.Errorf("the kernel %s stopped: %w: %s", cmd.Path, err, said[max(0, len(said)-2000):])
	}
	return nil
}

// environment returns the environment of GoNB and of the cells, with the folder of the session for all that
// is temporary.
func (k Kernel) environment(ctx context.Context, session string) ([]string, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("notebooks are compiled by Go, which is not on PATH: %w", err)
	}
	out, err := exec.CommandContext(ctx, goTool, "env", "GOFLAGS").Output()
	if err != nil {
		return nil, fmt.Errorf("asking Go for its flags: %w", err)
	}
	flags := strings.TrimSpace(string(out))
	if !strings.Contains(flags, "-ldflags") {
		// Linking is most of the time a cell takes, and half of it is symbols for debuggers.
		flags = strings.TrimSpace(flags + " '-ldflags=-s -w'")
	}
	bin := filepath.Join(session, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, err
	}
	nkf, err := os.Executable()
	if err != nil {
		return nil, err
	}
	scripts := map[string]string{"go": goScript(goTool, nkf), "gopls": goplsScript(k.program(gopls))}
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			return nil, err
		}
	}
	path := strings.Join([]string{bin, k.tools(), os.Getenv("PATH")}, string(os.PathListSeparator))
	// Data beside the checkout are found from notebooks in any folder.
	shared := os.Getenv("NKF_SHARED")
	if shared == "" {
		shared = filepath.Join(filepath.Dir(k.Checkout), "shared")
	}
	return append(os.Environ(), "PATH="+path, "TMPDIR="+session, "GOFLAGS="+flags, "GOWORK=",
		"GOMLX_NO_AUTO_INSTALL=1", "NKF_SHARED="+shared, cellsEnv+"="+filepath.Join(session, "cells")), nil
}

// goScript returns the script that GoNB runs as go. Before every cell GoNB runs go get, without arguments,
// which asks the network for seconds; but the workspace pins all versions. What a user gets has a name. The
// program of a cell is trimmed before it is built; where that fails, it is built as it is.
func goScript(goTool, nkf string) string {
	return fmt.Sprintf(`#!/bin/sh
case "$*" in
get | 'get -t') exit 0 ;;
"build -o ${GONB_TMP_DIR:-none}/"*)
	%s kernel trim "$GONB_TMP_DIR/main.go" >/dev/null 2>&1
	%s "$@" || exit
	mv -f "$GONB_TMP_DIR/%s" "$GONB_TMP_DIR/%s" 2>/dev/null
	exit 0 ;;
esac
exec %[2]s "$@"
`, quoted(nkf), quoted(goTool), compilingFile, compiledFile)
}

// goplsScript returns the script that GoNB starts as gopls. GoNB ends gopls as it ends; where it is killed
// instead, gopls ends by itself, after more seconds than the twelve that GoNB takes to connect.
func goplsScript(gopls string) string {
	return fmt.Sprintf("#!/bin/sh\nexec %s \"$@\" -listen.timeout=30s\n", quoted(gopls))
}

// quoted returns a text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
