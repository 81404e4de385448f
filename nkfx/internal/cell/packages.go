package cell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
)

// Packages are the packages that cells can import: those that the module in a folder knows.
type Packages struct {
	Go  string   // the Go command
	Dir string   // of the module
	Env []string // for the Go command

	mu       sync.Mutex
	listed   map[string]listed
	imported types.Importer
}

// listed is a package in the output of go list.
type listed struct{ name, export string }

const listFormat = "{{.ImportPath}}\t{{.Name}}\t{{.Export}}"

// Add adds a list that [Packages.List] returned, maybe in an earlier session.
func (p *Packages) Add(list string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listed == nil {
		p.listed = map[string]listed{}
	}
	changed := p.imported == nil
	for line := range strings.Lines(list) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) >= 2 {
			l := listed{name: f[1]}
			if len(f) > 2 {
				l.export = f[2]
			}
			changed = changed || p.listed[f[0]] != l
			p.listed[f[0]] = l
		}
	}
	if changed {
		p.imported = importer.ForCompiler(token.NewFileSet(), "gc", p.open)
	}
}

// SetDir moves to another folder, of a module with the same packages.
func (p *Packages) SetDir(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Dir = dir
}

// Folder returns the folder of the module.
func (p *Packages) Folder() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Dir
}

// List compiles packages and returns the list of them and of all that they import.
func (p *Packages) List(ctx context.Context, patterns ...string) (string, error) {
	cmd := Behind(ctx, p.Go, append([]string{"list", "-e", "-export", "-deps", "-f", listFormat},
		patterns...)...)
	p.mu.Lock()
	cmd.Dir, cmd.Env = p.Dir, p.Env
	p.mu.Unlock()
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("go list: %w: %s", err, exit.Stderr)
	}
	return string(out), err
}

// Behind is [exec.CommandContext] for what leaves the processors to the cells, where the system has nice.
func Behind(ctx context.Context, program string, args ...string) *exec.Cmd {
	nice, err := exec.LookPath("nice")
	if err != nil {
		return exec.CommandContext(ctx, program, args...)
	}
	return exec.CommandContext(ctx, nice, append([]string{"-n", "10", program}, args...)...)
}

// open opens the export data of a package. Whoever calls an importer holds the lock.
func (p *Packages) open(path string) (io.ReadCloser, error) {
	return os.Open(p.listed[path].export)
}

// Import implements [types.Importer].
func (p *Packages) Import(path string) (*types.Package, error) {
	if _, err := p.name(path); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.imported.Import(path)
}

// name returns the name of a package.
func (p *Packages) name(path string) (string, error) {
	switch path {
	case "unsafe":
		return path, nil
	case "C":
		return "", errors.New("cells cannot be linked with C")
	}
	usable := func() (string, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		l := p.listed[path]
		_, err := os.Stat(l.export)
		return l.name, err == nil
	}
	if name, ok := usable(); ok {
		return name, nil
	}
	list, err := p.List(context.Background(), path)
	// Of a module that others need and go.mod does not name, Go says that go.mod needs an update.
	if p.Add(list); err != nil && !strings.Contains(err.Error(), "updates to go.mod needed") {
		return "", err
	}
	if name, ok := usable(); ok {
		return name, nil
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return "", fmt.Errorf("there is no package %s in the standard library", path)
	}
	return "", fmt.Errorf("there is no package %s in the modules of this notebook; to add one: "+
		"!*go get %[1]s", path)
}

// find returns the path of the package of a name that has most of the names that are selected from it, ""
// if there is none: that of the standard library before others, and the shortest.
func (p *Packages) find(name string, selected []string) (path string) {
	p.mu.Lock()
	var paths []string
	for path, l := range p.listed {
		inner := strings.Contains("/"+path+"/", "/internal/") || strings.HasPrefix(path, "vendor/")
		if l.name == name && (l.export != "" || name == "unsafe") && !inner {
			paths = append(paths, path)
		}
	}
	p.mu.Unlock()
	slices.SortFunc(paths, compareImports)
	most := -1
	for _, candidate := range paths {
		found := 0
		if len(paths) > 1 {
			if pkg, err := p.Import(candidate); err == nil {
				for _, name := range selected {
					begins := func(n string) bool { return strings.HasPrefix(n, name) }
					switch {
					case pkg.Scope().Lookup(name) != nil:
						found += 2
					case slices.ContainsFunc(pkg.Scope().Names(), begins): // not typed to the end
						found++
					}
				}
			}
		}
		if found > most {
			path, most = candidate, found
		}
	}
	return path
}

// Paths returns the import paths that begin with a text, each up to its next slash.
func (p *Packages) Paths(begin string) (paths []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for path, l := range p.listed {
		if rest, ok := strings.CutPrefix(path, begin); ok && l.name != "main" &&
			!strings.Contains("/"+path+"/", "/internal/") && !strings.HasPrefix(path, "vendor/") {
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				path = begin + rest[:i+1]
			}
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, compareImports)
	return slices.Compact(paths)
}

// compareImports orders import paths: the standard library first, then nkf, then the shorter.
func compareImports(a, b string) int {
	rank := func(path string) int {
		first, _, _ := strings.Cut(path, "/")
		switch {
		case !strings.Contains(first, "."):
			return 0
		case strings.HasPrefix(path, strings.TrimSuffix(showPackage, "nkfx")):
			return 1
		}
		return 2
	}
	return cmp.Or(rank(a)-rank(b), len(a)-len(b), strings.Compare(a, b))
}
