package nkfx

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// kernelTool is a program that the kernel needs, at the version that a module of the checkout pins.
type kernelTool struct {
	path   string // of its package
	module string // folder of the module, below that of the tools
	spare  bool   // without it cells run all the same
}

// kernelTools are the programs of a kernel: GoNB runs cells, goimports completes their imports, and gopls
// completes and explains code. gopls has a module of its own, because it needs another golang.org/x/tools.
var (
	gonb      = kernelTool{path: "github.com/janpfeifer/gonb"}
	goimports = kernelTool{path: "golang.org/x/tools/cmd/goimports"}
	gopls     = kernelTool{path: "golang.org/x/tools/gopls", module: "gopls", spare: true}

	kernelTools = []kernelTool{gonb, goimports, gopls}
)

// tools returns the folder of the programs.
func (k Kernel) tools() string { return filepath.Join(k.Checkout, ".tools", "bin") }

// program returns the file of a tool.
func (k Kernel) program(tool kernelTool) string {
	return filepath.Join(k.tools(), filepath.Base(tool.path))
}

// pins returns the file that pins the version of a tool.
func (k Kernel) pins(tool kernelTool) string {
	return filepath.Join(k.Checkout, ".tools", tool.module, "go.mod")
}

// missingTools returns those of the programs that are not there, or older than the versions they are pinned
// at.
func (k Kernel) missingTools() []kernelTool {
	var missing []kernelTool
	for _, tool := range kernelTools {
		built, err := os.Stat(k.program(tool))
		pins, pinsErr := os.Stat(k.pins(tool))
		if err != nil || pinsErr == nil && built.ModTime().Before(pins.ModTime()) {
			missing = append(missing, tool)
		}
	}
	return missing
}

// installTools builds the programs that are missing. It goes on without one that can be spared.
func (k Kernel) installTools(ctx context.Context, goTool string, progress io.Writer) error {
	for _, tool := range k.missingTools() {
		fmt.Fprintf(progress, "nkf: building %s\n", tool.path)
		err := k.installTool(ctx, goTool, tool)
		if err != nil && (!tool.spare || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			fmt.Fprintf(progress, "nkf: going on without %s: %v\n", filepath.Base(tool.path), err)
		}
	}
	return nil
}

// installTool builds one program.
func (k Kernel) installTool(ctx context.Context, goTool string, tool kernelTool) error {
	cmd := exec.CommandContext(ctx, goTool, "install", tool.path)
	cmd.Dir = filepath.Dir(k.pins(tool))
	cmd.Env = append(os.Environ(), "GOBIN="+k.tools(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w: %s", tool.path, err, strings.TrimSpace(string(out)))
	}
	built := time.Now()
	// The pins may come from a machine whose clock is ahead.
	if pins, err := os.Stat(k.pins(tool)); err == nil && pins.ModTime().After(built) {
		built = pins.ModTime()
	}
	// What Go finds unchanged keeps its time.
	return os.Chtimes(k.program(tool), built, built)
}

// firstCell imports what most cells do.
const firstCell = `package main

import (
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

func main() { nkfx.Show(figures.NewPanel(""), layers.KForm) }
`

// warm builds all packages of nkf as cells do: from a module beside the checkout, in one workspace with it.
// gopls then reads them, which takes it longer than GoNB waits for the first answer.
func (k Kernel) warm(ctx context.Context, goTool string, progress io.Writer) error {
	fmt.Fprintln(progress, "nkf: building what cells import; the first time takes a minute or two")
	dir, err := os.MkdirTemp("", "nkf-warm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	run := func(program string, args ...string) error {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=", "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+
			filepath.Dir(goTool))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s %s for a notebook: %w: %s",
				filepath.Base(program), strings.Join(args, " "), err, strings.TrimSpace(string(out)))
		}
		return nil
	}
	for _, args := range [][]string{
		{"mod", "init", "notebook"}, {"work", "init", ".", k.Checkout}, {"build", Module + "/..."},
	} {
		if err := run(goTool, args...); err != nil {
			return err
		}
	}
	if _, err := os.Stat(k.program(gopls)); err != nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(firstCell), 0o644); err != nil {
		return err
	}
	if err := run(k.program(gopls), "check", "main.go"); err != nil {
		fmt.Fprintf(progress, "nkf: completion may be slow at first: %v\n", err)
	}
	return ctx.Err()
}
