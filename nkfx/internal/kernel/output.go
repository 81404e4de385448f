package kernel

import (
	"context"
	"encoding/json"
	"net"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// Output that a program writes is joined into messages of that size or age: a client that is slow to take
// messages loses those beyond a thousand.
const (
	joinedSize = 64 << 10
	joinedTime = 50 * time.Millisecond
)

// output publishes what GoNB publishes, to all that listen: what programs write in larger messages, and what
// ends a cell once, as its error.
type output struct {
	key key
	*session

	mu        sync.Mutex
	listeners map[*listener]bool
	pending   *message // a stream, with its text in writes
	writes    strings.Builder
	ending    strings.Builder // on standard error, from where a program says why it ends
	last      *message        // the stream of that
	value     strings.Builder // the value of the cell, while it is written
	inValue   bool
	held      string   // what may begin a mark of a value
	marked    *message // the stream of that
	flushing  *time.Timer
}

// listener is a connection that gets the output, however slowly.
type listener struct {
	more    chan struct{}
	waiting [][][]byte
}

func newOutput(k key, s *session) *output {
	o := &output{key: k, session: s, listeners: map[*listener]bool{}}
	s.publish = func(m *message) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.flush()
		o.publish(m)
	}
	o.flushing = time.AfterFunc(time.Hour, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.flush()
	})
	return o
}

// serve is the kernel's side of a connection that listens to output.
func (o *output) serve(_ context.Context, client net.Conn, _ string) {
	s := newSocket(client)
	if s.greet("PUB") != nil {
		return
	}
	l := &listener{more: make(chan struct{}, 1)}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			_, commands, err := s.receive()
			if err != nil {
				return
			}
			if strings.HasPrefix(string(commands[min(2, len(commands)):]), "\x05READY") {
				continue
			}
			o.mu.Lock() // it subscribes; Jupyter does to everything
			o.listeners[l] = true
			o.mu.Unlock()
		}
	}()
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.listeners, l)
	}()
	for {
		select {
		case <-gone:
			return
		case <-l.more:
		}
		o.mu.Lock()
		waiting := l.waiting
		l.waiting = nil
		o.mu.Unlock()
		for _, parts := range waiting {
			if s.send(parts) != nil {
				return
			}
		}
	}
}

// publish sends a message to all that listen, unless it is of a silent cell. The caller holds the lock.
func (o *output) publish(m *message) {
	if e := o.execution(m.parent); e != nil && e.silent && m.kind != "status" {
		return
	}
	for l := range o.listeners {
		l.waiting = append(l.waiting, m.all())
		select {
		case l.more <- struct{}{}:
		default:
		}
	}
}

// receive takes what GoNB publishes.
func (o *output) receive(ctx context.Context, address string) {
	c, err := dial(ctx, address)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { c.Close() })()
	s := newSocket(c)
	if s.greet("SUB") != nil || s.send([][]byte{{1}}) != nil { // to everything
		return
	}
	for {
		parts, commands, err := s.receive()
		if err != nil {
			return
		}
		m, ok := o.key.decode(parts)
		if !ok || commands != nil {
			continue
		}
		if e := o.execution(m.parent); e != nil && m.idle() {
			select { // the reply, on another connection, may have to say what comes before
			case <-e.done:
			case <-time.After(5 * time.Second):
			}
		}
		o.take(m)
	}
}

// take takes a message of GoNB.
func (o *output) take(m *message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.execution(m.parent)
	switch {
	case m.kind == "stream":
		// The cell says by itself that it was interrupted, maybe before this comes.
		if !killed.MatchString(m.text("text")) || !o.wasInterrupted(m.parent) {
			o.join(m)
		}
		return
	case m.idle():
		o.end()
	case e != nil && m.kind == "display_data":
		m = o.shown(e, m)
	case e != nil && m.kind == "execute_input":
		o.key.set(m, map[string]any{"code": e.code})
	case e != nil && m.kind == "error":
		o.key.set(m, o.failure(e, m).content())
		close(e.failed)
	}
	o.flush()
	o.publish(m)
}

// ends matches where a program begins to say why it ends.
var ends = regexp.MustCompile(`(?m)^(panic: |fatal error: |nkf: )`)

// killed matches what GoNB says of a command that was interrupted.
var killed = regexp.MustCompile(`^(exit status|signal:) .*\n$`)

