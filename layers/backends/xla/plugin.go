package xla

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gomlx/go-xla/installer"
)

// PathVariable names the variable of the environment that lists the folders with plug-ins.
const PathVariable = "PJRT_PLUGIN_LIBRARY_PATH"

// Plugin is one file that goes by the name of a PJRT plug-in, XLA in a shared library.
type Plugin struct {
	Name string // as in GOMLX_BACKEND=xla:name, for example "cpu", "cpu_v0.0.1" or "cuda"
	Path string // absolute
	Err  error  // why it must not be loaded, nil if it looks sound
}

// IsCPU returns whether the plug-in runs on the CPU, with or without a version in its name.
func (p Plugin) IsCPU() bool { return p.Name == "cpu" || strings.HasPrefix(p.Name, "cpu_v") }

// IsCUDA returns whether the plug-in runs on NVIDIA's cards.
func (p Plugin) IsCUDA() bool { return strings.HasPrefix(p.Name, "cuda") }

// Config returns the GoMLX configuration that loads this very plug-in.
//
// An absolute path spares go-xla from loading every plug-in it can find to ask for its name. But go-xla reads
// options after a comma and takes a path with "cuda" or "nvidia" in it for that of a GPU.
func (p Plugin) Config() string {
	odd := regexp.MustCompile(`(?i),|cuda|nvidia`)
	if p.IsCPU() && odd.MatchString(p.Path) {
		return "xla:" + p.Name
	}
	return "xla:" + p.Path
}

// pluginNames are the file names by which go-xla knows plug-ins.
var pluginNames = regexp.MustCompile(`^(?:pjrt_c_api_(.+)_plugin|pjrt[-_]plugin[-_](.+))\.(?:so|dylib|dll)$`)

// SearchPath returns the folders in which plug-ins are looked for, in order: those that
// PJRT_PLUGIN_LIBRARY_PATH lists or else go-xla's folders for the user and for the machine.
func SearchPath() []string {
	if list, ok := os.LookupEnv(PathVariable); ok {
		return slices.DeleteFunc(filepath.SplitList(list), func(dir string) bool { return dir == "" })
	}
	var dirs []string
	if home, err := installer.DefaultHomeLibPath(); err == nil {
		dirs = append(dirs, filepath.Join(home, "go-xla"), filepath.Join(home, "gomlx", "pjrt"))
	}
	dirs = append(dirs, "/usr/local/lib/go-xla", "/usr/local/lib/gomlx/pjrt")
	return append(dirs, slices.DeleteFunc(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")),
		func(dir string) bool { return !filepath.IsAbs(dir) })...)
}

// InstallDir returns the folder for a new plug-in: the first of PJRT_PLUGIN_LIBRARY_PATH, or go-xla's folder
// for the user.
func InstallDir() (string, error) {
	if _, ok := os.LookupEnv(PathVariable); ok {
		if dirs := SearchPath(); len(dirs) > 0 {
			return filepath.Abs(dirs[0])
		}
	} else if home, err := installer.DefaultHomeLibPath(); err == nil {
		return filepath.Join(home, "go-xla"), nil
	}
	return "", fmt.Errorf("there is no folder to put the XLA plug-in into: set HOME, or set %s to a folder",
		PathVariable)
}

// Find returns the plug-ins in dirs, folder after folder, by name within each. Those of CUDA lie below,
// beside the libraries of NVIDIA.
func Find(dirs []string) []Plugin {
	var found []Plugin
	for _, dir := range dirs {
		for _, dir := range []string{dir, filepath.Join(dir, CUDAFolder)} {
			found = append(found, findIn(dir)...)
		}
	}
	return found
}

// findIn returns the plug-ins in a folder.
func findIn(dir string) []Plugin {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil
	}
	var found []Plugin
	for _, entry := range entries {
		if p := pluginAt(filepath.Join(dir, entry.Name())); p.Path != "" {
			p.Err = Check(p.Path)
			found = append(found, p)
		}
	}
	return found
}

// PluginOf returns the plug-in that a GoMLX configuration without its "xla:" names, by its name or its path.
func PluginOf(config string) Plugin {
	path, _, _ := strings.Cut(config, ",")
	if p := pluginAt(path); p.Path != "" {
		return p
	}
	return Plugin{Name: path}
}

// pluginAt returns the plug-in at path, or none if its name is not that of one.
func pluginAt(path string) Plugin {
	if match := pluginNames.FindStringSubmatch(filepath.Base(path)); match != nil {
		return Plugin{Name: match[1] + match[2], Path: path}
	}
	return Plugin{}
}

// Check returns an error unless the plug-in at path may be loaded: it is whole, and what `nkf setup`
// stored, if that stored it.
func Check(path string) error {
	if err := CheckLibrary(path); err != nil {
		return err
	}
	if err := checkNVIDIA(path); err != nil {
		return err
	}
	if err := Unchanged(path); !errors.Is(err, ErrNoSum) {
		return err
	}
	return nil
}

// CPU returns the first sound CPU plug-in among plugins, and the errors of those it passed over.
func CPU(plugins []Plugin) (found Plugin, ok bool, damaged error) {
	return first(plugins, Plugin.IsCPU)
}

// CUDA returns the first sound plug-in of CUDA among plugins, and the errors of those it passed over.
func CUDA(plugins []Plugin) (found Plugin, ok bool, damaged error) {
	return first(plugins, Plugin.IsCUDA)
}

// first returns the first sound plug-in of a kind.
func first(plugins []Plugin, is func(Plugin) bool) (found Plugin, ok bool, damaged error) {
	for _, p := range plugins {
		switch {
		case !is(p):
		case p.Err != nil:
			damaged = errors.Join(damaged, p.Err)
		default:
			return p, true, damaged
		}
	}
	return Plugin{}, false, damaged
}
