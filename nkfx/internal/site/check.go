package main

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
)

var (
	// links matches the links of elements: what comes before, the attribute, and the address.
	links = regexp.MustCompile(`(<(?:a|img|script|link|iframe|source)\b[^>]*?\s)(href|src|srcset)="([^"]*)"`)
	// names matches what links with # lead to.
	names = regexp.MustCompile(`\s(?:id|name)="([^"]*)"`)
	// programs are left out where links are looked for: they may write such.
	programs = regexp.MustCompile(`(?s)(<script\b[^>]*>).*?</script>`)
)

// check returns an error that names every link of a site that leads nowhere, and all that pages would load
// from the network. Links to other sites are not followed.
func check(files fs.FS) error {
	anchors := map[string]map[string]bool{} // by page
	texts := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		data, err := fs.ReadFile(files, name)
		text := programs.ReplaceAllString(string(data), "$1")
		texts[name], anchors[name] = text, map[string]bool{}
		for _, found := range names.FindAllStringSubmatch(text, -1) {
			anchors[name][html.UnescapeString(found[1])] = true
		}
		return err
	})
	wrong := []error{err}
	for name, text := range texts {
		for _, found := range links.FindAllStringSubmatch(text, -1) {
			// What an element other than <a> refers to is loaded.
			loads := !strings.HasPrefix(found[1], "<a")
			if said := dead(files, anchors, name, loads, html.UnescapeString(found[3])); said != "" {
				wrong = append(wrong, fmt.Errorf("%s: %s: %s", name, found[3], said))
			}
		}
	}
	return errors.Join(wrong...)
}

// dead says what is wrong with a link of a page, or nothing.
func dead(files fs.FS, anchors map[string]map[string]bool, page string, loads bool, link string) string {
	at, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if at.Scheme != "" || at.Host != "" {
		if loads && at.Scheme != "data" {
			return "is loaded from the network"
		}
		return ""
	}
	target := page
	if at.Path != "" {
		target = path.Join(path.Dir(page), at.Path)
	}
	if info, err := fs.Stat(files, target); err != nil || info.IsDir() {
		return "leads nowhere"
	}
	if at.Fragment != "" && strings.HasSuffix(target, ".html") && !anchors[target][at.Fragment] {
		return "leads to no place of that page"
	}
	return ""
}
