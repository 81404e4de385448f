package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// session is a kernel that runs: what cells have declared, and those that run and wait. One runs at a time.
// After a cell in error those that already wait do not run, as Jupyter's protocol has it (stop_on_error);
// GoNB would run them all, among them sliders that wait for somebody who no longer sees them.
type session struct {
	ctx context.Context
	dir string // for files of the session, which programs find as well
	key key
	*builder
	gopls    *server // nil without
	mu       sync.Mutex
	memory   *cell.Memory
	cells    map[string]*cell.Cell // that have run, by ID
	count    int                   // of cells, as GoNB counts them
	running  *execution            // at GoNB, nil for none
	last     *execution            // the one before, of which output may still come
	past     []*execution          // the history
	comms    map[string]bool       // connections of widgets, by ID
	waiting  []*execution
	stopped  string // the id of the cell that was interrupted last
	publish  func(*message)
	gonb     int // the process, 0 before there is one
	finished sync.WaitGroup
}

// execution is a request to run a cell.
type execution struct {
	*message
	kernel  *socket // the connection to GoNB
	code    string
	cell    *cell.Cell
	count   int                    // of cells, with it
	silent  bool                   // it shows nothing
	value   atomic.Pointer[string] // the text of its value, nil for none
	shown   bool                   // its value was displayed
	args    bool                   // the program gets arguments
	aborted bool                   // it does not run
	failed  chan struct{}          // closed when it is known why it has failed
	done    chan struct{}

	// Of which mu is that of the session.
	why       *failure
	stopBuild context.CancelFunc
}

// wasInterrupted reports whether the cell with that id was the last to be interrupted.
func (s *session) wasInterrupted(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped == id
}

// request takes a request from Jupyter, on the control channel or another, and reports whether that is all:
// other requests go to GoNB.
func (s *session) request(m *message, client, kernel *socket, control bool) bool {
	if kind, content := s.answer(m, control); kind != "" {
		_ = client.send(s.key.answer(m, kind, content).all()) // a client that is gone needs no answer
		s.answered(m)
		return true
	}
	switch m.kind {
	case "execute_request":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting = append(s.waiting, &execution{
			message: m, kernel: kernel, code: m.text("code"), silent: string(m.content["silent"]) == "true",
			failed: make(chan struct{}), done: make(chan struct{}),
		})
		if s.running == nil {
			s.next()
		}
	case "interrupt_request":
		s.interrupt()
		_ = client.send(s.key.answer(m, "interrupt_reply", map[string]any{"status": "ok"}).all())
	case "complete_request", "inspect_request", "is_complete_request":
		s.finished.Go(func() {
			kind, content := s.assist(m)
			_ = client.send(s.key.answer(m, kind, content).all())
			s.answered(m)
		})
	case "comm_open", "comm_msg", "comm_close":
		if !s.comm(m) {
			s.answered(m)
			return true
		}
		return false
	default:
		return false
	}
	return true
}

// answered says that a request has been answered: JupyterLab waits for the kernel to be idle again.
func (s *session) answered(m *message) {
	status := func(of *message, state string) {
		s.publish(s.key.answer(of, "status", map[string]any{"execution_state": state}))
	}
	status(m, "busy")
	status(m, "idle")
	s.mu.Lock()
	e := s.running
	s.mu.Unlock()
	if e != nil {
		status(e.message, "busy")
	}
}

// next makes GoNB run the cell that waits longest. GoNB says of one that is aborted what Jupyter waits for as
// well, that the kernel is busy and idle again.
func (s *session) next() {
	e := s.waiting[0]
	s.running, s.waiting = e, s.waiting[1:]
	_ = os.Remove(s.stopFile())
	forwarded := map[string]any{"code": "", "silent": e.silent || e.aborted, "store_history": false}
	if !e.aborted {
		if !e.silent && string(e.content["store_history"]) != "false" {
			s.count++
			s.past = append(s.past, e)
			forwarded["store_history"] = true
		}
		e.cell = cell.New(e.code, s.count)
		forwarded["code"] = s.commands(e)
	}
	e.count = s.count
	s.key.set(e.message, forwarded)
	_ = e.kernel.send(e.all()) // whoever reads from GoNB notices if it is gone
}

// withoutInput returns commands, those of the shell without input unless GoNB asks the user for it.
func withoutInput(commands []string) (lines []string) {
	asks := false
	for _, line := range commands {
		line = strings.TrimPrefix(line, "//gonb:")
		switch {
		case strings.HasPrefix(line, "%with_"): // inputs, or a password, for the next command
			asks = true
		case line[0] == '!' && asks:
			asks = false
		case line[0] == '!':
			line = shellStart.ReplaceAllString(line, "${0}exec </dev/null; ")
		}
		lines = append(lines, line)
	}
	return lines
}

// shellStart matches what stands before a command of the shell.
var shellStart = regexp.MustCompile(`^!\s*\*?`)

