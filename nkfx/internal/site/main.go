// Site renders the notebooks and the guides as a static site that needs neither a kernel nor a network, and
// checks its links. The Makefile calls it: make site.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// site renders a checkout. Pages lie where their sources do: notebooks/forms.html, README.html.
type site struct {
	root    string // the checkout
	out     string
	jupyter string // the program
	mathjax string // tex-svg.js
	pages   map[string]string
}

func main() {
	log.SetFlags(0)
	s := &site{pages: map[string]string{}}
	flag.StringVar(&s.root, "root", ".", "the checkout")
	flag.StringVar(&s.out, "out", "build/site", "folder of the site; its old contents are removed")
	flag.StringVar(&s.jupyter, "jupyter", ".venv/bin/jupyter", "the program")
	flag.StringVar(&s.mathjax, "mathjax", "", "tex-svg.js of MathJax")
	flag.Parse()
	if err := s.build(); err != nil {
		log.Fatalf("site: %v", err)
	}
	fmt.Printf("%d pages in %s; start at %s\n", len(s.pages), s.out, filepath.Join(s.out, "index.html"))
}

// build makes all pages, writes them and checks their links.
func (s *site) build() error {
	sources, err := s.sources()
	if err == nil {
		err = s.convert(sources)
	}
	if err != nil {
		return err
	}
	s.pages["index.html"] = `<!DOCTYPE html><meta charset="utf-8"><title>nkf</title>
<meta http-equiv="refresh" content="0; url=notebooks/index.html"><a href="notebooks/index.html">nkf</a>`
	files := s.link()
	if err := os.RemoveAll(s.out); err != nil {
		return err
	}
	copied := map[string]string{"mathjax/tex-svg.js": s.mathjax}
	for _, name := range files {
		copied[fileOf(name)] = filepath.Join(s.root, filepath.FromSlash(name))
	}
	contents := map[string][]byte{}
	for name, page := range s.pages {
		contents[name] = []byte(page)
	}
	for name, path := range copied {
		if contents[name], err = os.ReadFile(path); err != nil {
			return err
		}
	}
	for name, data := range contents {
		path := filepath.Join(s.out, filepath.FromSlash(name))
		if err := fileio.Write(path, 0o666, fileio.Bytes(data)); err != nil {
			return err
		}
	}
	return check(os.DirFS(s.out))
}

// sources returns the notebooks and the guides of the checkout, but for folders that begin with a dot, are
// built, or hold results or what tests need.
func (s *site) sources() (list []string, err error) {
	err = fs.WalkDir(os.DirFS(s.root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() {
			skip := []string{"build", "results", "testdata"}
			if name != "." && (strings.HasPrefix(base, ".") || slices.Contains(skip, base)) {
				return fs.SkipDir
			}
		} else if ext := path.Ext(base); ext == ".ipynb" || ext == ".md" {
			list = append(list, name)
		}
		return nil
	})
	return list, err
}

// convert makes a page of each source with nbconvert; a guide is taken for a notebook of one cell.
func (s *site) convert(sources []string) error {
	scratch, err := os.MkdirTemp("", "nkf-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	args := []string{"nbconvert", "--to", "html", "--log-level", "WARN", "--output-dir", scratch,
		"--template", "page",
		"--TemplateExporter.extra_template_basedirs=" + filepath.Join(s.root, ".jupyter", "site")}
	for _, name := range sources {
		data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
		if err == nil && path.Ext(name) == ".md" {
			// nbconvert writes the names of languages that it does not know into their programs.
			data = bytes.ReplaceAll(data, []byte("```go.mod\n"), []byte("```text\n"))
			none := map[string]any{}
			cell := map[string]any{
				"cell_type": "markdown", "id": "guide", "metadata": none, "source": string(data),
			}
			data, err = json.Marshal(map[string]any{
				"cells": []any{cell}, "metadata": none, "nbformat": 4, "nbformat_minor": 5,
			})
		}
		if err != nil {
			return err
		}
		// GoNB names none, and nbconvert takes Python's then.
		data = bytes.Replace(data, []byte(`"pygments_lexer": ""`), []byte(`"pygments_lexer": "go"`), 1)
		copied := filepath.Join(scratch, flat(name)+".ipynb")
		if err := os.WriteFile(copied, data, 0o666); err != nil {
			return err
		}
		args = append(args, copied)
	}
	command := exec.Command(s.jupyter, args...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s nbconvert: %w", s.jupyter, err)
	}
	for _, name := range sources {
		data, err := os.ReadFile(filepath.Join(scratch, flat(name)+".html"))
		if err != nil {
			return err
		}
		title := "<title>" + strings.TrimSuffix(path.Base(name), path.Ext(name)) + " · nkf</title>"
		page := strings.Replace(string(data), "<title>"+flat(name)+"</title>", title, 1)
		s.pages[pageOf(name)] = page
	}
	return nil
}

