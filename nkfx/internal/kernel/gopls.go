package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// server is gopls, the language server, which completes and explains cells.
type server struct {
	*jsonrpc2.Conn
	dir   string        // of the package that it reads
	ready chan struct{} // closed once it has loaded what cells import

	asking   sync.Mutex     // one question at a time, since each has files of its own
	versions map[string]int // of the files
}

func newServer() *server { return &server{ready: make(chan struct{}), versions: map[string]int{}} }

// start starts gopls for a module, which it begins to load.
func (g *server) start(ctx context.Context, program, module string, env []string) error {
	g.dir = filepath.Join(module, "nkf_typed")
	cmd := cell.Behind(ctx, program, "serve")
	cmd.Dir, cmd.Env, cmd.WaitDelay = module, env, time.Second
	out, outErr := cmd.StdoutPipe()
	in, inErr := cmd.StdinPipe()
	if err := errors.Join(outErr, inErr, os.MkdirAll(g.dir, 0o755), cmd.Start()); err != nil {
		return fmt.Errorf("gopls: %w", err)
	}
	pipes := struct {
		io.Reader
		io.WriteCloser
	}{out, in}
	// Of what it asks for, it gets nothing.
	nothing := func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil }
	g.Conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(pipes, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(nothing), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	go func() {
		<-g.DisconnectNotify()
		_ = cmd.Wait() // it ends with ctx
	}()
	go g.load(ctx, module)
	return nil
}

// load begins the session, and waits until gopls has loaded the packages of [firstCell].
func (g *server) load(ctx context.Context, module string) {
	root := "file://" + module
	err := g.Call(ctx, "initialize", map[string]any{
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
	_ = g.Notify(ctx, "initialized", map[string]any{}) // if not, nothing is asked either
	for pause(ctx, 100*time.Millisecond) {
		var hover map[string]any
		at := strings.Index(firstCell, "Show")
		if g.ask(ctx, "hover", "package main\n", firstCell, at, &hover) == nil && hover != nil {
			close(g.ready)
			return
		}
	}
}

// ask asks about a place in a file, beside another.
func (g *server) ask(ctx context.Context, method, other, text string, at int, answer any) error {
	g.asking.Lock()
	defer g.asking.Unlock()
	for name, text := range map[string]string{"earlier.go": other, "main.go": text} {
		if err := g.write(ctx, name, text); err != nil {
			return err
		}
	}
	line := strings.LastIndexByte(text[:at], '\n') + 1
	return g.Call(ctx, "textDocument/"+method, map[string]any{
		"textDocument": map[string]any{"uri": g.uri("main.go")},
		"position": map[string]int{
			"line": strings.Count(text[:line], "\n"), "character": utf16Size(text[line:at]),
		},
	}, answer)
}

func (g *server) uri(name string) string { return "file://" + filepath.Join(g.dir, name) }

// write gives a file another content.
func (g *server) write(ctx context.Context, name, text string) error {
	g.versions[name]++
	document := map[string]any{
		"uri": g.uri(name), "version": g.versions[name], "languageId": "go", "text": text,
	}
	if g.versions[name] == 1 {
		if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
		return g.Notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": document})
	}
	return g.Notify(ctx, "textDocument/didChange", map[string]any{
		"textDocument": document, "contentChanges": []any{map[string]string{"text": text}},
	})
}

// utf16Size returns the size of a text in UTF-16 units, in which gopls counts.
func utf16Size(text string) int { return len(utf16.Encode([]rune(text))) }
