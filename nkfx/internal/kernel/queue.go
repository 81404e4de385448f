package kernel

import (
	"encoding/json"
	"io"
	"sync"
)

// queue passes the requests of a connection from Jupyter on to GoNB, of those that run cells one at a time.
// After a cell in error those that already wait do not run, as Jupyter's protocol has it (stop_on_error);
// GoNB runs them all, among them sliders that would wait for somebody who no longer sees them.
type queue struct {
	*front
	kernel io.Writer // the connection to GoNB

	mu      sync.Mutex
	running *execution // at GoNB, nil for none
	waiting []*execution
}

// execution is a request to run a cell.
type execution struct {
	*message
	all     [][]byte // the message with what is before its parts
	aborted bool
}

// request takes a message from Jupyter and returns what GoNB gets now, nil for nothing.
func (q *queue) request(parts [][]byte) [][]byte {
	m, ok := q.decode(parts)
	if !ok || m.kind != "execute_request" {
		return q.front.request(parts)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	e := &execution{message: m, all: parts}
	if q.running != nil {
		q.waiting = append(q.waiting, e)
		return nil
	}
	return q.begin(e)
}

// begin returns the message that makes GoNB run a cell, an empty one if the cell is aborted: so that GoNB
// says what Jupyter waits for, that the kernel is busy and idle again.
func (q *queue) begin(e *execution) [][]byte {
	q.running = e
	if !e.aborted {
		return q.front.request(e.all)
	}
	q.set(e.message, map[string]any{"code": "", "silent": true, "store_history": false})
	return e.all
}

// reply takes a message from GoNB and returns what Jupyter gets. It sends GoNB the next cell.
func (q *queue) reply(parts [][]byte) [][]byte {
	parts = q.front.reply(parts)
	m, ok := q.decode(parts)
	if !ok || m.kind != "execute_reply" {
		return parts
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	done := q.running
	if done == nil || done.id != m.parent {
		return parts
	}
	if string(m.content["status"]) == `"error"` && string(done.content["stop_on_error"]) != "false" {
		for _, e := range q.waiting {
			e.aborted = true
		}
	}
	if q.running = nil; len(q.waiting) > 0 {
		next := q.begin(q.waiting[0])
		q.waiting = q.waiting[1:]
		_, _ = q.kernel.Write(appendMessage(nil, next)) // whoever reads from GoNB notices if it is gone
	}
	if done.aborted {
		m.content = map[string]json.RawMessage{}
		q.set(m, map[string]any{"status": "aborted"})
	}
	return parts
}
