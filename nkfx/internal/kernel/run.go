package kernel

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
)

// Run runs the kernel on the ports that Jupyter's connection file names, until Jupyter shuts it down or
// ends in any way, or ctx ends. It leaves neither processes nor files behind; the files of a killed kernel
// are removed by the next one.
func (k Kernel) Run(ctx context.Context, connectionFile string) error {
	ctx, stop := withParent(ctx)
	defer stop()
	checkout, err := checkoutAround(k.Checkout)
	if err != nil {
		return err
	}
	k.Checkout = checkout
	for _, tool := range k.missingTools() {
		if !tool.optional {
			return fmt.Errorf("the kernel needs %s: run `nkf kernel install` in %s", tool.path, k.Checkout)
		}
	}
	session, remove, err := scratch.Make(os.TempDir(), "nkf-session-")
	if err != nil {
		return err
	}
	defer remove()
	defer endSession(session)
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
		var relay sync.WaitGroup
		relay.Go(func() { front.run(passing) })
		defer relay.Wait()
		defer stop()
	}
	log := filepath.Join(session, "gonb.log")
	cmd := exec.CommandContext(ctx, k.program(gonb), "-kernel", connectionFile,
		"-go_work="+k.Checkout, fmt.Sprintf("-raw_error=%t", os.Getenv("NKF_RAW_ERRORS") != ""),
		"-logtostderr=false", "-stderrthreshold=FATAL", "-log_file="+log)
	cmd.Env = environment
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	if err := runBound(cmd); err != nil && ctx.Err() == nil {
		said, _ := os.ReadFile(log)
		return fmt.Errorf("the kernel %s stopped: %w: %s", cmd.Path, err, said[max(0, len(said)-2000):])
	}
	return nil
}

// environment returns the environment of GoNB and of cells. All temporary files go to the session's
// folder.
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
	link := ""
	if !strings.Contains(flags, "-ldflags") {
		// Most of the time of a cell goes into linking, half of it for the symbols of debuggers, and then
		// a third of it for gcc, which is not needed where the program has no C++ of its own.
		flags, link = strings.TrimSpace(flags+" '-ldflags=-s -w'"), "'-ldflags=-s -w -linkmode=internal'"
	}
	bin := filepath.Join(session, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, err
	}
	nkf, err := os.Executable()
	if err != nil {
		return nil, err
	}
	scripts := map[string]string{"go": goScript(goTool, nkf, link), "gopls": goplsScript(k.program(gopls))}
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			return nil, err
		}
	}
	path := strings.Join([]string{bin, k.tools(), os.Getenv("PATH")}, string(os.PathListSeparator))
	return append(os.Environ(), "PATH="+path, "TMPDIR="+session, "GOFLAGS="+flags, "GOWORK=",
		"GOMLX_NO_AUTO_INSTALL=1", cell.FolderEnv+"="+filepath.Join(session, "cells")), nil
}

// goScript returns the script that GoNB runs as go. Before every cell GoNB runs go get without
// arguments, which asks the network for seconds although the workspace pins all versions; what a
// user gets has a name. The program of a cell is built trimmed, with the flags of link, unless it was
// before, and whole and without these should that fail.
func goScript(goTool, nkf, link string) string {
	return fmt.Sprintf(`#!/bin/sh
case "$*" in
get | 'get -t') exit 0 ;;
"build -o ${GONB_TMP_DIR:-none}/"*)
	cd "$GONB_TMP_DIR" || exit
	(
		binary=$(%s kernel trim main.go) && target=$3 && shift 3 &&
			%s build -o "$binary" %[6]s "$@" ./%[3]s &&
			{ ln -f "$binary" "$target" || cp "$binary" "$target"; }
	) >/dev/null 2>&1 || %[2]s "$@" || exit
	mv -f %[4]s %[5]s 2>/dev/null
	exit 0 ;;
esac
exec %[2]s "$@"
`, quoted(nkf), quoted(goTool), cell.TrimmedFolder, cell.CompilingFile, cell.CompiledFile, link)
}

// goplsScript returns the script that GoNB starts as gopls. It ends by itself where GoNB was killed
// and cannot end it, after more than the twelve seconds that GoNB takes to connect.
func goplsScript(gopls string) string {
	return fmt.Sprintf("#!/bin/sh\nexec %s \"$@\" -listen.timeout=30s\n", quoted(gopls))
}

// quoted returns text as one word for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
