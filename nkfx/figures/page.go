package figures

import (
	_ "embed"
	"fmt"
	"html"
	"regexp"
)

// The programs that draw in a browser, and what they have in common.
var (
	//go:embed page.js
	common string
	//go:embed scene.js
	sceneProgram string
	//go:embed animation.js
	animationProgram string
	//go:embed forms.js
	formsProgram string // evaluates forms, for padProgram
	//go:embed pad.js
	padProgram string
)

// programs draw the elements of each kind.
var programs = map[string]string{
	"scene": sceneProgram, "animation": animationProgram, "pad": formsProgram + padProgram,
}

// margins are indentation and lines of comment, which need not be in every output.
var margins = regexp.MustCompile(`\n( *//.*\n)* *`)

// paged returns an element of the kind named for a page: its data, and the program that draws them. It
// replaces the picture before it in the output of a cell. Pages that are not trusted, or shown without
// scripts, show the picture. JupyterLab leaves the keys that are pressed in it alone.
func paged(kind, data string) string {
	return `<div class="nkf-` + kind + `" data-` + kind + `="` + html.EscapeString(data) +
		`" data-lm-suppress-shortcuts="true"></div>` + script(kind)
}

// script returns the program of a kind of elements.
func script(kind string) string {
	return "<script>{" + margins.ReplaceAllString("\n"+common+programs[kind], "\n") + "}</script>"
}

// unlessBroken replaces an element by what is wrong with it where a page cannot be made of a figure.
func unlessBroken(title string, out *string) {
	if p := recover(); p != nil {
		*out = "<p>" + html.EscapeString(fmt.Sprintf("figure %q: %v", title, p)) + "</p>"
	}
}
