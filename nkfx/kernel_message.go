package nkfx

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
)

// cellsEnv names the folder with the cells that have run, by their numbers.
const cellsEnv = "NKF_CELLS"

// front changes requests so that GoNB understands the cells of newcomers. It keeps the cells that are run
// in a folder, from which an error finds its line.
type front struct {
	key   []byte // signs messages; none does if empty
	cells string

	mu     sync.Mutex
	count  int            // cells so far, as GoNB counts them
	shifts map[string]int // by requests for completion: how much further the cursor is for GoNB
}

// openFront puts a front before GoNB: it listens where Jupyter expects the kernel by a connection file, and
// returns the file for GoNB in dir. Sockets other than of TCP have no front; theirs is the file itself.
func openFront(connectionFile, dir string) (ours string, r *relay, err error) {
	content, err := os.ReadFile(connectionFile)
	if err != nil {
		return "", nil, fmt.Errorf("the connection file of Jupyter: %w", err)
	}
	var known struct {
		Transport string `json:"transport"`
		IP        string `json:"ip"`
		Port      int    `json:"shell_port"`
		Key       string `json:"key"`
		Scheme    string `json:"signature_scheme"`
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(content, &known); err != nil {
		return "", nil, fmt.Errorf("the connection file %s of Jupyter: %w", connectionFile, err)
	}
	if known.Transport != "tcp" || known.Key != "" && known.Scheme != "hmac-sha256" {
		return connectionFile, nil, nil
	}
	_ = json.Unmarshal(content, &all) // did so above
	port, err := freePort(known.IP, all)
	if err != nil {
		return "", nil, fmt.Errorf("a port for GoNB: %w", err)
	}
	// GoNB knows the kernel by the name of the file.
	ours = filepath.Join(dir, filepath.Base(connectionFile))
	all["shell_port"] = json.RawMessage(port)
	if content, err = json.Marshal(all); err == nil {
		err = datasets.WriteFile(ours, 0o600, datasets.Bytes(content))
	}
	f := &front{key: []byte(known.Key), cells: filepath.Join(dir, "cells"), shifts: map[string]int{}}
	if err == nil {
		err = os.Mkdir(f.cells, 0o755)
	}
	if err != nil {
		return "", nil, fmt.Errorf("the connection to GoNB: %w", err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(known.IP, strconv.Itoa(known.Port)))
	if err != nil {
		return "", nil, fmt.Errorf("the port of the kernel: %w", err)
	}
	to := net.JoinHostPort(known.IP, port)
	return ours, &relay{listener: listener, to: to, requests: f.request, replies: f.reply}, nil
}

// freePort returns a port on which nobody listens, nor will GoNB by the connection file.
func freePort(ip string, connection map[string]json.RawMessage) (string, error) {
	for {
		free, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
		if err != nil {
			return "", err
		}
		_, port, err := net.SplitHostPort(free.Addr().String())
		if closed := free.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return "", err
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(connection)), func(value json.RawMessage) bool {
			return string(value) == port
		}) {
			return port, nil
		}
	}
}

// message is what the parts of a Jupyter message say.
type message struct {
	parts   [][]byte // signature, header, header of the parent, metadata, content; then data
	header  struct{ ID, Type string }
	parent  struct{ ID string }
	content map[string]json.RawMessage
}

// decode returns the message in parts, unless they are none that its key has signed.
func (f *front) decode(parts [][]byte) (*message, bool) {
	for i, part := range parts {
		if string(part) != "<IDS|MSG>" || len(parts) < i+6 {
			continue
		}
		m := &message{parts: parts[i+1:]}
		var header, parent struct {
			ID   string `json:"msg_id"`
			Type string `json:"msg_type"`
		}
		if !hmac.Equal(m.parts[0], f.sign(m.parts[1:5])) || json.Unmarshal(m.parts[1], &header) != nil ||
			json.Unmarshal(m.parts[2], &parent) != nil || json.Unmarshal(m.parts[4], &m.content) != nil {
			return nil, false
		}
		m.header.ID, m.header.Type, m.parent.ID = header.ID, header.Type, parent.ID
		return m, true
	}
	return nil, false
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

// set changes a value of the message.
func (m *message) set(name string, value any) {
	m.content[name], _ = json.Marshal(value) // strings and numbers can be
}

// encode puts the content back, signed.
func (f *front) encode(m *message) {
	if content, err := json.Marshal(m.content); err == nil {
		m.parts[4] = content
		m.parts[0] = f.sign(m.parts[1:5])
	}
}

// request changes a request of Jupyter's, in place.
func (f *front) request(parts [][]byte) [][]byte {
	m, ok := f.decode(parts)
	if !ok {
		return parts
	}
	var code string
	if json.Unmarshal(m.content["code"], &code) != nil {
		return parts
	}
	changed := code
	switch m.header.Type {
	case "execute_request":
		changed = cellProgram(code)
		f.keep(changed, bytes.Equal(m.content["store_history"], []byte("true")))
	case "complete_request", "inspect_request":
		var cursor int
		if json.Unmarshal(m.content["cursor_pos"], &cursor) != nil {
			return parts
		}
		var at int
		changed, at = cellProgramAt(code, utf16Offset(code, cursor), false)
		moved := len(utf16.Encode([]rune(changed[:at])))
		m.set("cursor_pos", moved)
		if m.header.Type == "complete_request" && moved != cursor {
			f.mu.Lock()
			f.shifts[m.header.ID] = moved - cursor
			f.mu.Unlock()
		}
	}
	if changed != code {
		m.set("code", changed)
		f.encode(m)
	}
	return parts
}

// keep keeps a cell that is run under the number that GoNB gives it, if it does.
func (f *front) keep(code string, counts bool) {
	if !counts {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	// Without the cell errors do not name its line, and that is all.
	_ = os.WriteFile(filepath.Join(f.cells, strconv.Itoa(f.count)), []byte(code), 0o644)
}

// reply puts the completions that GoNB has found where the cursor was for Jupyter, in place.
func (f *front) reply(parts [][]byte) [][]byte {
	f.mu.Lock()
	waiting := len(f.shifts) > 0
	f.mu.Unlock()
	if !waiting {
		return parts
	}
	m, ok := f.decode(parts)
	if !ok || m.header.Type != "complete_reply" {
		return parts
	}
	f.mu.Lock()
	shift, ok := f.shifts[m.parent.ID]
	delete(f.shifts, m.parent.ID)
	f.mu.Unlock()
	for _, name := range []string{"cursor_start", "cursor_end"} {
		var at int
		if ok && json.Unmarshal(m.content[name], &at) == nil {
			m.set(name, at-shift)
		}
	}
	f.encode(m)
	return parts
}

// utf16Offset returns the byte at which a text has that many units of UTF-16, in which Jupyter counts.
func utf16Offset(text string, units int) int {
	for i, r := range text {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(r)
	}
	return len(text)
}
