package cell

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// take takes the imports of a cell.
func (m *Memory) take(c *Cell, packages *Packages) (errs []*Error) {
	for _, p := range c.pieces {
		if p.kind != token.IMPORT || p.node == nil {
			continue
		}
		for _, spec := range p.node.(*ast.GenDecl).Specs {
			spec := spec.(*ast.ImportSpec)
			path, _ := strconv.Unquote(spec.Path.Value) // as the parser has done
			name, err := packages.name(path)
			switch {
			case err != nil:
				errs = append(errs, &Error{c, p.offset(spec.Path.Pos()), err.Error()})
			case spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == "."):
				m.imports[spec.Name.Name+path] = path
			case spec.Name != nil:
				m.imports[spec.Name.Name] = path
			default:
				m.imports[name] = path
			}
		}
	}
	return errs
}

// selection matches a name with what may be selected from it.
var selection = regexp.MustCompile(`([\pL_][\pL\d_]*)\s*\.\s*([\pL_][\pL\d_]*)?`)

// wanted returns the imports that the memory and a cell may need, paths by names.
func (m *Memory) wanted(c *Cell, packages *Packages) map[string]string {
	selected := map[string][]string{}
	text := []string{c.source}
	declared := map[string]bool{}
	for _, u := range m.units {
		for _, name := range u.names {
			declared[name] = true
		}
		if u.cell != c {
			for _, part := range u.chunks {
				text = append(text, u.cell.source[part.from:part.to])
			}
		}
	}
	for _, match := range selection.FindAllStringSubmatch(strings.Join(text, "\n"), -1) {
		selected[match[1]] = append(selected[match[1]], match[2])
	}
	paths := map[string]string{}
	for name, path := range m.imports {
		if len(selected[name]) > 0 || name[0] == '.' || name == "_"+path {
			paths[name] = path
		}
	}
	for name, names := range selected {
		if _, ok := paths[name]; ok || declared[name] {
			continue
		}
		if path := packages.find(name, names); path != "" {
			paths[name] = path
		}
	}
	return paths
}

// importLines returns the lines that import packages, paths by names.
func importLines(paths map[string]string) (lines []string) {
	for name, path := range paths {
		if name == "."+path || name == "_"+path {
			name = name[:1]
		}
		lines = append(lines, fmt.Sprintf("import %s %q\n", name, path))
	}
	slices.Sort(lines)
	return lines
}
