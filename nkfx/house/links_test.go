package house_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"regexp"
	"strings"
	"testing"
)

// bracketed is the form of a link to a name: [Name], [Type.Method], [package.Name] or [package.Type.Method].
// A shape such as [B] or [V, n] has no lower-case letter behind an upper-case one.
var bracketed = regexp.MustCompile(`\[\*?((?:[a-z]\w*\.)?[A-Z]\w*[a-z]\w*(?:\.[A-Z]\w*)?)\](?:[^(\[:]|$)`)

// TestDocLinks: a name in brackets is one that go doc finds, in its own package or in another of the module.
func TestDocLinks(t *testing.T) {
	documents := map[string]*doc.Package{}
	for _, s := range sources(t) {
		documents[module+"/"+s.path] = s.docs(t, doc.AllDecls|doc.AllMethods)
	}
	known := func(l *comment.DocLink) bool {
		p, ours := documents[l.ImportPath]
		return !ours || l.Name == "" || p.Parser().LookupSym(l.Recv, l.Name)
	}
	for path, p := range documents {
		for _, text := range comments(p) {
			for _, bad := range deadLinks(p.Parser().Parse(text), known) {
				t.Errorf("%s: [%s] is a link to nothing", strings.TrimPrefix(path, module+"/"), bad)
			}
		}
	}
}

// comments returns the documentation of everything in a package.
func comments(p *doc.Package) []string {
	texts := []string{p.Doc}
	values, functions := members(p)
	for _, v := range values {
		texts = append(texts, v.Doc)
		for _, spec := range v.Decl.Specs {
			value := spec.(*ast.ValueSpec)
			texts = append(texts, value.Doc.Text(), value.Comment.Text())
		}
	}
	for _, f := range functions {
		texts = append(texts, f.Doc)
	}
	for _, typ := range p.Types {
		texts = append(texts, typ.Doc)
		ast.Inspect(typ.Decl, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				texts = append(texts, field.Doc.Text(), field.Comment.Text())
			}
			return true
		})
	}
	return texts
}

// deadLinks returns the names in brackets of a comment that lead nowhere.
func deadLinks(d *comment.Doc, known func(*comment.DocLink) bool) (dead []string) {
	walk := func(texts []comment.Text) {
		for _, text := range texts {
			switch text := text.(type) {
			case comment.Plain:
				for _, found := range bracketed.FindAllStringSubmatch(string(text), -1) {
					dead = append(dead, found[1])
				}
			case *comment.DocLink:
				if !known(text) {
					dead = append(dead, text.Name)
				}
			}
		}
	}
	for _, block := range d.Content {
		switch block := block.(type) {
		case *comment.Paragraph:
			walk(block.Text)
		case *comment.List:
			for _, item := range block.Items {
				for _, inner := range item.Content {
					if paragraph, ok := inner.(*comment.Paragraph); ok {
						walk(paragraph.Text)
					}
				}
			}
		}
	}
	return dead
}
