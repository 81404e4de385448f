package cell

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Names beside the program of a cell.
const (
	CompilingFile = "nkf_compiling" // checksums of the declarations in the program being compiled
	CompiledFile  = "nkf_compiled"  // those compiled before

	TrimmedFolder = "nkf_trimmed"  // the package of the trimmed program
	binaryFolder  = "nkf_binaries" // of trimmed programs
)

// binaries is how many trimmed programs stay compiled.
const binaries = 32

// Trim writes the program of a cell to [TrimmedFolder] without what earlier cells declare and this one does
// not use, since GoNB gives every cell all that the cells before it declare: linking GoMLX, starting a
// backend and reading data takes seconds that a cell without them need not wait. Declarations that are not
// listed in [CompiledFile] stay, so that their errors are found, and those of this cell, which does the same
// when it is run again. Trim writes [CompilingFile], which the caller renames to CompiledFile once the
// program has compiled. Should package names not follow from their import paths, nothing is left out. It is
// an error if the program has comments that the compiler reads.
//
// Trim returns the file to compile to, which is there already if the same program was compiled before.
// Programs are the same whatever else has been declared since: their lines are those of cells.
func Trim(program string) (binary string, err error) {
	source, err := os.ReadFile(program)
	if err != nil {
		return "", fmt.Errorf("the program of a cell: %w", err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, program, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("the program of a cell: %w", err)
	}
	if found := directive(file); found != "" {
		return "", fmt.Errorf("the program of a cell has a directive, %s", found)
	}
	cells := ranCells()
	t := &trimmed{source: source, fset: fset, lines: linesOf(string(source), cells)}
	if t.path, err = filepath.Abs(program); err != nil {
		return "", fmt.Errorf("the program of a cell: %w", err)
	}
	dir := filepath.Dir(t.path)
	compiled, _ := os.ReadFile(filepath.Join(dir, CompiledFile)) // absent at first
	var own []string
	if len(cells) > 0 {
		own = cells[0].titles
	}
	parts, sums := t.parts(file, strings.Fields(string(compiled)), own)
	t.write(file, parts)
	sum := sha256.Sum256(t.out.Bytes())
	binary = filepath.Join(dir, binaryFolder, hex.EncodeToString(sum[:16]))
	err = errors.Join(os.MkdirAll(filepath.Join(dir, TrimmedFolder), 0o755),
		os.MkdirAll(filepath.Dir(binary), 0o755))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, CompilingFile), []byte(sums), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, TrimmedFolder, "main.go"), t.out.Bytes(), 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("the program of a cell: %w", err)
	}
	forget(binary)
	return binary, nil
}

// directive returns what there is in comments that the compiler reads, or else "".
func directive(file *ast.File) string {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"C"` {
			return `import "C"`
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export ") {
				return c.Text
			}
		}
	}
	return ""
}

// forget removes the binaries that were not asked for the longest, to leave room for one.
func forget(binary string) {
	now := time.Now()
	_ = os.Chtimes(binary, now, now) // there is none yet, or it is the youngest
	files, _ := os.ReadDir(filepath.Dir(binary))
	type aged struct {
		path string
		at   time.Time
	}
	var all []aged
	for _, f := range files {
		if info, err := f.Info(); err == nil && f.Name() != filepath.Base(binary) {
			all = append(all, aged{filepath.Join(filepath.Dir(binary), f.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return b.at.Compare(a.at) })
	for _, old := range all[min(len(all), binaries-1):] {
		_ = os.Remove(old.path)
	}
}

// trimmed is a program that is written anew from parts of another.
type trimmed struct {
	source []byte
	path   string
	fset   *token.FileSet
	lines  func(first, last int) (at int, ok bool) // as of linesOf
	out    bytes.Buffer
}

func (t *trimmed) text(n ast.Node) []byte {
	return t.source[t.fset.Position(n.Pos()).Offset:t.fset.Position(n.End()).Offset]
}

// parts returns the declarations of a program, those that stay marked, and their checksums, a line each.
// Known is what need not stay, but for own declarations.
func (t *trimmed) parts(file *ast.File, known, own []string) (parts []*part, sums string) {
	parts = partsOf(file)
	all := map[string]bool{}
	for _, p := range parts {
		sum := sha256.Sum256(t.text(p.node))
		p.sum = hex.EncodeToString(sum[:8])
		p.known = slices.Contains(known, p.sum) && !slices.Contains(own, p.title())
		for _, name := range p.uses {
			all[name] = true
		}
		sums += p.sum + "\n"
	}
	if slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return !named(i, all) }) {
		for _, p := range parts {
			p.kept = true
		}
	}
	return parts, sums
}

// named reports whether a program that uses names needs an import.
func named(spec *ast.ImportSpec, used map[string]bool) bool {
	name := packageName(spec)
	return name == "_" || name == "." || used[name+"."]
}

// write writes the program that the parts make which stay. A declaration is on the lines of the cell that it
// comes from, in a file that is named after it: these do not change when the program of the next cell, or of
// this one the next time, has more in it.
func (t *trimmed) write(file *ast.File, parts []*part) {
	used := keepUsed(parts)
	whole := !slices.ContainsFunc(parts, func(p *part) bool { return !p.kept })
	var imports []string // GoNB has them in any order
	for _, spec := range file.Imports {
		if whole || named(spec, used) {
			imports = append(imports, "import "+string(t.text(spec))+"\n")
		}
	}
	slices.Sort(imports)
	t.out.WriteString("package main\n\n" + strings.Join(imports, ""))
	for _, p := range parts {
		if !p.kept {
			continue
		}
		t.out.WriteString("\n")
		first, last := t.fset.Position(p.node.Pos()).Line, t.fset.Position(p.node.End()).Line
		text := p.keyword + string(t.text(p.node))
		at, ok := t.lines(first, last)
		if rest, marked := strings.CutPrefix(text, markedMain); marked && ok {
			text, at = "func main() { flag.Parse()\n"+rest, at+1 // one line, that of the mark
		}
		switch {
		case ok && at > 0:
			fmt.Fprintf(&t.out, "//line %s:%d\n", stackFile(p.title()), at)
		case p.runs():
			fmt.Fprintf(&t.out, "//line %s:%d\n", t.path, first) // GoNB knows the cell
		}
		t.out.WriteString(text + "\n")
	}
}

var majorVersion = regexp.MustCompile(`^v\d+$`)

// packageName returns the name under which a file imports a package: its own, or what goimports
// assumes from the path.
func packageName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	from := strings.Trim(spec.Path.Value, `"`)
	name := path.Base(from)
	if majorVersion.MatchString(name) {
		name = path.Base(path.Dir(from))
	}
	name = strings.TrimPrefix(name, "go-")
	if end := strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}); end >= 0 {
		name = name[:end]
	}
	return name
}
