package nkfx

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gomlx/go-xla/installer"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/neuralkforms/nkf/datasets"
)

// plugin is one file that goes by the name of a PJRT plug-in, XLA in a shared library.
type plugin struct {
	name string // as in GOMLX_BACKEND=xla:name, for example "cpu", "cpu_v0.0.1" or "cuda"
	path string // absolute
	err  error  // why it cannot be loaded, nil if it looks sound
}

// isCPU returns whether the plug-in runs on the CPU, with or without a version in its name.
func (p plugin) isCPU() bool { return p.name == "cpu" || strings.HasPrefix(p.name, "cpu_v") }

// config returns the GoMLX configuration that loads this very plug-in.
//
// An absolute path spares go-xla from loading every plug-in it can find to ask for its name. But go-xla reads
// options after a comma and takes whatever has "cuda" or "nvidia" in its path for a GPU.
func (p plugin) config() string {
	odd := regexp.MustCompile(`(?i),|cuda|nvidia`)
	if p.isCPU() && odd.MatchString(p.path) {
		return "xla:" + p.name
	}
	return "xla:" + p.path
}

// pluginNames are the file names by which go-xla knows plug-ins.
var pluginNames = regexp.MustCompile(`^(?:pjrt_c_api_(.+)_plugin|pjrt[-_]plugin[-_](.+))\.(?:so|dylib|dll)$`)

// searchPath returns the folders in which plug-ins are looked for, in order: those that
// PJRT_PLUGIN_LIBRARY_PATH lists or else go-xla's folders for the user and for the machine.
func searchPath() []string {
	if list, ok := os.LookupEnv(pjrt.PJRTPluginPathsEnv); ok {
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

// installDir returns the folder for a new plug-in: the first of PJRT_PLUGIN_LIBRARY_PATH, or go-xla's folder
// for the user.
func installDir() (string, error) {
	if _, ok := os.LookupEnv(pjrt.PJRTPluginPathsEnv); ok {
		if dirs := searchPath(); len(dirs) > 0 {
			return filepath.Abs(dirs[0])
		}
	} else if home, err := installer.DefaultHomeLibPath(); err == nil {
		return filepath.Join(home, "go-xla"), nil
	}
	return "", fmt.Errorf("there is no folder to put the XLA plug-in into: set HOME, or set %s to a folder",
		pjrt.PJRTPluginPathsEnv)
}

// findPlugins returns the plug-ins in dirs, folder after folder, by name within each.
func findPlugins(dirs []string) []plugin {
	var found []plugin
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			continue
		}
		entries, err := os.ReadDir(dir) // sorted by name
		if err != nil {
			continue
		}
		for _, entry := range entries {
			match := pluginNames.FindStringSubmatch(entry.Name())
			if match == nil {
				continue
			}
			path := filepath.Join(dir, entry.Name())
			found = append(found, plugin{name: match[1] + match[2], path: path, err: checkLibrary(path)})
		}
	}
	return found
}

// pluginOf returns the plug-in that a GoMLX configuration without its "xla:" names, by its name or its path.
func pluginOf(config string) plugin {
	path, _, _ := strings.Cut(config, ",")
	if match := pluginNames.FindStringSubmatch(filepath.Base(path)); match != nil {
		return plugin{name: match[1] + match[2], path: path}
	}
	return plugin{name: path}
}

// cpuPlugin returns the first sound CPU plug-in among plugins, and what is wrong with those it passed over.
func cpuPlugin(plugins []plugin) (found plugin, ok bool, damaged error) {
	for _, p := range plugins {
		switch {
		case !p.isCPU():
		case p.err != nil:
			damaged = errors.Join(damaged, p.err)
		default:
			return p, true, damaged
		}
	}
	return plugin{}, false, damaged
}

// checkLibrary returns an error unless the file at path is a whole shared library for this machine that
// exports what a PJRT plug-in must.
//
// Loading a file that ends too early kills the process with SIGBUS, and go-xla panics on a foreign one, so
// this looks before anything is loaded. It takes about a millisecond: only the headers are read.
func checkLibrary(path string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("the XLA plug-in %s is damaged or not a plug-in (%w): "+
				"remove it and run `nkf setup`", path, err)
		}
	}()
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	if runtime.GOOS != "linux" {
		return nil // elsewhere the libraries are not ELF
	}
	file, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("no readable ELF headers: %w", err)
	}
	defer file.Close()
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want := machines[runtime.GOARCH]; file.Machine != want {
		return fmt.Errorf("built for %v, this program for %v", file.Machine, want)
	}
	for _, segment := range file.Progs {
		if segment.Filesz > uint64(info.Size()) || segment.Off > uint64(info.Size())-segment.Filesz {
			return fmt.Errorf("it ends after %d bytes, in the middle of a segment", info.Size())
		}
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return fmt.Errorf("no readable symbols: %w", err)
	}
	if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == pjrt.GetPJRTApiFunctionName && s.Section != elf.SHN_UNDEF
	}) {
		return fmt.Errorf("it does not export %s", pjrt.GetPJRTApiFunctionName)
	}
	return nil
}

// sumFile returns the name of the file in which [Setup] notes the SHA-256 of the plug-in at path.
func sumFile(path string) string { return path + ".sha256" }

// errNoSum says that a plug-in was not installed by [Setup].
var errNoSum = errors.New("no SHA-256 on record")

// checkSum returns nil if the plug-in at path is, byte for byte, the one that [Setup] stored, and errNoSum if
// Setup did not store it.
func checkSum(path string) error {
	record, err := os.ReadFile(sumFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return errNoSum
	}
	if err != nil {
		return err
	}
	got, err := datasets.FileSHA256(path)
	if err != nil {
		return err
	}
	if want, _, _ := strings.Cut(string(record), " "); got != want {
		return fmt.Errorf("the XLA plug-in %s has changed since it was installed (SHA-256 %s, not %s): "+
			"run `nkf setup`", path, got, want)
	}
	return nil
}
