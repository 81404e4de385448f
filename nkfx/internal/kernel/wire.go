package kernel

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// Flags of a frame and the size of the greeting before the first, by the specification of ZMTP 3,
// rfc.zeromq.org/spec/23.
const (
	frameMore    = 1
	frameLong    = 2
	frameCommand = 4

	greetingSize = 64
)

// largestFrame bounds the memory for a message; notebooks are not that large.
const largestFrame = 1 << 30

// socket is a ZeroMQ connection, on which several may send.
type socket struct {
	net.Conn
	in *bufio.Reader

	mu sync.Mutex
}

func newSocket(c net.Conn) *socket { return &socket{Conn: c, in: bufio.NewReader(c)} }

// greet begins a connection as a socket of a type.
func (s *socket) greet(kind string) error {
	greeting := make([]byte, greetingSize)
	copy(greeting, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	if _, err := s.Write(greeting); err != nil {
		return err
	}
	if _, err := io.ReadFull(s.in, greeting); err != nil {
		return err
	}
	ready := append([]byte("\x05READY\x0bSocket-Type\x00\x00\x00"), byte(len(kind)))
	ready = append(append(ready, kind...), "\x08Identity\x00\x00\x00\x00"...)
	_, err := s.Write(appendFrame(nil, frameCommand, ready))
	return err
}

// send sends the frames of a message.
func (s *socket) send(parts [][]byte) error {
	var out []byte
	for i, part := range parts {
		out = appendFrame(out, byte(min(1, len(parts)-1-i)), part) // more, but for the last
	}
	return s.write(out)
}

func (s *socket) write(out []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.Write(out)
	return err
}

// receive returns the frames of the next message, and what commands came before it as they are.
func (s *socket) receive() (parts [][]byte, commands []byte, err error) {
	for {
		flags, body, err := s.frame()
		if err != nil {
			return nil, nil, err
		}
		if flags&frameCommand != 0 {
			return nil, appendFrame(nil, flags, body), nil
		}
		if parts = append(parts, body); flags&frameMore == 0 {
			return parts, nil, nil
		}
	}
}

func (s *socket) frame() (flags byte, body []byte, err error) {
	if flags, err = s.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	size := make([]byte, 8)
	begin := 7
	if flags&frameLong != 0 {
		begin = 0
	}
	if _, err := io.ReadFull(s.in, size[begin:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint64(size)
	if length > largestFrame {
		return 0, nil, fmt.Errorf("a frame of %d bytes", length)
	}
	body = make([]byte, length)
	_, err = io.ReadFull(s.in, body)
	return flags, body, err
}

func appendFrame(out []byte, flags byte, body []byte) []byte {
	flags &^= frameLong
	if len(body) < 256 {
		out = append(out, flags, byte(len(body)))
	} else {
		out = binary.BigEndian.AppendUint64(append(out, flags|frameLong), uint64(len(body)))
	}
	return append(out, body...)
}

// key signs messages, unless it is empty.
type key []byte

// message is a Jupyter message.
type message struct {
	before           [][]byte // identities or the topic, and the delimiter
	parts            [][]byte // signature, header, parent header, metadata, content; then data
	id, kind, parent string
	content          map[string]json.RawMessage
}

// all returns the message as it is sent.
func (m *message) all() [][]byte { return slices.Concat(m.before, m.parts) }

// decode returns the message in parts unless it is invalid or its signature wrong.
func (k key) decode(parts [][]byte) (*message, bool) {
	from := 1 + slices.IndexFunc(parts, func(p []byte) bool { return string(p) == "<IDS|MSG>" })
	if from == 0 || len(parts) < from+5 {
		return nil, false
	}
	m := &message{before: parts[:from:from], parts: parts[from:]}
	var header, parent struct {
		ID   string `json:"msg_id"`
		Type string `json:"msg_type"`
	}
	ok := hmac.Equal(m.parts[0], k.sign(m.parts[1:5])) && json.Unmarshal(m.parts[1], &header) == nil &&
		json.Unmarshal(m.parts[2], &parent) == nil && json.Unmarshal(m.parts[4], &m.content) == nil
	m.id, m.kind, m.parent = header.ID, header.Type, parent.ID
	return m, ok
}

func (k key) sign(parts [][]byte) []byte {
	if len(k) == 0 {
		return []byte{}
	}
	mac := hmac.New(sha256.New, k)
	for _, part := range parts {
		mac.Write(part)
	}
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// set replaces values of the content, and signs the message.
func (k key) set(m *message, values map[string]any) {
	for name, value := range values {
		m.content[name] = encoded(value)
	}
	m.parts[4] = encoded(m.content)
	m.parts[0] = k.sign(m.parts[1:5])
}

// answer returns a message that answers a request.
func (k key) answer(request *message, kind string, content any) *message {
	id := rand.Text()
	header := map[string]string{
		"msg_id": id, "msg_type": kind, "username": "kernel", "session": "nkf", "version": "5.3",
		"date": string(bytes.Trim(encoded(time.Now().UTC().Truncate(time.Microsecond)), `"`)),
	}
	parts := [][]byte{nil, encoded(header), request.parts[1], []byte("{}"), encoded(content)}
	parts[0] = k.sign(parts[1:])
	before := [][]byte{[]byte("<IDS|MSG>")}
	return &message{before: before, parts: parts, id: id, kind: kind, parent: request.id}
}

// encoded returns JSON of values that have it: strings, numbers, and lists and maps of these.
func encoded(value any) json.RawMessage {
	content, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return content
}

// idle reports whether the message says that the kernel is idle.
func (m *message) idle() bool { return m.kind == "status" && m.text("execution_state") == "idle" }

// text returns a string of the content.
func (m *message) text(name string) (text string) {
	_ = json.Unmarshal(m.content[name], &text) // "" for anything else
	return text
}
