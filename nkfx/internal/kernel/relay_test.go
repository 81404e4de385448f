package kernel

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// Frames of all kinds and sizes pass, messages changed and commands not.
func TestCopyMessages(t *testing.T) {
	var in, want []byte
	greeting := make([]byte, greetingSize)
	in, want = append(in, greeting...), append(want, greeting...)
	long := bytes.Repeat([]byte("x"), 300)
	for _, body := range [][]byte{nil, []byte("a"), long[:255], long[:256], long} {
		in, want = appendFrame(in, frameCommand, body), appendFrame(want, frameCommand, body)
		in = appendFrame(appendFrame(in, frameMore, body), 0, long)
		want = appendFrame(appendFrame(want, frameMore, long), 0, body)
	}
	swap := func(parts [][]byte) [][]byte { return [][]byte{parts[1], parts[0]} }
	pass := func(in []byte) ([]byte, error) {
		ours, theirs := net.Pipe()
		out := make(chan []byte)
		go func() {
			var got bytes.Buffer
			_, _ = got.ReadFrom(theirs)
			out <- got.Bytes()
		}()
		err := copyMessages(newSocket(ours), &socket{in: bufio.NewReader(bytes.NewReader(in))}, swap)
		require.NoError(t, ours.Close())
		return <-out, err
	}
	got, err := pass(in)
	require.Error(t, err, "the end of the connection is one")
	require.Equal(t, want, got)
	_, err = pass(append(greeting, frameLong, 255, 0, 0, 0, 0, 0, 0, 0))
	require.ErrorContains(t, err, "a frame of")
}

// What the key has not signed is no message of Jupyter's.
func TestSignatures(t *testing.T) {
	request := &message{parts: [][]byte{nil, []byte(`{"msg_id":"1"}`)}, id: "1"}
	m := key("secret").answer(request, "stream", map[string]string{"text": "a"})
	parts := m.all()
	got, ok := key("secret").decode(parts)
	require.True(t, ok)
	require.Equal(t, "a", got.text("text"))
	require.Equal(t, "1", got.parent)
	_, ok = key("another").decode(parts)
	require.False(t, ok)
	_, ok = key("secret").decode(parts[:4])
	require.False(t, ok)
	key("secret").set(got, map[string]any{"text": "b"})
	got, ok = key("secret").decode(got.all())
	require.True(t, ok, "it is signed anew")
	require.Equal(t, "b", got.text("text"))
}

// ä has one unit and two bytes, the clef two and four.
func TestUTF16Offset(t *testing.T) {
	for units, offset := range []int{0, 2, 6, 6, 7, 7} {
		require.Equal(t, offset, utf16Offset("ä𝄞x", units))
	}
}

// TestOutput: what programs write comes in larger messages, in order; what ends a cell comes once, as its
// error, and what only looks like it is written in the end.
func TestOutput(t *testing.T) {
	e := &execution{message: &message{id: "1"}, code: "cell", failed: make(chan struct{})}
	c := cell.New("func f() {\n\tpanic(1)\n}", 3)
	s := &session{running: e, cells: map[string]*cell.Cell{c.ID: c}}
	k := key("secret")
	o := newOutput(k, s)
	l := &listener{more: make(chan struct{}, 1)}
	o.listeners[l] = true
	request := &message{parts: [][]byte{nil, []byte(`{"msg_id":"1"}`)}, id: "1"}
	take := func(kind string, content map[string]string) {
		m, ok := k.decode(k.answer(request, kind, content).all())
		require.True(t, ok)
		o.take(m)
	}
	got := func() (said []string) {
		for _, parts := range l.waiting {
			m, ok := k.decode(parts)
			require.True(t, ok)
			var content map[string]any
			require.NoError(t, json.Unmarshal(m.parts[4], &content))
			for _, name := range []string{"code", "text", "evalue", "execution_state"} {
				if text, ok := content[name].(string); ok {
					said = append(said, text)
				}
			}
		}
		l.waiting = nil
		return said
	}
	take("execute_input", map[string]string{"code": "what GoNB got"})
	for range 3 {
		take("stream", map[string]string{"name": "stdout", "text": "out\n"})
	}
	take("stream", map[string]string{"name": "stderr", "text": "err\nnkf: no data\n"})
	take("stream", map[string]string{"name": "stdout", "text": strings.Repeat("x", joinedSize)})
	require.Equal(t, []string{"cell", "out\nout\nout\n", "err\n", strings.Repeat("x", joinedSize)}, got())
	take("status", map[string]string{"execution_state": "idle"})
	require.Equal(t, []string{"nkf: no data\n", "idle"}, got(), "the cell went on")

	const trace = "panic: 1\n\ngoroutine 1 [running]:\nmain.f()\n\t/cell_"
	take("stream", map[string]string{"name": "stderr", "text": trace + c.ID + ":2 +0x1\n"})
	take("stream", map[string]string{"name": "stderr", "text": "exit status 2\n"})
	take("error", map[string]string{"evalue": "exit status 2"})
	require.Equal(t, []string{"cell [3], line 2: panic: 1"}, got())
	<-e.failed
	require.Equal(t, []string{e.why.value, "    panic(1)"}, e.why.trace)

	// Of an interrupted command GoNB also says how it ended, maybe after the reply.
	ended := map[string]string{"name": "stderr", "text": "signal: interrupt\n"}
	take("stream", ended)
	s.running, s.stopped = nil, "1"
	take("stream", ended)
	take("status", map[string]string{"execution_state": "idle"})
	require.Equal(t, []string{"signal: interrupt\n", "idle"}, got())
}

// TestOpenRelay: Jupyter may talk to kernels by other sockets than those of TCP, and this kernel does not.
func TestOpenRelay(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		`{"transport":"ipc","ip":"/x"}`:                                  "by TCP",
		`{"transport":"tcp","key":"k","signature_scheme":"hmac-sha512"}`: "by TCP",
		`{"transport":`: "the connection file",
		`{"transport":"tcp","ip":"none.invalid"}`: "the port of the kernel",
	} {
		_, err := openRelay(write(t, dir, "kernel-1.json", []byte(content)), dir)
		require.ErrorContains(t, err, want)
	}
}

// TestConversation talks to the installed kernel as Jupyter does: `make kernel` installs it.
func TestConversation(t *testing.T) {
	backendtest.NeedLong(t)
	cmd := exec.Command(root+"/.venv/bin/python", root+"/.jupyter/conversation.py")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "NKF_STEP=1") // between interrupts; ten times as many take eight minutes
	require.NoError(t, cmd.Run())
}
