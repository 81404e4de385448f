package nkfx

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/neuralkforms/nkf/datasets"
)

// Kernel is the Jupyter kernel "Go (nkf)": GoNB, set up so that a cell can import nkf at once. Cells are
// compiled against a checkout of nkf, at the versions that its go.mod pins, wherever the notebook is.
type Kernel struct {
	Checkout string // folder with the go.mod of nkf
	Data     string // folder in which Jupyter looks for kernels/; that of the user if empty
	Backend  string // what GOMLX_BACKEND is for cells; if empty, what it is where Jupyter starts
}

const (
	kernelName  = "nkf"
	displayName = "Go (nkf)"
)

//go:embed kernel.svg
var kernelLogo []byte

// kernelSpec is what Jupyter reads in kernel.json.
type kernelSpec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
}

// FindCheckout returns the nearest folder from dir upwards that holds the go.mod of nkf.
func FindCheckout(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if checkCheckout(at) == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf(
				"%s is not in a checkout of %s: go there, or name its folder",
				dir,
				Module,
			)
		}
	}
}

// checkCheckout returns an error unless dir holds the go.mod of nkf.
func checkCheckout(dir string) error {
	content, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return fmt.Errorf("no checkout of nkf: %w", err)
	}
	for line := range strings.Lines(string(content)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" &&
			fields[1] == Module {
			return nil
		}
	}
	return fmt.Errorf("%s is not a checkout of %s", dir, Module)
}

// Install registers the kernel with Jupyter and returns the path of its kernel.json. It first builds what is
// missing of GoNB and goimports, at the versions that the checkout pins, and all packages of nkf, so that
// the first cell need not. Installing again renews all. program is the nkf that Jupyter is to start; a copy
// of it stays beside kernel.json.
func (k Kernel) Install(ctx context.Context, program string, progress io.Writer) (string, error) {
	if err := checkCheckout(k.Checkout); err != nil {
		return "", err
	}
	dir, err := k.folder()
	if err != nil {
		return "", err
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("notebooks are compiled by Go, which is not on PATH: %w", err)
	}
	if err := k.installTools(ctx, goTool, progress); err != nil {
		return "", err
	}
	if err := k.warm(ctx, goTool, progress); err != nil {
		return "", err
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return "", fmt.Errorf("the program for the kernel: %w", err)
	}
	spec, err := json.MarshalIndent(k.spec(dir, filepath.Dir(goTool)), "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("the folder for the kernel: %w", err)
	}
	for _, file := range []struct {
		name string
		data []byte
		mode os.FileMode
	}{
		{"nkf", binary, 0o777},
		{"logo-svg.svg", kernelLogo, 0o666},
		{"kernel.json", append(spec, '\n'), 0o666},
	} {
		// A kernel may be running the old program: it keeps its file.
		path := filepath.Join(dir, file.name)
		if err := datasets.WriteFile(path, file.mode, datasets.Bytes(file.data)); err != nil {
			return "", fmt.Errorf("installing the kernel: %w", err)
		}
	}
	path := filepath.Join(dir, "kernel.json")
	fmt.Fprintf(progress, "nkf: the kernel %q is in %s\n", displayName, path)
	return path, nil
}

// Remove undoes Install. A kernel of that name that nkf has not installed is left alone, and an error.
func (k Kernel) Remove() error {
	dir, err := k.folder()
	if err != nil {
		return err
	}
	content, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if os.IsNotExist(err) {
		return fmt.Errorf("no kernel is installed in %s", dir)
	}
	if err != nil {
		return err
	}
	var spec kernelSpec
	if json.Unmarshal(content, &spec) != nil || spec.DisplayName != displayName {
		return fmt.Errorf("the kernel in %s is not one of nkf's: left alone", dir)
	}
	var errs []error
	// kernel.json goes last, so that what fails can be done again.
	for _, name := range []string{"nkf", "logo-svg.svg", "kernel.json", ""} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// folder returns the folder of the kernel.
func (k Kernel) folder() (string, error) {
	data := k.Data
	if data == "" {
		if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
			data = dir
		} else if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
			data = filepath.Join(dir, "jupyter")
		} else if home, err := os.UserHomeDir(); err == nil {
			data = filepath.Join(home, ".local", "share", "jupyter")
		} else {
			return "", fmt.Errorf("there is no folder for the kernel: %w", err)
		}
	}
	return filepath.Abs(filepath.Join(data, "kernels", kernelName))
}

// spec returns the specification of the kernel in dir. goDir is the folder of Go, where PATH has none.
func (k Kernel) spec(dir, goDir string) kernelSpec {
	program := filepath.Join(dir, "nkf")
	s := kernelSpec{
		Argv:        []string{program, "kernel", "run", "--checkout", k.Checkout, "{connection_file}"},
		DisplayName: displayName,
		Language:    "go",
		// GoNB ends the program of the cell by itself; a signal would end the kernel.
		InterruptMode: "message",
		Env:           map[string]string{"PATH": "${PATH}:" + goDir},
	}
	if k.Backend != "" {
		s.Env["GOMLX_BACKEND"] = k.Backend
	}
	return s
}

// tools returns the folder of GoNB and goimports.
func (k Kernel) tools() string { return filepath.Join(k.Checkout, ".tools", "bin") }

// pins returns the file that pins their versions.
func (k Kernel) pins() string { return filepath.Join(filepath.Dir(k.tools()), "go.mod") }

// kernelTools are the programs a kernel consists of, as the tool module of the checkout pins them.
var kernelTools = []string{"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports"}

// missingTools returns those of the programs that are not there, or older than the
// versions they are pinned at.
func (k Kernel) missingTools() []string {
	var missing []string
	pins, pinsErr := os.Stat(k.pins())
	for _, tool := range kernelTools {
		built, err := os.Stat(filepath.Join(k.tools(), filepath.Base(tool)))
		if err != nil || pinsErr == nil && built.ModTime().Before(pins.ModTime()) {
			missing = append(missing, tool)
		}
	}
	return missing
}

// installTools builds GoNB and goimports where they are missing.
func (k Kernel) installTools(ctx context.Context, goTool string, progress io.Writer) error {
	missing := k.missingTools()
	if len(missing) == 0 {
		return nil
	}
	fmt.Fprintf(progress, "nkf: building %s\n", strings.Join(missing, " and "))
	cmd := exec.CommandContext(ctx, goTool, append([]string{"install"}, missing...)...)
	cmd.Dir = filepath.Dir(k.tools())
	cmd.Env = append(os.Environ(), "GOBIN="+k.tools(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w: %s", strings.Join(missing, " and "), err, out)
	}
	built := time.Now()
	// The pins may come from a machine whose clock is ahead.
	if pins, err := os.Stat(k.pins()); err == nil && pins.ModTime().After(built) {
		built = pins.ModTime()
	}
	for _, tool := range missing {
		// What Go finds unchanged keeps its time.
		if err := os.Chtimes(filepath.Join(k.tools(), filepath.Base(tool)), built, built); err != nil {
			return err
		}
	}
	return nil
}

// warm builds all packages of nkf as cells do: from a module beside the checkout, in one workspace with it.
func (k Kernel) warm(ctx context.Context, goTool string, progress io.Writer) error {
	fmt.Fprintln(progress, "nkf: building what cells import; the first time takes a minute or two")
	dir, err := os.MkdirTemp("", "nkf-warm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"mod", "init", "notebook"}, {"work", "init", ".", k.Checkout}, {"build", Module + "/..."},
	} {
		cmd := exec.CommandContext(ctx, goTool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s for a notebook: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}
