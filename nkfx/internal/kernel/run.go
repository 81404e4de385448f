package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/neuralkforms/nkf/nkfx"
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
	if missing := k.Missing(); len(missing) > 0 {
		return fmt.Errorf("the kernel needs %s: run `nkf kernel install` in %s", missing[0], k.Checkout)
	}
	dir, remove, err := scratch.Make(os.TempDir(), "nkf-session-")
	if err != nil {
		return err
	}
	defer remove()
	defer endSession(dir)
	r, err := openRelay(connectionFile, dir) // first: another listener may get a port that Jupyter has chosen
	if err != nil {
		return err
	}
	s, err := k.open(ctx, dir)
	if err != nil {
		return errors.Join(err, r.close())
	}
	s.key, r.session = r.key, s
	running, end := context.WithCancel(ctx)
	s.ctx = running
	var parts sync.WaitGroup
	parts.Go(func() { r.run(running) })
	parts.Go(func() { s.build(running) })
	parts.Go(func() { k.prepare(running, s) })
	defer s.finished.Wait()
	defer parts.Wait()
	defer end()
	log := filepath.Join(dir, "gonb.log")
	cmd := exec.CommandContext(ctx, k.binary(gonb), "-kernel", r.file, "-raw_error",
		"-logtostderr=false", "-stderrthreshold=FATAL", "-log_file="+log)
	cmd.Env = append(slices.Clone(s.env), s.cellsEnv(), buildEnv+"="+s.listener.Addr().String()+" "+s.secret)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	err = runBound(cmd, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.gonb = cmd.Process.Pid
	})
	if err != nil && ctx.Err() == nil {
		said, _ := os.ReadFile(log)
		return fmt.Errorf("the kernel %s stopped: %w: %s", cmd.Path, err, said[max(0, len(said)-2000):])
	}
	return nil
}

// open opens a session in a folder, which all temporary files of it go to.
func (k Kernel) open(ctx context.Context, dir string) (*session, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("notebooks are compiled by Go, which is not on PATH: %w", err)
	}
	flags, err := goFlags(ctx, goTool)
	if err != nil {
		return nil, err
	}
	b, err := openBuilder(goTool)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(flags, "-ldflags") {
		// Most of the time of a cell goes into linking, half of it for the symbols of debuggers, and then
		// a third of it for gcc, which is not needed where the program has no C++ of its own.
		flags, b.link = strings.TrimSpace(flags+" '-ldflags=-s -w'"), "-ldflags=-s -w -linkmode=internal"
	}
	nkf, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// GoNB looks for all three.
	scripts := map[string]string{"go": goScript(goTool, nkf, dir), "goimports": "", "gopls": "exit 1\n"}
	for name, script := range scripts {
		if err := writeProgram(filepath.Join(dir, "bin", name), script); err != nil {
			return nil, err
		}
	}
	if err := k.writeModule(dir); err != nil {
		return nil, err
	}
	path := strings.Join([]string{filepath.Join(dir, "bin"), os.Getenv("PATH")}, string(os.PathListSeparator))
	b.env = append(goEnvironment(flags), "PATH="+path, "TMPDIR="+dir, "GOMLX_NO_AUTO_INSTALL=1")
	b.packages = &cell.Packages{Go: goTool, Dir: filepath.Join(dir, "module"), Env: b.env}
	list, _ := os.ReadFile(k.packageList()) // without, packages are listed when cells import them
	b.packages.Add(string(list))
	s := &session{dir: dir, builder: b, memory: &cell.Memory{}, cells: map[string]*cell.Cell{},
		comms: map[string]bool{}}
	if _, err := os.Stat(k.binary(gopls)); err == nil {
		s.gopls = newServer()
	}
	return s, os.MkdirAll(filepath.Join(dir, "cells"), 0o755)
}

// writeModule writes go.mod and go.sum of cells, which import what the checkout does, at its versions.
func (k Kernel) writeModule(dir string) error {
	pins, err := os.ReadFile(filepath.Join(k.Checkout, "go.mod"))
	if err != nil {
		return err
	}
	sums, _ := os.ReadFile(filepath.Join(k.Checkout, "go.sum")) // absent without dependencies
	module := moduleLine.ReplaceAllString(string(pins), "module cells") +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", nkfx.Module, k.Checkout)
	return errors.Join(writeFile(filepath.Join(dir, "module", "go.mod"), module, 0o644),
		writeFile(filepath.Join(dir, "module", "go.sum"), string(sums), 0o644))
}

// prepare starts gopls a second after GoNB has made its module, and lists the packages that cells may import.
func (k Kernel) prepare(ctx context.Context, s *session) {
	var module string
	for module == "" {
		found, _ := filepath.Glob(filepath.Join(s.dir, "gonb_*", "go.sum"))
		if len(found) > 0 {
			module = filepath.Dir(found[0])
		}
		if !pause(ctx, 10*time.Millisecond) {
			return
		}
	}
	s.packages.SetDir(module)
	if !pause(ctx, time.Second) { // the first cell of a notebook, which is there at once, has both processors
		return
	}
	if s.gopls != nil {
		_ = s.gopls.start(ctx, k.binary(gopls), module, s.env) // cells run without
	}
	if list, err := s.packages.List(ctx, listedPackages...); err == nil {
		s.packages.Add(list)
	}
}

// listedPackages are those that cells can import without a wait.
var listedPackages = []string{
	"std", nkfx.Module + "/layers/...", nkfx.Module + "/datasets/...", nkfx.Module + "/nkfx/...",
}

// goScript returns the script that GoNB runs as go. GoNB makes a module when it starts, and runs go get
// before every cell, which asks the network for seconds; what a user gets has a name. The program of a cell
// is built by the kernel; GoNB runs it. See [Build].
func goScript(goTool, nkf, dir string) string {
	return fmt.Sprintf(`case "$*" in
get | 'get -t') exit 0 ;;
'mod init '*) exec cp %[3]s/go.mod %[3]s/go.sum . ;;
"build -o ${GONB_TMP_DIR:-none}/"* | "test -c -o ${GONB_TMP_DIR:-none}/"*) exec %[2]s kernel build -- "$@" ;;
esac
exec %[1]s "$@"
`, quoted(goTool), quoted(nkf), quoted(filepath.Join(dir, "module")))
}

// writeFile writes a file, with the folders that it is in.
func writeFile(path, text string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), mode)
}

func writeProgram(path, script string) error { return writeFile(path, "#!/bin/sh\n"+script, 0o755) }

// quoted returns text as one word for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// withParent returns a context that ends with the process that started this one, too: a server of Jupyter
// that is killed shuts no kernel down.
func withParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		defer cancel()
		for os.Getppid() == parent && pause(ctx, time.Second) {
		}
	}()
	return ctx, cancel
}

// pause waits, and reports whether ctx goes on.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}
