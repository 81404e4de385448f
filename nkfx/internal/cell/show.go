package cell

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// showPackage is the package whose Show shows figures.
const showPackage = "github.com/neuralkforms/nkf/nkfx"

// meshPackage is the package whose meshes are drawn.
const meshPackage = "github.com/neuralkforms/nkf/datasets/mesh"

// showImports are what programs import to show a value, by names that cells do not declare.
var showImports = map[string]string{
	"nkf_fmt": "fmt", "nkf_nkfx": showPackage, "nkf_figures": showPackage + "/figures",
	"nkf_mesh": meshPackage,
}

// way returns how the last expression is shown, nothing for one without a value.
func (k *checked) way() way {
	if k.value == nil {
		return way{}
	}
	value := k.info.Types[k.value.X]
	switch t := value.Type.(type) {
	case nil:
		return way{}
	case *types.Tuple:
		if t.Len() == 0 || k.counts() {
			return way{}
		}
		return printed
	case *types.Signature:
		return valued(`f("%T\n", `)
	}
	receive, ok := ast.Unparen(k.value.X).(*ast.UnaryExpr)
	if !value.IsValue() && !value.IsNil() || ok && receive.Op == token.ARROW {
		return way{}
	}
	if types.Identical(value.Type, types.Universe.Lookup("error").Type()) {
		return way{"if err := (", "); err != nil { " + printed.before + "err" + printed.after + " }"}
	}
	return wayOf(value.Type)
}

// wayOf returns how a value of a type is shown: as nkfx.Show does, or else as a line.
func wayOf(t types.Type) way {
	methods := types.NewMethodSet(t)
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return methods.Lookup(nil, name) == nil })
	}
	const arranged = `nkf_nkfx.Show(nkf_value{nkf_figures.Arrange("", 1, `
	switch name := t.String(); {
	case has("HTML"), has("SVG"), has("ColorModel", "Bounds", "At"):
		return way{"nkf_nkfx.Show(nkf_value{", "})"}
	case name == "*gonum.org/v1/plot.Plot":
		return way{arranged + "&nkf_figures.Panel{Plot: ", "})})"}
	case name == "*"+meshPackage+".Mesh":
		return way{"func(m *nkf_mesh.Mesh) { " + arranged + `nkf_figures.NewPanel("", &nkf_figures.Mesh{` +
			"Vertices: m.Vertices, Triangles: m.Triangles, View: nkf_figures.Front}).Bare())}) }(", ")"}
	case name == "*"+showPackage+"/figures.Panel":
		return way{arranged, ")})"}
	case has("Plot") && strings.Contains(methods.Lookup(nil, "Plot").Type().String(), "gonum.org/v1/plot"):
		return way{arranged + `nkf_figures.NewPanel("", `, "))})"}
	}
	return printed
}

// The text of a value stands between these on standard output. They are commands that terminals ignore.
const (
	ValueBegins = "\x1b_nkf value\x1b\\"
	ValueEnds   = "\x1b_nkf end\x1b\\"
)

// valued returns the way to show a value by a function of the family of fmt.Sprint.
func valued(function string) way {
	return way{fmt.Sprintf("nkf_fmt.Print(%q, nkf_fmt.Sprint%s", ValueBegins, function),
		fmt.Sprintf("), %q)", ValueEnds)}
}

// printed is how most values are shown.
var printed = valued("ln(")

// counts reports whether the last call returns (n int, err error), as fmt.Println does, and so is there for
// what it writes or reads.
func (k *checked) counts() bool {
	call, ok := ast.Unparen(k.value.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := k.info.Types[call.Fun].Type.(*types.Signature)
	if !ok || f.Results().Len() != 2 {
		return false
	}
	return f.Results().At(0).Name() == "n" && f.Results().At(1).Name() == "err"
}
