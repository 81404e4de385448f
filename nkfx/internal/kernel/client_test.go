package kernel

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// root is the checkout.
const root = "../../.."

// write stores a file below a folder and returns its path.
var write = xlatest.Write

// The test program stands in for nkf where the kernel calls that to trim cells.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "kernel" && os.Args[2] == "trim" {
		binary, err := cell.Trim(os.Args[3])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(binary)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// connection writes the file with which Jupyter starts a kernel, and returns its path and what is
// in it.
func connection(t *testing.T) (path string, ports map[string]any) {
	t.Helper()
	ports = map[string]any{
		"transport": "tcp", "ip": "127.0.0.1", "key": "secret", "signature_scheme": "hmac-sha256",
	}
	for _, name := range []string{"shell", "control", "stdin", "iopub", "hb"} {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		ports[name+"_port"] = free.Addr().(*net.TCPAddr).Port
		defer free.Close() // when all are found
	}
	content, err := json.Marshal(ports)
	require.NoError(t, err)
	return write(t, t.TempDir(), "kernel-0a1b.json", content), ports
}

// socket is a ZeroMQ socket of Jupyter's that is connected to a kernel.
type socket struct {
	net.Conn
	in *bufio.Reader
}

// openSocket connects a socket of that type to a port.
func openSocket(t *testing.T, kind string, port any) *socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := dial(ctx, fmt.Sprintf("127.0.0.1:%v", port))
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	s := &socket{c, bufio.NewReader(c)}
	greeting := make([]byte, greetingSize)
	copy(greeting, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	_, err = s.Write(greeting)
	require.NoError(t, err)
	for range greetingSize {
		_, err := s.in.ReadByte()
		require.NoError(t, err)
	}
	ready := []byte("\x05READY")
	for _, property := range [][2]string{{"Socket-Type", kind}, {"Identity", "tester"}} {
		ready = append(append(ready, byte(len(property[0]))), property[0]...)
		ready = append(append(ready, 0, 0, 0, byte(len(property[1]))), property[1]...)
	}
	_, err = s.Write(appendFrame(nil, frameCommand, ready))
	require.NoError(t, err)
	if kind == "SUB" {
		_, err = s.Write(appendFrame(nil, 0, []byte{1})) // to everything
		require.NoError(t, err)
	}
	return s
}

// receive returns the parts of the next message.
func (s *socket) receive(t *testing.T) (parts [][]byte) {
	t.Helper()
	// The first time GoMLX is compiled.
	require.NoError(t, s.SetReadDeadline(time.Now().Add(5*time.Minute)))
	for {
		flags, body, err := readFrame(s.in)
		require.NoError(t, err)
		if flags&frameCommand == 0 {
			parts = append(parts, body)
		}
		if flags&(frameCommand|frameMore) == 0 {
			return parts
		}
	}
}

// session is a kernel that runs, and Jupyter's connection to it.
type session struct {
	shell, output *socket
	f             *front // signs
	id            string // of the last request
}

// openSession starts the kernel of this checkout, with GoNB and all.
func openSession(t *testing.T) *session {
	t.Helper()
	backendtest.NeedLong(t)
	checkout, err := filepath.Abs(root)
	require.NoError(t, err)
	k := Kernel{Checkout: checkout}
	for _, tool := range k.missingTools() {
		if !tool.optional {
			t.Fatalf("the kernel needs %s: `make kernel` builds it", tool.path)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	path, ports := connection(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx, path) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
		require.Empty(t, leftovers(t))
	})
	s := &session{f: &front{key: []byte("secret")}}
	s.output = openSocket(t, "SUB", ports["iopub_port"])
	s.shell = openSocket(t, "DEALER", ports["shell_port"])
	return s
}

// send sends a request.
func (s *session) send(t *testing.T, kind string, content any) {
	t.Helper()
	s.id = rand.Text()
	header, err := json.Marshal(map[string]string{
		"msg_id": s.id, "msg_type": kind, "session": "tester", "version": "5.4",
	})
	require.NoError(t, err)
	body, err := json.Marshal(content)
	require.NoError(t, err)
	parts := [][]byte{nil, header, []byte("{}"), []byte("{}"), body}
	parts[0] = s.f.sign(parts[1:])
	var out []byte
	for i, part := range append([][]byte{[]byte("<IDS|MSG>")}, parts...) {
		out = appendFrame(out, byte(min(1, len(parts)-i)), part)
	}
	_, err = s.shell.Write(out)
	require.NoError(t, err)
}

// answer returns the next message about the request from a socket.
func (s *session) answer(t *testing.T, from *socket) (kind string, content map[string]any) {
	t.Helper()
	for {
		m, ok := s.f.decode(from.receive(t))
		require.True(t, ok, "messages are signed")
		if m.parent != s.id {
			continue
		}
		require.NoError(t, json.Unmarshal(m.parts[4], &content))
		return m.kind, content
	}
}

// request returns the answer to a request.
func (s *session) request(t *testing.T, kind string, content any) map[string]any {
	t.Helper()
	s.send(t, kind, content)
	_, answer := s.answer(t, s.shell)
	return answer
}

// run runs a cell, and returns what it writes, the text of its errors included.
func (s *session) run(t *testing.T, code string) (said string) {
	t.Helper()
	s.send(t, "execute_request", map[string]any{"code": code, "silent": false, "store_history": true})
	failed := false
	for {
		kind, content := s.answer(t, s.output)
		switch kind {
		case "stream":
			said += content["text"].(string)
		case "display_data":
			said += fmt.Sprint(content["data"])
		case "error":
			failed, said = true, said+fmt.Sprint(content["traceback"])
		case "status":
			if content["execution_state"] == "idle" {
				_, reply := s.answer(t, s.shell)
				require.Equal(t, failed, reply["status"] == "error", said)
				return said
			}
		}
	}
}