// commands returns the cell that GoNB gets: the commands in it and, if there is Go code to run, an empty main
// in the place of the program.
func (s *session) commands(e *execution) string {
	if e.cell.Other {
		return e.code
	}
	var out []string
	for _, line := range withoutInput(e.cell.Commands) {
		f := strings.Fields(line)
		switch f[0] {
		case "%%", "%main", "%args", "%exec":
			f = f[min(len(f), 1+strings.Count(f[0], "exec")):]
			if e.args = e.args || len(f) > 0; len(f) > 0 {
				out = append(out, "%args "+strings.Join(f, " "))
			}
		case "%test":
			if len(f) == 1 {
				line = "%test -test.v -test.bench=. -test.run=^(" + strings.Join(e.cell.Tests(), "|") + ")$"
			}
			out = append(out, line)
		case "%ls", "%list":
			list := filepath.Join(s.dir, "list")
			_ = os.WriteFile(list, []byte(s.memory.List()), 0o644) // without, cat says so
			out = append(out, "!cat "+quoted(list))
		case "%rm", "%remove":
			s.memory.Remove(f[1:]...)
		case "%reset":
			s.memory.Remove()
			out = append(out, line)
		case "package":
		default:
			out = append(out, line)
		}
	}
	if e.cell.IsGo() {
		out = append(out, "func main() {}")
	}
	return strings.Join(out, "\n")
}

// reply takes the reply to a cell from GoNB and returns what Jupyter gets. It sends GoNB the next cell.
func (s *session) reply(m *message) *message {
	e := s.execution(m.parent)
	if e == nil {
		return m
	}
	status := m.text("status")
	switch {
	case status == "ok" && s.wasInterrupted(e.id) && !e.cell.IsGo(): // GoNB does not notice that commands end
		status = "error"
		content := s.fail(e, "", "").content()
		s.publish(s.key.answer(e.message, "error", content))
		s.key.set(m, content)
		s.key.set(m, map[string]any{"status": status})
	case status == "error":
		select { // GoNB publishes the error first, on another connection
		case <-e.failed:
		case <-time.After(5 * time.Second):
		}
		s.key.set(m, s.fail(e, m.text("evalue"), "").content())
	case status == "ok" && !e.aborted:
		s.key.set(m, map[string]any{"user_expressions": s.expressions(e)})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if status == "error" && string(e.content["stop_on_error"]) != "false" {
		for _, other := range s.waiting {
			other.aborted = true
		}
	}
	close(e.done)
	if s.last, s.running = e, nil; len(s.waiting) > 0 {
		s.next()
	}
	if e.aborted {
		m.content = map[string]json.RawMessage{}
		s.key.set(m, map[string]any{"status": "aborted"})
	}
	s.key.set(m, map[string]any{"execution_count": e.count})
	return m
}

// execution returns the cell that runs, or the last that ran, if its request has that id, or else nil.
func (s *session) execution(id string) *execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range []*execution{s.running, s.last} {
		if e != nil && e.id == id {
			return e
		}
	}
	return nil
}

// fail returns why a cell has failed: the first time it is asked, by what GoNB says and what the program has
// said last.
func (s *session) fail(e *execution, said, last string) *failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.why != nil:
	case s.stopped == e.id:
		e.why = &failure{"Interrupted", "interrupted", []string{"interrupted"}}
	case last != "":
		e.why = ended(last, s.cells)
	default:
		e.why = &failure{"Error", said, []string{said}}
	}
	return e.why
}

// cellsEnv is the environment variable by which programs find the numbers of cells, and are known.
func (s *session) cellsEnv() string { return "NKF_CELLS=" + filepath.Join(s.dir, "cells") }

// stopFile is there when the cell that runs was interrupted, for a program that is about to start.
func (s *session) stopFile() string { return filepath.Join(s.dir, "stop") }

// interrupt ends the cell that runs, at any moment: while it is compiled, about to start, or runs. What
// ignores the signal for five seconds is killed.
func (s *session) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, gonb := s.running, s.gonb
	if e == nil {
		return
	}
	_ = os.WriteFile(s.stopFile(), nil, 0o644) // without, only a program in its first millisecond goes on
	s.stopped = e.id
	if e.stopBuild != nil {
		e.stopBuild()
	}
	s.finished.Go(func() {
		signaled := map[int]bool{}
		begin := time.Now()
		for {
			for _, process := range processesOf(s.cellsEnv(), gonb) {
				if late := time.Since(begin) > 5*time.Second; late || !signaled[process] {
					signaled[process] = true
					signalProcess(process, late)
				}
			}
			select {
			case <-e.done:
				return
			case <-s.ctx.Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
}

// ran notes that a program was built, and the number of its cell for the lines in its errors. The caller
// holds the lock.
func (s *session) ran(e *execution, after *cell.Memory) error {
	s.memory = after
	s.cells[e.cell.ID] = e.cell
	return os.WriteFile(filepath.Join(s.dir, "cells", e.cell.ID), []byte(strconv.Itoa(e.cell.Number)), 0o644)
}

// program writes the program that GoNB is about to run: it ends at once after an interrupt, and has no input.
func (s *session) program(path, binary string, reads bool) error {
	script := fmt.Sprintf("[ -e %s ] && exit 130\n", quoted(s.stopFile()))
	if reads {
		script += "echo 'nkf: cells have no input: it ends at once; nkfx.Slider asks in a browser' >&2\n"
	}
	return writeProgram(path, script+fmt.Sprintf("exec %s \"$@\" </dev/null\n", quoted(binary)))
}
