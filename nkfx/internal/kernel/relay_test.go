package kernel

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
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

// Jupyter counts characters: ä is one of two bytes, the clef one of four.
func TestCharacterOffset(t *testing.T) {
	for characters, offset := range []int{0, 2, 6, 7, 7} {
		require.Equal(t, offset, characterOffset("ä𝄞x", characters))
	}
}

// TestOutput: what programs write comes in larger messages, in order; what ends a cell comes once, as its
// error, and what only looks like it is written in the end.
func TestOutput(t *testing.T) {
	e := &execution{message: &message{parts: [][]byte{nil, []byte(`{"msg_id":"1"}`)}, id: "1"}, code: "cell",
		failed: make(chan struct{}), count: 3}
	c := cell.New("func f() {\n\tpanic(1)\n}", 3)
	s := &session{running: e, cells: map[string]*cell.Cell{c.ID: c}}
	k := key("secret")
	o := newOutput(k, s)
	l := &listener{more: make(chan struct{}, 1)}
	o.listeners[l] = true
	take := func(kind string, content any) {
		m, ok := k.decode(k.answer(e.message, kind, content).all())
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
			if data, ok := content["data"]; ok {
				more := fmt.Sprint(content["metadata"], content["execution_count"])
				said = append(said, fmt.Sprint(m.kind, " ", data, " ", more))
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

	// A value comes as one, wherever the messages divide it and its marks.
	for _, size := range []int{1, 2, 3, 5, 7, 100} {
		text := "a\x1b[1m" + cell.ValueBegins + "1\n2\n" + cell.ValueEnds + "b\x1b"
		for part := range slices.Chunk([]byte(text), size) {
			take("stream", map[string]string{"name": "stdout", "text": string(part)})
		}
		take("status", map[string]string{"execution_state": "idle"})
		want := []string{"a\x1b[1m", "execute_result map[text/plain:1\n2] map[] 3", "b\x1b", "idle"}
		require.Equal(t, want, got(), size)
		require.Equal(t, "1\n2", *e.value.Load())
	}
	take("stream", map[string]string{"name": "stdout", "text": cell.ValueBegins + "half"})
	take("status", map[string]string{"execution_state": "idle"})
	require.Equal(t, []string{"half", "idle"}, got())
	show := func(metadata map[string]any) {
		take("display_data", map[string]any{"data": "figure", "metadata": metadata})
	}
	for range 2 { // a figure has a page that turns it, too
		show(map[string]any{"nkf_value": true, "alt": "a"})
	}
	show(map[string]any{})
	require.Equal(t, []string{"execute_result figure map[alt:a] 3", "display_data figure map[alt:a] <nil>",
		"display_data figure map[] <nil>"}, got())
	e.silent = true
	text := "unheard" + cell.ValueBegins + "1" + cell.ValueEnds
	take("stream", map[string]string{"name": "stdout", "text": text})
	show(map[string]any{})
	take("status", map[string]string{"execution_state": "idle"})
	require.Equal(t, []string{"idle"}, got())
	e.silent = false

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
	s.last, s.running, s.stopped = e, nil, "1"
	take("stream", ended)
	take("status", map[string]string{"execution_state": "idle"})
	require.Equal(t, []string{"signal: interrupt\n", "idle"}, got())
}

// TestTabWhileLoading: a client inserts what it is offered, so no excuse is.
func TestTabWhileLoading(t *testing.T) {
	s := &session{ctx: t.Context(), gopls: newServer()}
	matches, begin := s.complete("fmt.Printl", 10)
	require.Empty(t, matches)
	require.Equal(t, 4, begin)
	require.Equal(t, errLoading.Error(), s.explain("fmt.Printl", 10), "Shift-Tab says it")
}

// TestWithoutInput: commands of the shell wait for no input, but for one for which GoNB asks the user.
func TestWithoutInput(t *testing.T) {
	require.Equal(t,
		[]string{"!exec </dev/null; ls", "! *exec </dev/null;  cat", "%with_inputs", "%env A=1", "!read x",
			"!exec </dev/null; cat"},
		withoutInput([]string{"!ls", "//gonb:! * cat", "%with_inputs", "%env A=1", "!read x", "!cat"}))
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

// TestClients: clients of others find the installed kernel as they expect a kernel to be.
func TestClients(t *testing.T) {
	backendtest.NeedLong(t)
	out, err := exec.Command(root+"/.venv/bin/python", root+"/.jupyter/clients_test.py").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestConversation talks to the installed kernel as Jupyter does: `make kernel` installs it.
func TestConversation(t *testing.T) {
	backendtest.NeedLong(t)
	cmd := exec.Command(root+"/.venv/bin/python", root+"/.jupyter/conversation.py")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "NKF_STEP=1") // between interrupts; ten times as many take eight minutes
	require.NoError(t, cmd.Run())
}
