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
	"slices"
	"strings"

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
// missing of GoNB, goimports and gopls, at the versions that the checkout pins, and all packages of nkf, so
// that the first cell need not. Without gopls cells run, but are neither completed nor explained. Installing
// again renews all. program is the nkf that Jupyter is to start; a copy of it stays beside kernel.json.
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

// kernelOf returns the kernel that a kernel.json starts, if it is one of nkf's.
func kernelOf(content []byte) (k Kernel, ok bool) {
	var s kernelSpec
	if json.Unmarshal(content, &s) != nil {
		return k, false
	}
	i := slices.Index(s.Argv, "--checkout")
	if i < 0 || i+1 >= len(s.Argv) {
		return k, false
	}
	return Kernel{Checkout: s.Argv[i+1]}, true
}
