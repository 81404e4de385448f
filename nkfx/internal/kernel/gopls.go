package kernel

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
)

// server is gopls, the language server, which completes and explains cells.
type server struct {
	dir   string // of the package that it reads
	in    io.WriteCloser
	ready chan struct{} // closed once it has loaded what cells import

	mu       sync.Mutex
	next     int
	answers  map[int]chan rpc
	versions map[string]int // of the files

	asking sync.Mutex // one question at a time, since each has files of its own
}

// rpc is a message of the language server protocol.
type rpc struct {
	ID     *json.RawMessage `json:"id,omitempty"`
	Method string           `json:"method,omitempty"`
	Params json.RawMessage  `json:"params,omitempty"`
	Result json.RawMessage  `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

func newServer() *server {
	return &server{ready: make(chan struct{}), answers: map[int]chan rpc{}, versions: map[string]int{}}
}

// start starts gopls for a module, which it begins to load.
func (g *server) start(ctx context.Context, program, module string, env []string) error {
	g.dir = filepath.Join(module, "nkf_typed")
	cmd := exec.CommandContext(ctx, program, "serve")
	cmd.Dir, cmd.Env, cmd.WaitDelay = module, env, time.Second
	out, err := cmd.StdoutPipe()
	if err == nil {
		g.in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = errors.Join(os.MkdirAll(g.dir, 0o755), cmd.Start())
	}
	if err != nil {
		return fmt.Errorf("gopls: %w", err)
	}
	go func() {
		g.read(bufio.NewReader(out))
		_ = cmd.Wait() // it ends with ctx
	}()
	go g.load(ctx, module)
	return nil
}

// load begins the session, and waits until gopls has loaded the packages of [firstCell].
func (g *server) load(ctx context.Context, module string) {
	root := "file://" + module
	err := g.call(ctx, "initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": root,
		"workspaceFolders": []any{map[string]string{"uri": root, "name": "cells"}},
		"capabilities": map[string]any{"textDocument": map[string]any{
			"hover": map[string]any{"contentFormat": []string{"markdown"}},
			"signatureHelp": map[string]any{"signatureInformation": map[string]any{
				"activeParameterSupport": true, "documentationFormat": []string{"markdown"},
			}},
		}},
		"initializationOptions": map[string]any{"diagnosticsTrigger": "Save", "completionBudget": "1s"},
	}, nil)
	if err != nil {
		return
	}
	_ = g.send(rpc{Method: "initialized", Params: encoded(map[string]any{})})
	for ctx.Err() == nil {
		var hover map[string]any
		at := strings.Index(firstCell, "Show")
		if g.ask(ctx, "hover", "package main\n", firstCell, at, &hover) == nil && hover != nil {
			close(g.ready)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// ask asks about a place in a file, beside another.
func (g *server) ask(ctx context.Context, method, other, text string, at int, answer any) error {
	g.asking.Lock()
	defer g.asking.Unlock()
	for name, text := range map[string]string{"earlier.go": other, "main.go": text} {
		if err := g.write(name, text); err != nil {
			return err
		}
	}
	line := strings.LastIndexByte(text[:at], '\n') + 1
	return g.call(ctx, "textDocument/"+method, map[string]any{
		"textDocument": map[string]any{"uri": g.uri("main.go")},
		"position": map[string]int{
			"line": strings.Count(text[:line], "\n"), "character": utf16Size(text[line:at]),
		},
	}, answer)
}

func (g *server) uri(name string) string { return "file://" + filepath.Join(g.dir, name) }

// write gives a file another content.
func (g *server) write(name, text string) error {
	g.versions[name]++
	document := map[string]any{
		"uri": g.uri(name), "version": g.versions[name], "languageId": "go", "text": text,
	}
	if g.versions[name] == 1 {
		if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
		opened := encoded(map[string]any{"textDocument": document})
		return g.send(rpc{Method: "textDocument/didOpen", Params: opened})
	}
	return g.send(rpc{Method: "textDocument/didChange", Params: encoded(map[string]any{
		"textDocument": document, "contentChanges": []any{map[string]string{"text": text}},
	})})
}

// call sends a request and waits for its answer.
func (g *server) call(ctx context.Context, method string, params, answer any) error {
	g.mu.Lock()
	g.next++
	number, answers := g.next, make(chan rpc, 1)
	g.answers[number] = answers
	g.mu.Unlock()
	id := json.RawMessage(strconv.Itoa(number))
	if err := g.send(rpc{ID: &id, Method: method, Params: encoded(params)}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case m, ok := <-answers:
		if !ok {
			return errors.New("gopls has ended")
		}
		if m.Error != nil {
			return errors.New(m.Error.Message)
		}
		if answer == nil {
			return nil
		}
		return json.Unmarshal(m.Result, answer)
	}
}

func (g *server) send(m rpc) error {
	var out map[string]any
	_ = json.Unmarshal(encoded(m), &out) // it was just encoded
	out["jsonrpc"] = "2.0"
	if m.ID != nil && m.Method == "" && m.Result == nil {
		out["result"] = nil
	}
	body := encoded(out)
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := fmt.Fprintf(g.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// read takes what gopls sends, until it ends. Of what it asks for, it gets nothing.
func (g *server) read(out *bufio.Reader) {
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		for number, answers := range g.answers {
			close(answers)
			delete(g.answers, number)
		}
	}()
	for {
		size := 0
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if text, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				size, _ = strconv.Atoi(text) // gopls writes numbers
			}
		}
		body := make([]byte, size)
		var m rpc
		if _, err := io.ReadFull(out, body); err != nil || json.Unmarshal(body, &m) != nil || m.ID == nil {
			if err != nil {
				return
			}
			continue
		}
		if m.Method != "" {
			_ = g.send(rpc{ID: m.ID}) // if not, the next read finds the end
			continue
		}
		number, _ := strconv.Atoi(string(*m.ID)) // ours
		g.mu.Lock()
		if answers := g.answers[number]; answers != nil {
			answers <- m
			delete(g.answers, number)
		}
		g.mu.Unlock()
	}
}

// utf16Size returns the size of a text in UTF-16 units, in which Jupyter and gopls count.
func utf16Size(text string) int { return len(utf16.Encode([]rune(text))) }

// utf16Offset returns the byte offset in a text of a number of UTF-16 units.
func utf16Offset(text string, units int) int {
	for i, r := range text {
		if units <= 0 {
			return i
		}
		units -= max(1, utf16.RuneLen(r))
	}
	return len(text)
}
