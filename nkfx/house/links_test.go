package house_test

import (
	"go/doc"
	"go/doc/comment"
	"regexp"
	"slices"
	"testing"
)

// bracketed is the form of a link to a name: [Name], [Type.Method], [package.Name] or [package.Type.Method].
// A shape such as [B] or [V, n] has no lower-case letter behind an upper-case one.
var bracketed = regexp.MustCompile(`\[\*?((?:[a-z]\w*\.)?[A-Z]\w*[a-z]\w*(?:\.[A-Z]\w*)?)\](?:[^(\[:]|$)`)

// TestDocLinks: a name in brackets is one that go doc finds, in its own package or in another of the module.
func TestDocLinks(t *testing.T) {
	documents, all := map[string]*doc.Package{}, sources(t)
	for _, s := range all {
		documents[module+"/"+s.path] = s.docs(doc.AllDecls | doc.AllMethods | doc.PreserveAST)
	}
	for _, s := range all {
		// What go doc does not take for a link is left as it is.
		printer := comment.Printer{DocLinkURL: func(l *comment.DocLink) string {
			p, ours := documents[l.ImportPath]
			if ours && l.Name != "" && !p.Parser().LookupSym(l.Recv, l.Name) {
				t.Errorf("%s: [%s] is a link to nothing", s.path, l.Name)
			}
			return "#" // which bracketed does not match
		}}
		for _, file := range s.files {
			for _, group := range file.Comments {
				text := documents[module+"/"+s.path].Parser().Parse(group.Text())
				text.Content = slices.DeleteFunc(text.Content, func(b comment.Block) bool {
					_, isCode := b.(*comment.Code) // which has no links
					return isCode
				})
				for _, found := range bracketed.FindAllSubmatch(printer.Markdown(text), -1) {
					t.Errorf("%s: [%s] is a link to nothing", s.path, found[1])
				}
			}
		}
	}
}
