package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// document makes a page of the documentation of each package that can be imported, and packages.html, their
// list.
func (s *site) document() error {
	list := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Name", "./...")
	list.Dir = s.root
	data, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	var index strings.Builder
	for decoder := json.NewDecoder(bytes.NewReader(data)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if p.Name == "main" || strings.Contains(p.ImportPath+"/", "/internal/") || len(p.GoFiles) == 0 {
			continue
		}
		docs, err := p.read()
		if err != nil {
			return err
		}
		name := path.Join(strings.TrimPrefix(p.ImportPath, module+"/"), "index.html")
		s.pages[name] = page(p.ImportPath, docs)
		short, about := strings.TrimSuffix(name, "/index.html"), html.EscapeString(docs.Synopsis(docs.Doc))
		fmt.Fprintf(&index, "<dt><a href=\"%s\">%s</a></dt><dd>%s</dd>\n", name, short, about)
	}
	s.pages["packages.html"] = frame("packages", "<h1>Packages</h1><dl>"+index.String()+"</dl>")
	return nil
}

// listed is a package, as go list describes it.
type listed struct {
	ImportPath, Dir, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// documented is the documentation of a package and its positions.
type documented struct {
	*doc.Package
	set *token.FileSet
}

// read returns the documentation.
func (p *listed) read() (*documented, error) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, names := range [][]string{p.GoFiles, p.TestGoFiles, p.XTestGoFiles} {
		for _, name := range names {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	docs, err := doc.NewFromFiles(set, files, p.ImportPath)
	return &documented{docs, set}, err
}

// frame returns a page without a kernel.
func frame(title, body string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width">` +
		"<title>" + html.EscapeString(title) + ` · nkf</title><style>
:root { color-scheme: light dark; }
body { max-width: 60em; margin: auto; padding: 1em; font: 16px/1.5 sans-serif; }
pre { padding: 0.7em; overflow-x: auto; background: #8881; border-radius: 6px; }
code, pre { font: 14px/1.45 monospace; }
dt { margin-top: 0.7em; }
</style></head><body><nav><a href="NKF_ROOT/index.html">nkf</a> ·
<a href="NKF_ROOT/notebooks/index.html">notebooks</a> ·
<a href="NKF_ROOT/packages.html">packages</a></nav>` + body + "</body></html>"
}

// writer writes the page of a package.
type writer struct {
	strings.Builder
	*documented
	printer *comment.Printer
}

// page returns the page of a package.
func page(importPath string, d *documented) string {
	w := &writer{documented: d, printer: d.Printer()}
	w.printer.DocLinkURL = func(link *comment.DocLink) string { return address(importPath, link) }
	w.printer.HeadingLevel = 2
	fmt.Fprintf(w, "<h1>package %s</h1><pre>import %q</pre>", html.EscapeString(d.Name), importPath)
	w.text(d.Doc)
	w.examples(d.Examples)
	w.values(slices.Concat(d.Consts, d.Vars))
	w.functions(2, "func", "", d.Funcs)
	for _, t := range d.Types {
		w.head(2, t.Name, "type "+t.Name)
		for _, name := range members(t.Decl) {
			fmt.Fprintf(w, "<a id=\"%s.%s\"></a>", t.Name, name)
		}
		w.code(t.Decl)
		w.text(t.Doc)
		w.examples(t.Examples)
		w.values(slices.Concat(t.Consts, t.Vars))
		w.functions(3, "func", "", t.Funcs)
		w.functions(3, "method", t.Name+".", t.Methods)
	}
	return frame(d.Name, w.String())
}

func (w *writer) text(comment string) { w.Write(w.printer.HTML(w.Parser().Parse(comment))) }

func (w *writer) code(node any) {
	var source bytes.Buffer
	if err := format.Node(&source, w.set, node); err != nil {
		fmt.Fprintf(&source, "%v", err)
	}
	fmt.Fprintf(w, "<pre>%s</pre>", html.EscapeString(source.String()))
}

func (w *writer) examples(list []*doc.Example) {
	for _, e := range list {
		w.WriteString("<details><summary>Example</summary>")
		w.text(e.Doc)
		w.code(e.Code)
		if e.Output != "" {
			fmt.Fprintf(w, "<p>Output:</p><pre>%s</pre>", html.EscapeString(e.Output))
		}
		w.WriteString("</details>")
	}
}

func (w *writer) head(level int, id, title string) {
	fmt.Fprintf(w, "<h%d id=\"%s\">%s</h%[1]d>", level, id, html.EscapeString(title))
}

func (w *writer) values(list []*doc.Value) {
	for _, v := range list {
		for _, name := range v.Names {
			fmt.Fprintf(w, "<a id=\"%s\"></a>", html.EscapeString(name))
		}
		w.code(v.Decl)
		w.text(v.Doc)
	}
}

func (w *writer) functions(level int, kind, receiver string, list []*doc.Func) {
	for _, f := range list {
		w.head(level, receiver+f.Name, kind+" "+f.Name)
		w.code(f.Decl)
		w.text(f.Doc)
		w.examples(f.Examples)
	}
}

// members returns the names of the fields or of the methods of a type's declaration.
func members(decl ast.Node) (names []string) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		_, function := n.(*ast.FuncType) // whose parameters are no members
		return !function
	})
	return names
}

// address returns where a link in the documentation of a package leads, on the web or on its own page;
// target makes addresses of nkf those of the site.
func address(from string, link *comment.DocLink) string {
	name := link.Name
	if link.Recv != "" {
		name = link.Recv + "." + name
	}
	if name != "" {
		name = "#" + name
	}
	if link.ImportPath == "" || link.ImportPath == from {
		return name
	}
	return "https://pkg.go.dev/" + link.ImportPath + name
}
