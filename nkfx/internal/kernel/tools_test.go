package kernel

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKernelInstallAgain: what cells import is built again only for another program, another place, or new
// tools.
func TestKernelInstallAgain(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	k := Kernel{Checkout: fakeCheckout(t, ""), Data: t.TempDir()}
	program := write(t, t.TempDir(), "program", []byte("nkf"))
	builds := func() bool {
		var progress bytes.Buffer
		require.NoError(t, k.Install(t.Context(), program, &progress))
		require.Contains(t, progress.String(), "the kernel \"Go (nkf)\" is in "+k.Data)
		return strings.Contains(progress.String(), "the first time takes a minute or two")
	}
	require.True(t, builds())
	require.False(t, builds(), "nothing has changed")
	for why, change := range map[string]func(){
		"program": func() { write(t, filepath.Dir(program), "program", []byte("another nkf")) },
		"kernel":  func() { write(t, k.Data, "kernels/nkf/kernel.json", []byte("{}")) },
		"removed": func() { require.NoError(t, k.Remove()) },
		"place":   func() { k.Data = t.TempDir() },
	} {
		change()
		require.True(t, builds(), why)
		require.False(t, builds(), "nothing has changed since: %s", why)
	}
}

// Tools are built when they are missing, and again when their pins have changed.
func TestKernelTools(t *testing.T) {
	k := Kernel{Checkout: fakeCheckout(t, "")}
	require.True(t, k.has(gonb))
	pins := write(t, k.Checkout, ".tools/go.mod", []byte("require github.com/janpfeifer/gonb v0.11.4\n"))
	require.Equal(t, []string{"gonb"}, k.Missing())
	require.NoError(t, os.Remove(pins))
	require.NoError(t, os.Remove(k.binary(gopls)))
	require.False(t, k.has(gopls))
	require.Empty(t, k.Gopls())
	require.Empty(t, k.Missing(), "cells run without")
}

// TestApplyPatch: the folder for temporary files may be in a work tree of Git, and a hook of Git may run nkf.
func TestApplyPatch(t *testing.T) {
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, exec.Command(git, "init", dir).Run())
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	changed := write(t, dir, "a/source/a.txt", []byte("a\n"))
	patch := write(t, dir, "patch", []byte("diff --git a/a.txt b/a.txt\n"+
		"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n"))
	require.NoError(t, applyPatch(t.Context(), git, filepath.Dir(changed), patch))
	text, err := os.ReadFile(changed)
	require.NoError(t, err)
	require.Equal(t, "b\n", string(text))
}

// TestGoFlags: what is set for other modules does not hold for those of nkf.
func TestGoFlags(t *testing.T) {
	t.Setenv("GOENV", "off")
	for set, want := range map[string]string{
		"-mod=vendor":                       "-mod=readonly",
		"":                                  "-mod=readonly",
		"-tags=a '-ldflags=-s -w' -mod=mod": "-tags=a '-ldflags=-s -w'  -mod=readonly",
	} {
		t.Setenv("GOFLAGS", set)
		got, err := goFlags(t.Context(), "go")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	t.Setenv("GO111MODULE", "off")
	require.Equal(t, "GO111MODULE=on", goEnvironment("")[len(goEnvironment(""))-1])
}

// TestKernelWithoutGopls: what only completes cells does not keep them from running.
func TestKernelWithoutGopls(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	k := Kernel{Checkout: fakeCheckout(t, "exit 0"), Data: t.TempDir()}
	require.NoError(t, os.Remove(k.binary(gopls)))
	program := write(t, t.TempDir(), "program", []byte("nkf"))
	var progress bytes.Buffer
	require.NoError(t, k.Install(t.Context(), program, &progress))
	require.Contains(t, progress.String(), "going on without gopls: building golang.org/x/tools/gopls")
	path := connection(t)
	require.NoError(t, k.Run(t.Context(), path))

	write(t, k.Checkout, ".tools/bin/gopls", []byte("#!/bin/sh\nexit 1\n"))
	require.NoError(t, os.Chmod(k.binary(gopls), 0o755))
	write(t, filepath.Dir(program), "program", []byte("another nkf"))
	require.NoError(t, k.Install(t.Context(), program, &progress))
	require.Contains(t, progress.String(), "completion may be slow at first: gopls check")
}

// TestKernelToolsArePinned: every program comes from a module of this checkout that names it as its
// tool.
func TestKernelToolsArePinned(t *testing.T) {
	for _, tool := range allTools {
		pins, err := os.ReadFile(Kernel{Checkout: root}.pins(tool))
		require.NoError(t, err)
		require.Regexp(t, `(?m)^\s*(tool )?`+regexp.QuoteMeta(tool.path)+`$`, string(pins))
		sums, err := os.ReadFile(filepath.Join(filepath.Dir(Kernel{Checkout: root}.pins(tool)), "go.sum"))
		require.NoError(t, err)
		module := tool.path
		version := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(pins)
		require.Len(t, version, 2, module)
		require.Contains(t, string(sums), module+" "+string(version[1])+" h1:")
	}
}

func TestCheckoutAround(t *testing.T) {
	dir := t.TempDir()
	below, other := filepath.Join(dir, "notebooks", "deep"), filepath.Join(dir, "other")
	require.NoError(t, errors.Join(os.MkdirAll(below, 0o755), os.MkdirAll(other, 0o755)))
	module := func(dir, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644))
	}
	module(dir, "// A fork.\r\nmodule github.com/neuralkforms/nkf\r\n\r\ngo 1.26.5\r\n")
	module(other, "module github.com/neuralkforms/nkf/tools\n")
	for _, from := range []string{dir, below, other} {
		found, err := checkoutAround(from)
		require.NoError(t, err)
		require.Equal(t, dir, found)
	}
	t.Chdir(below)
	require.Contains(t, checkouts(), dir)
	_, err := checkoutAround("/")
	require.ErrorContains(t, err, "is not in a checkout of nkf")
}