// end writes what has only looked like the end of a program, or a value, when its cell ends.
func (o *output) end() {
	if o.ending.Len() > 0 {
		o.flush()
		o.pending = o.last // it did not end
		o.writes.WriteString(o.ending.String())
		o.ending.Reset()
	}
	if rest := o.value.String() + o.held; rest != "" {
		o.write(o.marked, rest)
	}
	o.value.Reset()
	o.inValue, o.held = false, ""
}

// join adds what a program writes to what waits, and publishes a value that is complete.
func (o *output) join(m *message) {
	text := m.text("text")
	if m.text("name") == "stderr" {
		o.write(m, text)
		return
	}
	text, o.held, o.marked = o.held+text, "", m
	for found := true; found; {
		mark := cell.ValueBegins
		if o.inValue {
			mark = cell.ValueEnds
		}
		var part string
		if part, text, found = strings.Cut(text, mark); !found {
			part, o.held = beforeMark(part, mark)
		}
		if o.inValue {
			o.value.WriteString(part)
		} else {
			o.write(m, part)
		}
		if found && o.inValue {
			o.result(m)
		}
		o.inValue = o.inValue != found
	}
}

// beforeMark divides text before what may begin a mark at its end.
func beforeMark(text, mark string) (before, begun string) {
	for size := min(len(text), len(mark)-1); size > 0; size-- {
		if before, ok := strings.CutSuffix(text, mark[:size]); ok {
			return before, mark[:size]
		}
	}
	return text, ""
}

// result publishes the value that a program has written.
func (o *output) result(m *message) {
	text := o.value.String()
	o.value.Reset()
	e := o.execution(m.parent)
	if e == nil {
		o.write(m, text)
		return
	}
	text = o.named(strings.TrimSuffix(text, "\n"))
	e.value.Store(&text)
	o.flush()
	o.publish(o.valued(e, map[string]string{"text/plain": text}, struct{}{}))
}

// valued returns the message that shows the value of a cell.
func (o *output) valued(e *execution, data, metadata any) *message {
	return o.key.answer(e.message, "execute_result",
		map[string]any{"execution_count": e.count, "data": data, "metadata": metadata})
}

// shown returns what a program displays, as the value of its cell where it is the first part of that.
func (o *output) shown(e *execution, m *message) *message {
	const mark = "nkf_value" // of package nkfx
	metadata := map[string]json.RawMessage{}
	_ = json.Unmarshal(m.content["metadata"], &metadata) // of GoNB
	if _, ok := metadata[mark]; !ok {
		return m
	}
	delete(metadata, mark)
	if e.shown {
		o.key.set(m, map[string]any{"metadata": metadata})
		return m
	}
	e.shown = true
	return o.valued(e, m.content["data"], metadata)
}

// write adds text of a stream to what waits.
func (o *output) write(m *message, text string) {
	stderr := m.text("name") == "stderr"
	if stderr && o.ending.Len() > 0 && o.ending.Len() < 1<<20 {
		o.ending.WriteString(text)
		return
	}
	if o.pending != nil && (o.pending.parent != m.parent || o.pending.text("name") != m.text("name")) {
		o.flush()
	}
	if o.pending == nil {
		o.pending = m
		o.flushing.Reset(joinedTime)
	}
	if at := ends.FindStringIndex(text); stderr && at != nil {
		o.last = m
		o.ending.WriteString(text[at[0]:])
		text = text[:at[0]]
	}
	if o.writes.WriteString(text); o.writes.Len() >= joinedSize {
		o.flush()
	}
}

// flush publishes what waits.
func (o *output) flush() {
	if o.pending != nil && o.writes.Len() > 0 {
		text := o.named(o.writes.String())
		o.key.set(o.pending, map[string]any{"text": text})
		o.publish(o.pending)
	}
	o.writes.Reset()
	o.pending = nil
}

// named returns text with cells named by their numbers.
func (o *output) named(text string) string {
	if !strings.Contains(text, "cell_") {
		return text
	}
	o.session.mu.Lock()
	defer o.session.mu.Unlock()
	return named(text, o.cells, func(*cell.Cell, string, string) {})
}

// failure returns why a cell has ended in error, once, and takes it from what waits.
func (o *output) failure(e *execution, m *message) *failure {
	said := m.text("evalue")
	ending, rest := o.ending.String(), o.writes.String()
	o.ending.Reset()
	for _, text := range []*string{&ending, &rest} { // GoNB has said so, too
		*text = strings.TrimSuffix(*text, said+"\n")
	}
	o.writes.Reset()
	o.writes.WriteString(rest)
	return o.fail(e, said, ending)
}
