package kernel

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// Frames of all kinds and sizes pass, messages changed and commands not.
func TestPassFrames(t *testing.T) {
	var in, want []byte
	greeting := make([]byte, greetingSize)
	in, want = append(in, greeting...), append(want, greeting...)
	long := bytes.Repeat([]byte("x"), 300)
	for _, body := range [][]byte{nil, []byte("a"), long[:255], long[:256], long} {
		in, want = appendFrame(in, frameCommand, body), appendFrame(want, frameCommand, body)
		in = appendFrame(appendFrame(in, frameMore, body), 0, long)
		want = appendFrame(appendFrame(want, frameMore, long), 0, body)
	}
	var out bytes.Buffer
	swap := func(parts [][]byte) [][]byte { return [][]byte{parts[1], parts[0]} }
	require.Error(t, passFrames(&out, bytes.NewReader(in), swap), "the end of the connection is one")
	require.Equal(t, want, out.Bytes())

	require.ErrorContains(t, passFrames(&out, bytes.NewReader(append(bytes.Clone(want[:greetingSize]),
		frameLong, 255, 0, 0, 0, 0, 0, 0, 0)), swap), "a frame of")
}

// What the key has not signed is not signed by the kernel either.
func TestFrontLeavesWhatIsNotSigned(t *testing.T) {
	ours := &front{key: []byte("secret"), cells: t.TempDir(), shifts: map[string]int{}}
	theirs := &front{key: []byte("another")}
	message := func(by *front, kind, content string) [][]byte {
		parts := [][]byte{[]byte("client"), []byte("<IDS|MSG>"), nil,
			[]byte(`{"msg_id":"1","msg_type":"` + kind + `"}`), []byte("{}"), []byte("{}"),
			[]byte(content), []byte("data")}
		parts[2] = by.sign(parts[3:7])
		return parts
	}
	clone := func(parts [][]byte) (out [][]byte) {
		for _, p := range parts {
			out = append(out, bytes.Clone(p))
		}
		return out
	}
	const run = `{"code":"x++","store_history":true,"more":[1e400]}`
	for _, parts := range [][][]byte{
		message(theirs, "execute_request", run),
		message(ours, "comm_msg", run),
		message(ours, "execute_request", `{"code":1}`),
		message(ours, "execute_request", `{"code":`),
		message(ours, "execute_request", `{"code":"%%\nx++"}`),
		message(ours, "complete_request", `{"code":"x++"}`),
		message(ours, "execute_request", run)[:5],
		{[]byte("x")},
	} {
		require.Equal(t, parts, ours.request(clone(parts)))
	}
	require.NoFileExists(t, filepath.Join(ours.cells, "1"))

	parts := message(ours, "execute_request", run)
	got := ours.request(clone(parts))
	m, ok := ours.decode(got)
	require.True(t, ok, "it is signed anew")
	require.Equal(t, [][]byte{parts[0], parts[1], parts[3], parts[4], parts[5], parts[7]},
		[][]byte{got[0], got[1], got[3], got[4], got[5], got[7]})
	var code string
	require.NoError(t, json.Unmarshal(m.content["code"], &code))
	require.Equal(t, cell.Program("x++"), code)
	require.Equal(t, "[1e400]", string(m.content["more"]))
	kept, err := os.ReadFile(filepath.Join(ours.cells, "1"))
	require.NoError(t, err)
	require.Equal(t, code, string(kept))
}

// Jupyter may talk to kernels by other sockets than those of TCP: then there is no front.
func TestOpenFront(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		`{"transport":"ipc","ip":"/x"}`:                                  "",
		`{"transport":"tcp","key":"k","signature_scheme":"hmac-sha512"}`: "",
		`{"transport":`: "the connection file",
		`{"transport":"tcp","ip":"none.invalid"}`: "a port for GoNB",
	} {
		path := write(t, dir, "kernel-1.json", []byte(content))
		ours, relay, err := openFront(path, dir)
		if want != "" {
			require.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, path, ours)
		require.Nil(t, relay)
	}
}

// ä has one unit and two bytes, the clef two and four.
func TestUTF16Offset(t *testing.T) {
	for units, offset := range []int{0, 2, 6, 6, 7, 7} {
		require.Equal(t, offset, utf16Offset("ä𝄞x", units))
	}
}
