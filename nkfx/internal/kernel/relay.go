package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// relay stands between Jupyter and GoNB. Of what Jupyter sends, it answers interrupts, requests to complete
// and explain code, and what GoNB does not answer; it replaces cells by ones that make GoNB run programs that
// the relay has built; see [session]. Output goes through [output].
type relay struct {
	key   key
	file  string // the connection file for GoNB
	ports map[string]port
	*session
}

// port is where Jupyter expects a socket of the kernel, and where that of GoNB is.
type port struct {
	listener net.Listener
	gonb     string
}

// openRelay listens where Jupyter's connection file makes it expect the kernel, and writes the connection
// file for GoNB to dir.
func openRelay(connectionFile, dir string) (*relay, error) {
	content, err := os.ReadFile(connectionFile)
	if err != nil {
		return nil, fmt.Errorf("the connection file of Jupyter: %w", err)
	}
	var all map[string]any
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, fmt.Errorf("the connection file %s of Jupyter: %w", connectionFile, err)
	}
	text := func(name string) string { value, _ := all[name].(string); return value }
	if text("transport") != "tcp" || text("key") != "" && text("signature_scheme") != "hmac-sha256" {
		return nil, errors.New("the kernel talks to Jupyter by TCP, signed with hmac-sha256, alone")
	}
	// GoNB names the kernel by its file.
	file := filepath.Join(dir, filepath.Base(connectionFile))
	r := &relay{key: key(text("key")), file: file, ports: map[string]port{}}
	for _, name := range []string{"shell_port", "control_port", "iopub_port"} {
		listener, err := net.Listen("tcp", net.JoinHostPort(text("ip"), fmt.Sprint(all[name])))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the port of the kernel: %w", err), r.close())
		}
		r.ports[name] = port{listener: listener}
	}
	for _, name := range []string{"stdin_port", "hb_port"} { // GoNB listens there, so they are not free
		taken, err := net.Listen("tcp", net.JoinHostPort(text("ip"), fmt.Sprint(all[name])))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the port of the kernel: %w", err), r.close())
		}
		defer taken.Close()
	}
	for name, p := range r.ports {
		free, err := net.Listen("tcp", net.JoinHostPort(text("ip"), "0"))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("a port for GoNB: %w", err), r.close())
		}
		defer free.Close() // when all are found
		p.gonb, all[name] = free.Addr().String(), free.Addr().(*net.TCPAddr).Port
		r.ports[name] = p
	}
	if err := fileio.Write(r.file, 0o600, fileio.Bytes(encoded(all))); err != nil {
		return nil, errors.Join(fmt.Errorf("the connection to GoNB: %w", err), r.close())
	}
	return r, nil
}

func (r *relay) close() (err error) {
	for _, p := range r.ports {
		err = errors.Join(err, p.listener.Close())
	}
	return err
}

// run forwards messages until ctx ends.
func (r *relay) run(ctx context.Context) {
	context.AfterFunc(ctx, func() { _ = r.close() })
	var all sync.WaitGroup
	defer all.Wait()
	out := newOutput(r.key, r.session)
	all.Go(func() { out.receive(ctx, r.ports["iopub_port"].gonb) })
	all.Go(func() { accept(ctx, r.ports["iopub_port"], out.serve) })
	all.Go(func() { accept(ctx, r.ports["shell_port"], r.pass) })
	all.Go(func() { accept(ctx, r.ports["control_port"], r.pass) })
}

// accept serves connections to a port.
func accept(ctx context.Context, p port, serve func(ctx context.Context, client net.Conn, gonb string)) {
	var connections sync.WaitGroup
	defer connections.Wait()
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		connections.Go(func() {
			defer client.Close()
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(ctx, func() { client.Close() })()
			serve(ctx, client, p.gonb)
		})
	}
}

// pass serves a connection for requests.
func (r *relay) pass(ctx context.Context, c net.Conn, address string) {
	k, err := dial(ctx, address)
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { k.Close() })()
	client, kernel := newSocket(c), newSocket(k)
	var both sync.WaitGroup
	control := address == r.ports["control_port"].gonb
	both.Go(func() {
		defer k.Close()
		_ = copyMessages(kernel, client, func(parts [][]byte) [][]byte {
			m, ok := r.key.decode(parts)
			if !ok || !r.request(m, client, kernel, control) {
				return parts
			}
			return nil
		})
	})
	both.Go(func() {
		defer c.Close()
		_ = copyMessages(client, kernel, func(parts [][]byte) [][]byte {
			m, ok := r.key.decode(parts)
			switch {
			case ok && m.kind == "execute_reply":
				parts = r.reply(m).all()
			case ok && m.kind == "kernel_info_reply":
				r.key.set(m, information())
				parts = m.all()
			}
			return parts
		})
	})
	both.Wait()
}

// copyMessages copies what a socket sends, its messages changed; those that become nil are held back.
func copyMessages(to, from *socket, change func(parts [][]byte) [][]byte) error {
	// In pieces as they come, since each side waits for the beginning of the other's greeting.
	if _, err := io.CopyN(to, from.in, greetingSize); err != nil {
		return err
	}
	for {
		parts, commands, err := from.receive()
		if err == nil && commands != nil {
			err = to.write(commands)
		} else if err == nil {
			if parts = change(parts); parts != nil {
				err = to.send(parts)
			}
		}
		if err != nil {
			return err
		}
	}
}

// dial connects to GoNB, waiting until it listens.
func dial(ctx context.Context, address string) (net.Conn, error) {
	for {
		var dialer net.Dialer
		c, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil || !pause(ctx, 10*time.Millisecond) {
			return c, err
		}
	}
}
