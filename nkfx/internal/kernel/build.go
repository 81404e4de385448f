package kernel

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// builder builds the programs of cells when GoNB runs go build.
type builder struct {
	goTool   string
	env      []string
	link     string // flags for programs without C of their own, "" for none
	packages *cell.Packages
	listener net.Listener
	secret   string
}

// BuildEnv names the environment variable by which the go command of a kernel finds it.
const BuildEnv = "NKF_KERNEL"

// buildRequest is what the go command asks for.
type buildRequest struct {
	Secret string
	Dir    string
	Args   []string
}

// Build is the go command of a kernel where GoNB compiles a cell: it waits until the kernel has.
func Build(args []string) error {
	address, secret, _ := strings.Cut(os.Getenv(BuildEnv), " ")
	c, err := net.Dial("tcp", address)
	if err != nil {
		return fmt.Errorf("the kernel of this cell: %w", err)
	}
	defer c.Close()
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := json.NewEncoder(c).Encode(buildRequest{secret, dir, args}); err != nil {
		return err
	}
	said, err := io.ReadAll(c)
	if err == nil && string(said) != "built" {
		err = errors.New("the cell was not built")
	}
	return err
}

func openBuilder(goTool string) (*builder, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("a port for builds: %w", err)
	}
	return &builder{goTool: goTool, listener: listener, secret: rand.Text()}, nil
}

// build serves the go command until ctx ends.
func (s *session) build(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { s.listener.Close() })()
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.finished.Go(func() {
			defer c.Close()
			var asked buildRequest
			if json.NewDecoder(c).Decode(&asked) != nil || asked.Secret != s.secret {
				return
			}
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			go func() { // the go command may be ended
				_, _ = c.Read(make([]byte, 1))
				cancel()
			}()
			s.mu.Lock()
			e := s.running
			s.mu.Unlock()
			if e != nil && s.buildCell(ctx, cancel, e, asked) == nil {
				_, _ = c.Write([]byte("built"))
			}
		})
	}
}

// buildCell builds the program of a cell, and notes its mistakes.
func (s *session) buildCell(
	ctx context.Context, cancel context.CancelFunc, e *execution, asked buildRequest,
) error {
	e.mu.Lock()
	e.stopBuild = cancel
	if e.interrupted {
		cancel()
	}
	e.mu.Unlock()
	s.mu.Lock()
	memory := s.memory
	s.mu.Unlock()
	built, mistakes := memory.Program(e.cell, s.packages, e.args)
	if mistakes == nil {
		var said string
		var err error
		if said, err = s.compile(ctx, e, built, asked); err == nil {
			return s.ran(e, built.After)
		}
		mistakes = cell.Compiler(said, func(id string) *cell.Cell {
			if id == e.cell.ID {
				return e.cell
			}
			return s.cells[id]
		})
		if mistakes == nil {
			mistakes = []*cell.Error{{Cell: e.cell, Message: strings.TrimSpace(said)}}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.interrupted {
		e.why = wrong(mistakes)
	}
	return errors.New("not built")
}

// compile compiles a program with the flags that GoNB was given, unless it was compiled before, and returns
// what the compiler says.
func (s *session) compile(
	ctx context.Context, e *execution, built *cell.Built, asked buildRequest,
) (string, error) {
	flags := asked.Args[1+slices.Index(asked.Args, "-o"):]
	target, flags := flags[0], flags[1:]
	text := built.Text()
	sum := sha256.Sum256([]byte(text + strings.Join(asked.Args[:2], " ") + strings.Join(flags, " ")))
	name := hex.EncodeToString(sum[:12])
	dir, binary := filepath.Join(asked.Dir, "nkf_cell"), filepath.Join(asked.Dir, "nkf_binaries", name)
	file, command := "main.go", []string{"build"}
	if e.cell.Test {
		file, command = "main_test.go", []string{"test", "-c"}
	}
	err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755), os.MkdirAll(filepath.Dir(binary), 0o755))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)
	}
	if err != nil {
		return err.Error(), err
	}
	forget(binary)
	run := func(more ...string) (string, error) {
		args := slices.Concat(command, []string{"-o", binary}, more, flags, []string{"./nkf_cell"})
		cmd := exec.CommandContext(ctx, s.goTool, args...)
		cmd.Dir, cmd.Env, cmd.WaitDelay = asked.Dir, s.env, 100*time.Millisecond
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		err := cmd.Run()
		return said.String(), err
	}
	var fast []string
	if s.link != "" {
		fast = []string{s.link}
	}
	said, err := run(fast...)
	if err != nil && fast != nil && ctx.Err() == nil && !strings.Contains(said, cell.StackFolder) {
		said, err = run()
	}
	if err == nil {
		err = s.program(target, binary, built.Reads)
	}
	return said, err
}

// binaries is how many programs stay compiled.
const binaries = 32

// forget removes the binaries that were not asked for the longest, to leave room for one.
func forget(binary string) {
	now := time.Now()
	_ = os.Chtimes(binary, now, now) // there is none yet, or it is the youngest
	type aged struct {
		path string
		at   time.Time
	}
	var all []aged
	files, _ := os.ReadDir(filepath.Dir(binary))
	for _, f := range files {
		if info, err := f.Info(); err == nil && f.Name() != filepath.Base(binary) {
			all = append(all, aged{filepath.Join(filepath.Dir(binary), f.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return b.at.Compare(a.at) })
	for _, old := range all[min(len(all), binaries-1):] {
		_ = os.Remove(old.path)
	}
}