// flat returns the path of a source as one name.
func flat(name string) string {
	return strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), "/", "--")
}

// pageOf returns the page of a source.
func pageOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) + ".html" }

// link makes the links of all pages those of the site, and returns the files of the checkout that pages
// refer to.
func (s *site) link() (files []string) {
	for name, page := range s.pages {
		page = selfLinks.ReplaceAllString(page, "")
		page = strings.ReplaceAll(page, "NKF_ROOT", up(name))
		s.pages[name] = links.ReplaceAllStringFunc(page, func(match string) string {
			parts := links.FindStringSubmatch(match)
			target, file := s.target(name, parts[3])
			target = s.anchored(name, target)
			if file != "" && !slices.Contains(files, file) {
				files = append(files, file)
			}
			return parts[1] + parts[2] + `="` + target + `"`
		})
	}
	slices.Sort(files)
	return files
}

// selfLinks matches the links of headings to themselves, which nobody sees.
var selfLinks = regexp.MustCompile(`<a class="anchor-link"[^>]*>[^<]*</a>`)

// anchored returns a link in which the name of a heading is as the page has it: guides write those of
// GitHub, in lower case and without punctuation.
func (s *site) anchored(page, link string) string {
	bare, anchor, found := strings.Cut(link, "#")
	if !found || strings.Contains(bare, ":") {
		return link
	}
	target := page
	if bare != "" {
		target = path.Join(path.Dir(page), bare)
	}
	for _, name := range names.FindAllStringSubmatch(s.pages[target], -1) {
		if slug(html.UnescapeString(name[1])) == slug(anchor) {
			return bare + "#" + name[1]
		}
	}
	return link
}

// slug returns the name of a heading without what is left out of links.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// up returns the way from a page to the root of the site.
func up(page string) string {
	if depth := strings.Count(page, "/"); depth > 0 {
		return strings.Repeat("../", depth-1) + ".."
	}
	return "."
}

// target returns where a link of a page leads in the site, and the file of the checkout that it takes, if
// any.
func (s *site) target(page, link string) (target, file string) {
	bare, anchor, found := strings.Cut(link, "#")
	if found {
		anchor = "#" + anchor
	}
	if bare == "" || strings.Contains(bare, ":") {
		return link, ""
	}
	name := path.Join(path.Dir(page), bare)
	if s.first(name) != "" {
		return link, ""
	}
	candidates := []string{path.Join(name, "README.html"), path.Join(name, "index.html")}
	if ext := path.Ext(name); ext == ".ipynb" || ext == ".md" {
		candidates = append(candidates, pageOf(name))
	}
	if other := s.first(candidates...); other != "" {
		return up(page) + "/" + other + anchor, ""
	}
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil || info.IsDir() {
		return link, "" // what is missing is found by check
	}
	return fileOf(bare) + anchor, name
}

// first returns the first of some names that is that of a page, "" if none is.
func (s *site) first(names ...string) string {
	for _, name := range names {
		if _, known := s.pages[name]; known {
			return name
		}
	}
	return ""
}

// fileOf returns the name that a file of the checkout has in the site: programs are text there, which
// browsers show, and Go does not take for packages.
func fileOf(name string) string {
	if path.Ext(name) == ".go" {
		return name + ".txt"
	}
	return name
}
