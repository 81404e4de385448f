package main

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestCheck finds links that lead nowhere, and what would be loaded from the network.
func TestCheck(t *testing.T) {
	page := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	files := fstest.MapFS{
		"index.html": page(`<a href="a/b.html#two">b</a> <a class="x" href="a/b.html">b</a>
<a href="#here">.</a>
<p id="here"><a href="https://example.com/x#y">out</a><img alt="" src="data:image/png;base64,AA==">
<script src="a/x.js"></script><script>write('<a href="none.html">')</script>`),
		"a/b.html": page(`<h1 id="two">2</h1><a href="../index.html#here">up</a>`),
		"a/x.js":   page(`<a href="none.html">`),
	}
	require.NoError(t, check(files))
	for want, text := range map[string]string{
		"index.html: none.html: leads nowhere":                        `<a href="none.html">x</a>`,
		"index.html: a: leads nowhere":                                `<a href="a">a folder</a>`,
		"index.html: ../up.html: leads nowhere":                       `<a href="../up.html">x</a>`,
		"index.html: a/b.html#three: leads to no place of that page":  `<a href="a/b.html#three">x</a>`,
		"index.html: #gone: leads to no place of that page":           `<a href="#gone">x</a>`,
		"x.js: is loaded":                                             `<script src="https://cdn/x.js">`,
		"index.html: //cdn.example/x.png: is loaded from the network": `<img src="//cdn.example/x.png">`,
		"is loaded from the network":                                  `<link href="https://cdn/x.css">`,
		"invalid URL escape":                                          `<a href="%zz">x</a>`,
	} {
		files["index.html"] = page(text)
		require.ErrorContains(t, check(files), want)
	}
}

// TestLink: links of the checkout become those of the site, and files that pages link to come with it.
func TestLink(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "nkfx"), 0o777))
	for _, name := range []string{"main.go", "dark.png"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "nkfx", name), []byte("package main"), 0o666))
	}
	s := &site{root: root, pages: map[string]string{
		"README.html": "", "layers/index.html": "", "nkfx/README.html": "",
		"notebooks/a.html": `<script src="NKF_ROOT/mathjax/tex-svg.js"></script>`,
	}}
	for link, want := range map[string]string{
		"b.ipynb": "b.ipynb", "a.ipynb#x": "../notebooks/a.html#x", "../README.md": "../README.html",
		"../nkfx": "../nkfx/README.html", "../nkfx/main.go": "../nkfx/main.go.txt", "#x": "#x",
		"https://example.com/a.ipynb": "https://example.com/a.ipynb",
	} {
		target, file := s.target("notebooks/a.html", link)
		require.Equal(t, want, target, link)
		require.Equal(t, link == "../nkfx/main.go", file == "nkfx/main.go")
	}
	const night = `<source media="(prefers-color-scheme: dark)" srcset="nkfx/dark.png">`
	const before = `<a class="x" href="../../nkfx/main.go">x</a><a href="../../README.md">y</a>`
	s.pages["layers/exterior/index.html"] = before
	s.pages["README.html"] = `<h2 id="What-runs,-where?">x</h2><a class="anchor-link" href="#%zz">¶</a>`
	s.pages["README.html"] += night
	s.pages["layers/index.html"] = `<a href="../README.md#what-runs-where">x</a><a href="#Form.D">D</a>`
	files := s.link()
	require.Equal(t, `<a href="../README.html#What-runs,-where?">x</a><a href="#Form.D">D</a>`,
		s.pages["layers/index.html"])
	require.NotContains(t, s.pages["README.html"], "anchor-link")
	require.Contains(t, s.pages["README.html"], night)
	require.Equal(t, []string{"nkfx/dark.png", "nkfx/main.go"}, files)
	require.Equal(t, `<a class="x" href="../../nkfx/main.go.txt">x</a><a href="../../README.html">y</a>`,
		s.pages["layers/exterior/index.html"])
	require.Contains(t, s.pages["notebooks/a.html"], `src="../mathjax/tex-svg.js"`)
}
