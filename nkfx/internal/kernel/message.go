package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"unicode/utf16"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// front stands between Jupyter and the port of GoNB for requests to run, complete and explain code,
// which it rewrites into cells that GoNB understands. Each connection from Jupyter gets one to
// GoNB, with a [queue] of cells, so that neither notices the front. Cells that are run are kept in a
// folder, in which [cell.Locate] finds the lines of errors.
type front struct {
	listener net.Listener
	to       string // address of GoNB
	key      []byte // signs messages unless empty
	cells    string // folder of the cells

	mu     sync.Mutex
	count  int            // cells so far, as GoNB counts them
	shifts map[string]int // by the id of a completion request: how much further the cursor is for GoNB
}

// openFront puts a front before GoNB: it listens where a connection file makes Jupyter expect the
// kernel, and writes the connection file for GoNB to dir. Only TCP sockets have a front; for others
// it returns the file itself and no front.
func openFront(connectionFile, dir string) (ours string, f *front, err error) {
	content, err := os.ReadFile(connectionFile)
	if err != nil {
		return "", nil, fmt.Errorf("the connection file of Jupyter: %w", err)
	}
	var all map[string]any
	if err := json.Unmarshal(content, &all); err != nil {
		return "", nil, fmt.Errorf("the connection file %s of Jupyter: %w", connectionFile, err)
	}
	text := func(name string) string { value, _ := all[name].(string); return value }
	ip, key := text("ip"), text("key")
	if text("transport") != "tcp" || key != "" && text("signature_scheme") != "hmac-sha256" {
		return connectionFile, nil, nil
	}
	address := net.JoinHostPort(ip, fmt.Sprint(all["shell_port"]))
	port, err := freePort(ip, all)
	if err != nil {
		return "", nil, fmt.Errorf("a port for GoNB: %w", err)
	}
	all["shell_port"] = port
	ours = filepath.Join(dir, filepath.Base(connectionFile)) // GoNB names the kernel by its file
	f = &front{key: []byte(key), cells: filepath.Join(dir, "cells"), shifts: map[string]int{}}
	if content, err = json.Marshal(all); err == nil {
		err = datasets.WriteFile(ours, 0o600, datasets.Bytes(content))
	}
	if err == nil {
		err = os.Mkdir(f.cells, 0o755)
	}
	if err != nil {
		return "", nil, fmt.Errorf("the connection to GoNB: %w", err)
	}
	if f.listener, err = net.Listen("tcp", address); err != nil {
		return "", nil, fmt.Errorf("the port of the kernel: %w", err)
	}
	f.to = net.JoinHostPort(ip, fmt.Sprint(port))
	return ours, f, nil
}

// freePort returns a port that is free now and stays so when GoNB listens on those of the
// connection file.
func freePort(ip string, connection map[string]any) (float64, error) {
	for {
		free, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
		if err != nil {
			return 0, err
		}
		port := float64(free.Addr().(*net.TCPAddr).Port)
		if err := free.Close(); err != nil {
			return 0, err
		}
		if !slices.Contains(slices.Collect(maps.Values(connection)), any(port)) {
			return port, nil
		}
	}
}

// message is a Jupyter message.
type message struct {
	parts            [][]byte // signature, header, parent header, metadata, content; then data
	id, kind, parent string
	content          map[string]json.RawMessage
}

// decode returns the message in parts unless it is invalid or its signature wrong.
func (f *front) decode(parts [][]byte) (*message, bool) {
	from := 1 + slices.IndexFunc(parts, func(p []byte) bool { return string(p) == "<IDS|MSG>" })
	if from == 0 || len(parts) < from+5 {
		return nil, false
	}
	m := &message{parts: parts[from:]}
	var header, parent struct {
		ID   string `json:"msg_id"`
		Type string `json:"msg_type"`
	}
	ok := hmac.Equal(m.parts[0], f.sign(m.parts[1:5])) && json.Unmarshal(m.parts[1], &header) == nil &&
		json.Unmarshal(m.parts[2], &parent) == nil && json.Unmarshal(m.parts[4], &m.content) == nil
	m.id, m.kind, m.parent = header.ID, header.Type, parent.ID
	return m, ok
}

// sign returns the signature of the parts of a message.
func (f *front) sign(parts [][]byte) []byte {
	if len(f.key) == 0 {
		return []byte{}
	}
	mac := hmac.New(sha256.New, f.key)
	for _, part := range parts {
		mac.Write(part)
	}
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// set replaces values of the content, strings or numbers, and signs the message.
func (f *front) set(m *message, values map[string]any) {
	for name, value := range values {
		m.content[name], _ = json.Marshal(value)
	}
	if content, err := json.Marshal(m.content); err == nil {
		m.parts[4] = content
		m.parts[0] = f.sign(m.parts[1:5])
	}
}

// request rewrites a request from Jupyter in place.
func (f *front) request(parts [][]byte) [][]byte {
	m, ok := f.decode(parts)
	if !ok {
		return parts
	}
	var code string
	if json.Unmarshal(m.content["code"], &code) != nil {
		return parts
	}
	switch m.kind {
	case "execute_request":
		program := cell.Program(code)
		if bytes.Equal(m.content["store_history"], []byte("true")) {
			f.keep(program)
		}
		if program != code {
			f.set(m, map[string]any{"code": program})
		}
	case "complete_request", "inspect_request":
		var cursor int
		if json.Unmarshal(m.content["cursor_pos"], &cursor) != nil {
			return parts
		}
		program, at := cell.ProgramAt(code, utf16Offset(code, cursor), false)
		if program == code {
			return parts
		}
		moved := len(utf16.Encode([]rune(program[:at])))
		if m.kind == "complete_request" {
			f.mu.Lock()
			f.shifts[m.id] = moved - cursor
			f.mu.Unlock()
		}
		f.set(m, map[string]any{"code": program, "cursor_pos": moved})
	}
	return parts
}

// keep keeps a cell that is run, under the number that GoNB gives it.
func (f *front) keep(code string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	// Without the cell, errors do not name its lines, and that is all.
	_ = os.WriteFile(filepath.Join(f.cells, strconv.Itoa(f.count)), []byte(code), 0o644)
}

// reply moves the completions in a reply from GoNB to where Jupyter has its cursor, in place.
func (f *front) reply(parts [][]byte) [][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.shifts) == 0 {
		return parts
	}
	m, ok := f.decode(parts)
	if !ok || m.kind != "complete_reply" {
		return parts
	}
	shift := f.shifts[m.parent]
	delete(f.shifts, m.parent)
	moved := map[string]any{}
	for _, name := range []string{"cursor_start", "cursor_end"} {
		var at int
		if json.Unmarshal(m.content[name], &at) == nil {
			moved[name] = at - shift
		}
	}
	f.set(m, moved)
	return parts
}

// utf16Offset returns the byte offset in a text of a number of UTF-16 units, in which Jupyter
// counts.
func utf16Offset(text string, units int) int {
	for i, r := range text {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(r)
	}
	return len(text)
}
