// Package kernel installs and runs the Jupyter kernel "Go (nkf)": GoNB behind a relay.
//
// GoNB exchanges messages with Jupyter, runs commands and programs, and passes on their output. The relay
// forwards these messages with six exceptions. It sends GoNB only the commands of a cell and an empty main;
// when GoNB runs go build, the relay returns the program that package cell has made and Go has compiled. It
// replaces errors by those of the cell. It joins output, and takes values out of it. gopls answers requests
// for completion and documentation. The relay answers what GoNB does not, such as requests for the history.
// An interrupt ends whatever runs.
package kernel

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx"
)

// Kernel is the Jupyter kernel of a checkout of nkf. Cells are compiled against the checkout, at
// the versions that its go.mod pins, wherever the notebook is.
type Kernel struct {
	Checkout string // folder with the go.mod of nkf, or one below
	Data     string // folder in which Jupyter looks for kernels/; that of the user if empty
}

const (
	name        = "nkf"
	displayName = "Go (nkf)"
)

//go:embed kernel.svg
var logo []byte

// specification is the content of a kernel.json.
type specification struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
}

// Install registers the kernel with Jupyter. It first builds GoNB and gopls where they are missing, at the
// versions that the checkout pins, and all packages of nkf, so that the first cell need not. Without gopls
// cells run, but are neither completed nor explained. program is the nkf that Jupyter is to start; a copy of
// it stays beside kernel.json. Installing again renews everything, unless the program, which has the packages
// of nkf in it, and the tools are those that were installed.
func (k Kernel) Install(ctx context.Context, program string, progress io.Writer) error {
	checkout, err := checkoutAround(k.Checkout)
	if err != nil {
		return err
	}
	k.Checkout = checkout
	dir, err := k.folder()
	if err != nil {
		return err
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("notebooks are compiled by Go, which is not on PATH: %w", err)
	}
	built, err := k.installTools(ctx, goTool, progress)
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("the program for the kernel: %w", err)
	}
	spec, err := json.MarshalIndent(k.spec(dir, filepath.Dir(goTool)), "", "  ")
	if err != nil {
		return err
	}
	files := []kernelFile{
		{"nkf", binary, 0o777}, {"logo-svg.svg", logo, 0o666}, {"kernel.json", append(spec, '\n'), 0o666},
	}
	if built || slices.ContainsFunc(files, func(f kernelFile) bool { return !f.isIn(dir) }) {
		if err := k.warm(ctx, goTool, progress); err != nil {
			return err
		}
		for _, f := range files { // a running kernel keeps the file of the old program
			path := filepath.Join(dir, f.name)
			if err := fileio.Write(path, f.mode, fileio.Bytes(f.data)); err != nil {
				return fmt.Errorf("installing the kernel: %w", err)
			}
		}
	}
	fmt.Fprintf(progress, "nkf: the kernel %q is in %s\n", displayName, filepath.Join(dir, "kernel.json"))
	return nil
}

// kernelFile is a file of the kernel.
type kernelFile struct {
	name string
	data []byte
	mode os.FileMode
}

// isIn reports whether the file is in a folder.
func (f kernelFile) isIn(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, f.name))
	return err == nil && bytes.Equal(data, f.data)
}

// Remove undoes Install. A kernel of that name that nkf has not installed stays, and is an error.
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
	var spec specification
	if json.Unmarshal(content, &spec) != nil || spec.DisplayName != displayName {
		return fmt.Errorf("the kernel in %s is not one of nkf's: left alone", dir)
	}
	return os.RemoveAll(dir)
}

// userData returns Jupyter's data folder of the user, or "" without a home folder.
func userData() string {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "jupyter")
}

// folder returns the folder of the kernel.
func (k Kernel) folder() (string, error) {
	data := k.Data
	if data == "" {
		data = userData()
	}
	if data == "" {
		return "", errors.New("there is no folder for the kernel: set HOME")
	}
	return filepath.Abs(filepath.Join(data, "kernels", name))
}

// spec returns the specification of the kernel in dir. goDir is the folder of Go, for a PATH
// without it.
func (k Kernel) spec(dir, goDir string) specification {
	return specification{
		Argv: []string{
			filepath.Join(dir, "nkf"), "kernel", "run", "--checkout", k.Checkout, "{connection_file}",
		},
		DisplayName: displayName,
		Language:    "go",
		// GoNB ends the program of the cell by itself; a signal would end the kernel.
		InterruptMode: "message",
		Env:           map[string]string{"PATH": "${PATH}:" + goDir},
	}
}

// Find returns the kernel.json of the kernel that Jupyter finds first, looking also into the .venv of the
// current folder and of [checkouts], and the kernel. The path is "" if there is none; the kernel has no
// checkout if another program installed it.
func Find() (spec string, k Kernel) {
	dirs := append(filepath.SplitList(os.Getenv("JUPYTER_PATH")), userData())
	prefixes := []string{os.Getenv("VIRTUAL_ENV"), ".venv"}
	for _, checkout := range checkouts() {
		prefixes = append(prefixes, filepath.Join(checkout, ".venv"))
	}
	for _, prefix := range append(prefixes, "/usr/local", "/usr") {
		if prefix != "" {
			dirs = append(dirs, filepath.Join(prefix, "share", "jupyter"))
		}
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, "kernels", name, "kernel.json")
		content, err := os.ReadFile(path)
		if dir == "" || err != nil {
			continue
		}
		k := Kernel{Data: dir}
		var s specification
		_ = json.Unmarshal(content, &s) // without a checkout, nothing more is known of it
		if i := slices.Index(s.Argv, "--checkout") + 1; i > 0 && i < len(s.Argv) {
			k.Checkout = s.Argv[i]
		}
		return path, k
	}
	return "", Kernel{}
}

// checkouts returns the checkouts of nkf around the current folder and around this program, where make lab
// has JupyterLab and the kernel in .venv.
func checkouts() (found []string) {
	program, _ := os.Executable()
	for _, dir := range []string{".", filepath.Dir(program)} {
		if checkout, err := checkoutAround(dir); err == nil {
			found = append(found, checkout)
		}
	}
	return found
}

// LabCommand returns the command that makes JupyterLab with the kernel and opens it.
func LabCommand() string {
	if found := checkouts(); len(found) > 0 {
		return "make -C " + found[0] + " lab"
	}
	return "git clone https://" + nkfx.Module + " && make -C nkf lab"
}

// InstallCommand returns the command that installs the kernel again where it is.
func (k Kernel) InstallCommand() string {
	command := "nkf kernel install --checkout " + k.Checkout
	if k.Data != "" && k.Data != userData() {
		command += " --prefix " + strings.TrimSuffix(k.Data, filepath.Join("/", "share", "jupyter"))
	}
	return command
}

// moduleLine is the line of go.mod by which a checkout is known.
var moduleLine = regexp.MustCompile(`(?m)^module github\.com/neuralkforms/nkf\s*$`)

// checkoutAround returns the nearest folder from dir upwards that holds the go.mod of nkf.
func checkoutAround(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		content, _ := os.ReadFile(filepath.Join(at, "go.mod")) // absent from most
		if moduleLine.Match(content) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not in a checkout of nkf: go there, or name its folder", dir)
		}
	}
}
