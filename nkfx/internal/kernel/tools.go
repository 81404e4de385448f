package kernel

import (
	"bytes"
	"cmp"
	"context"
	"debug/buildinfo"
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
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// tool is a program that the kernel needs, at the version that a module of the checkout pins.
type tool struct {
	path     string // of its package
	module   string // folder of the module, below that of the tools
	optional bool   // cells run without it
}

// GoNB runs cells, and gopls completes and explains code. gopls has a module of its own, because it needs
// another version of golang.org/x/tools.
var (
	gonb  = tool{path: "github.com/janpfeifer/gonb"}
	gopls = tool{path: "golang.org/x/tools/gopls", module: "gopls", optional: true}

	allTools = []tool{gonb, gopls}
)

// tools returns the folder of the programs.
func (k Kernel) tools() string { return filepath.Join(k.Checkout, ".tools", "bin") }

// packageList returns the file with the packages that cells can import, as they were when the kernel was
// installed.
func (k Kernel) packageList() string { return filepath.Join(k.tools(), "packages.txt") }

// binary returns the file of a tool.
func (k Kernel) binary(t tool) string { return filepath.Join(k.tools(), filepath.Base(t.path)) }

// pins returns the file that pins the version of a tool.
func (k Kernel) pins(t tool) string { return filepath.Join(k.Checkout, ".tools", t.module, "go.mod") }

// Gopls returns the version of the kernel's gopls, or "" without one.
func (k Kernel) Gopls() string {
	info, err := buildinfo.ReadFile(k.binary(gopls))
	if err != nil {
		return ""
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

// Missing returns the names of the tools without which no cell runs that are absent or of other versions.
func (k Kernel) Missing() (names []string) {
	for _, t := range allTools {
		if !t.optional && !k.has(t) {
			names = append(names, filepath.Base(t.path))
		}
	}
	return names
}

// patch returns the change of GoNB without which it splits characters, and so loses them.
func (k Kernel) patch() string {
	found, _ := filepath.Glob(filepath.Join(k.Checkout, ".tools", "gonb", "0002-*.patch"))
	return strings.Join(found, "") // there is one in a checkout
}

// has reports whether a tool is there, at the version that the checkout pins.
func (k Kernel) has(t tool) bool {
	pins, _ := os.ReadFile(k.pins(t)) // without, any version will do
	line := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(t.path) + ` (v\S+)`)
	if pinned := line.FindSubmatch(pins); pinned != nil {
		info, err := buildinfo.ReadFile(k.binary(t))
		return err == nil && info.Main.Version == string(pinned[1])
	}
	_, err := os.Stat(k.binary(t))
	return err == nil
}

// isPatched reports whether the kernel's GoNB was built with the patch, and so has its function.
func (k Kernel) isPatched() bool {
	program, err := os.ReadFile(k.binary(gonb))
	return err == nil && bytes.Contains(program, []byte("jpyexec.copyRunes"))
}

// installTools builds the tools that are missing, and reports whether it has built any. It goes on without an
// optional one.
func (k Kernel) installTools(ctx context.Context, goTool string, progress io.Writer) (built bool, err error) {
	git, _ := exec.LookPath("git")
	for _, t := range allTools {
		patch := k.patch()
		if t != gonb || git == "" {
			patch = ""
		}
		if k.has(t) && (patch == "" || k.isPatched()) {
			continue
		}
		fmt.Fprintf(progress, "nkf: building %s\n", t.path)
		if patch != "" {
			err = k.buildPatched(ctx, goTool, git, patch)
		} else {
			_, err = k.command(ctx, t, goTool, "install", t.path)
		}
		if err == nil {
			built = true
			continue
		}
		err = fmt.Errorf("building %s: %w", t.path, err)
		if !t.optional || ctx.Err() != nil {
			return built, err
		}
		fmt.Fprintf(progress, "nkf: going on without %s: %v\n", filepath.Base(t.path), err)
	}
	return built, nil
}

// command runs a program in the module that pins a tool, and returns what it prints.
func (k Kernel) command(ctx context.Context, t tool, program string, args ...string) (string, error) {
	flags, err := goFlags(ctx, "go")
	if err != nil {
		return "", err
	}
	env := append(goEnvironment(flags), "GOBIN="+k.tools())
	return printed(ctx, filepath.Dir(k.pins(t)), env, program, args...)
}

// ofModules matches the flags of Go that are for the modules of somebody.
var ofModules = regexp.MustCompile(`['"]?--?mod(?:file)?=[^\s'"]*['"]?`)

// goFlags returns the flags that the user has set for all commands of Go, without those for modules.
func goFlags(ctx context.Context, goTool string) (string, error) {
	flags, err := printed(ctx, "", nil, goTool, "env", "GOFLAGS")
	if err != nil {
		return "", fmt.Errorf("asking Go for its flags: %w", err)
	}
	return strings.TrimSpace(ofModules.ReplaceAllString(flags, "") + " -mod=readonly"), nil
}

// goEnvironment returns an environment in which Go uses the modules of nkf, whatever is set for others.
func goEnvironment(flags string) []string {
	return append(os.Environ(), "GOFLAGS="+flags, "GOWORK=off", "GO111MODULE=on")
}

// printed runs a program in a folder, and returns what it prints, or an error with what it says.
func printed(ctx context.Context, dir string, env []string, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(args, " "), err,
			strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}

// buildPatched builds GoNB from a copy of its module to which the patch is applied.
func (k Kernel) buildPatched(ctx context.Context, goTool, git, patch string) error {
	dir, err := os.MkdirTemp("", "nkf-gonb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := k.command(ctx, gonb, goTool, "mod", "download", gonb.path); err != nil {
		return err
	}
	module, err := k.command(ctx, gonb, goTool, "list", "-m", "-f", "{{.Dir}}", gonb.path)
	if err != nil {
		return err
	}
	source, pins := filepath.Join(dir, "gonb"), filepath.Join(dir, "go.mod")
	err = os.CopyFS(source, os.DirFS(module))
	for _, name := range []string{"go.mod", "go.sum"} {
		content, e := os.ReadFile(filepath.Join(filepath.Dir(k.pins(gonb)), name))
		err = errors.Join(err, e, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	if err != nil {
		return err
	}
	if err := applyPatch(ctx, git, source, patch); err != nil {
		return err
	}
	for _, args := range [][]string{
		{goTool, "mod", "edit", "-replace=" + gonb.path + "=" + source, pins},
		{goTool, "build", "-modfile=" + pins, "-o", k.binary(gonb), gonb.path},
	} {
		if _, err := k.command(ctx, gonb, args[0], args[1:]...); err != nil {
			return err
		}
	}
	if !k.isPatched() {
		return fmt.Errorf("%s has changed nothing", patch)
	}
	return nil
}

// applyPatch applies a patch to a folder. Below a work tree of Git, git apply would skip all files and
// succeed.
func applyPatch(ctx context.Context, git, dir, patch string) error {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	env = append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	_, err := printed(ctx, dir, env, git, "apply", patch)
	return err
}

// firstCell is a program with the imports of most cells.
const firstCell = `package main

import (
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

func main() { nkfx.Show(figures.NewPanel(""), layers.KForm) }
`

// warm builds all packages of nkf as cells do: from a module of their own. Then gopls loads them, so that it
// is ready sooner when a kernel starts.
func (k Kernel) warm(ctx context.Context, goTool string, progress io.Writer) error {
	fmt.Fprintln(progress, "nkf: building what cells import; the first time takes a minute or two")
	dir, err := os.MkdirTemp("", "nkf-warm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := k.writeModule(dir); err != nil {
		return err
	}
	module := filepath.Join(dir, "module")
	flags, err := goFlags(ctx, goTool)
	if err != nil {
		return err
	}
	env := append(goEnvironment(flags), "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+
		filepath.Dir(goTool))
	if _, err := printed(ctx, module, env, goTool, "build", nkfx.Module+"/..."); err != nil {
		return fmt.Errorf("what cells import: %w", err)
	}
	packages := &cell.Packages{Go: goTool, Dir: module, Env: env}
	list, err := packages.List(ctx, listedPackages...)
	if err == nil {
		err = fileio.Write(k.packageList(), 0o666, fileio.Bytes([]byte(list)))
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(k.binary(gopls)); err != nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(module, "main.go"), []byte(firstCell), 0o644); err != nil {
		return err
	}
	if _, err := printed(ctx, module, env, k.binary(gopls), "check", "main.go"); err != nil {
		fmt.Fprintf(progress, "nkf: completion may be slow at first: %v\n", err)
	}
	return ctx.Err()
}
