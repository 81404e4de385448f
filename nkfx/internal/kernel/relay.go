package kernel

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// run forwards messages until ctx ends.
func (f *front) run(ctx context.Context) {
	var connections sync.WaitGroup
	defer connections.Wait()
	defer context.AfterFunc(ctx, func() { f.listener.Close() })()
	for {
		client, err := f.listener.Accept()
		if err != nil {
			return
		}
		connections.Go(func() { f.connect(ctx, client) })
	}
}

// connect serves one connection.
func (f *front) connect(ctx context.Context, client net.Conn) {
	defer client.Close()
	kernel, err := dial(ctx, f.to)
	if err != nil {
		return
	}
	defer kernel.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(ctx, func() {
		client.Close()
		kernel.Close()
	})()
	var both sync.WaitGroup
	pass := func(to, from net.Conn, change func([][]byte) [][]byte) {
		defer cancel()
		_ = passFrames(to, from, change) // ends with the connection
	}
	q := &queue{front: f, kernel: kernel}
	both.Go(func() { pass(kernel, client, q.request) })
	both.Go(func() { pass(client, kernel, q.reply) })
	both.Wait()
}

// dial connects to GoNB, waiting until it listens.
func dial(ctx context.Context, address string) (net.Conn, error) {
	for {
		var dialer net.Dialer
		c, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

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

// passFrames copies what a ZeroMQ socket sends, its messages changed; those that become nil are held back.
func passFrames(to io.Writer, from io.Reader, change func(parts [][]byte) [][]byte) error {
	in := bufio.NewReader(from)
	// In pieces as they come, since each side waits for the beginning of the other's greeting.
	if _, err := io.CopyN(to, in, greetingSize); err != nil {
		return err
	}
	var parts [][]byte
	for {
		flags, body, err := readFrame(in)
		if err != nil {
			return err
		}
		var out []byte
		switch {
		case flags&frameCommand != 0:
			out = appendFrame(nil, flags, body)
		case flags&frameMore != 0:
			parts = append(parts, body)
			continue
		default:
			out = appendMessage(nil, change(append(parts, body)))
			parts = nil
		}
		if _, err := to.Write(out); err != nil {
			return err
		}
	}
}

// readFrame reads the flags and the body of a frame.
func readFrame(in *bufio.Reader) (flags byte, body []byte, err error) {
	if flags, err = in.ReadByte(); err != nil {
		return 0, nil, err
	}
	size := make([]byte, 8)
	begin := 7
	if flags&frameLong != 0 {
		begin = 0
	}
	if _, err := io.ReadFull(in, size[begin:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint64(size)
	if length > largestFrame {
		return 0, nil, fmt.Errorf("a frame of %d bytes", length)
	}
	body = make([]byte, length)
	_, err = io.ReadFull(in, body)
	return flags, body, err
}

// appendMessage appends the frames of a message.
func appendMessage(out []byte, parts [][]byte) []byte {
	for i, part := range parts {
		more := byte(frameMore)
		if i == len(parts)-1 {
			more = 0
		}
		out = appendFrame(out, more, part)
	}
	return out
}

// appendFrame appends a frame.
func appendFrame(out []byte, flags byte, body []byte) []byte {
	flags &^= frameLong
	if len(body) < 256 {
		out = append(out, flags, byte(len(body)))
	} else {
		out = binary.BigEndian.AppendUint64(append(out, flags|frameLong), uint64(len(body)))
	}
	return append(out, body...)
}
