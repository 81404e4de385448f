package nkfx

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
)

// tensorTable shows a tensor as a table with the last axis along its rows.
type tensorTable struct{ *tensors.Tensor }

// Larger tables show half as many rows or columns at either end.
const tensorRows, tensorColumns = 12, 12

// HTML returns the table below the shape of the tensor.
func (t tensorTable) HTML() string {
	var out strings.Builder
	const caption = `<table class="nkf-tensor">` +
		`<caption style="text-align:left;white-space:nowrap">%s</caption>`
	fmt.Fprintf(&out, caption, escape(t.Shape().String()))
	err := t.ConstFlatData(func(flat any) { t.rows(&out, reflect.ValueOf(flat)) })
	out.WriteString("</table>")
	if err != nil {
		return "<p>" + escape(fmt.Sprintf("%s: %v", t.Shape(), err)) + "</p>"
	}
	return out.String()
}

// rows writes the rows of the table.
func (t tensorTable) rows(out *strings.Builder, values reflect.Value) {
	dims := t.Shape().Dimensions
	columns, rows := 1, 1
	if len(dims) > 0 {
		columns = dims[len(dims)-1]
		for _, d := range dims[:len(dims)-1] {
			rows *= d
		}
	}
	cell := func(tag, text string) {
		fmt.Fprintf(out, `<%s style="text-align:right">%s</%[1]s>`, tag, text)
	}
	for _, r := range append([]int{header}, ends(rows, tensorRows)...) {
		out.WriteString("<tr>")
		if len(dims) > 1 {
			cell("th", rowLabel(r, dims[:len(dims)-1]))
		}
		for _, c := range ends(columns, tensorColumns) {
			switch {
			case r == header && c >= 0 && len(dims) > 0:
				cell("th", fmt.Sprint(c))
			case r == header && c < 0:
				cell("th", "…")
			case r == header: // of a scalar
			case r < 0 || c < 0:
				cell("td", "…")
			default:
				cell("td", t.text(values, r*columns+c))
			}
		}
		out.WriteString("</tr>")
	}
}

// header is the row with the numbers of the columns.
const header = -2

// ends returns 0 to n-1, or the first and the last half of most around -1.
func ends(n, most int) (list []int) {
	for i := range n {
		switch {
		case n <= most || i < most/2 || i >= n-most/2:
			list = append(list, i)
		case i == most/2:
			list = append(list, -1)
		}
	}
	return list
}

// rowLabel returns the indices of a row along all axes but the last.
func rowLabel(row int, dims []int) string {
	switch {
	case row == header:
		return ""
	case row < 0:
		return "…"
	}
	at := make([]string, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		at[i] = fmt.Sprint(row % dims[i])
		row /= dims[i]
	}
	return strings.Join(at, ", ")
}

// text returns the element at a flat index.
func (t tensorTable) text(values reflect.Value, at int) string {
	if t.DType().IsPacked() {
		return fmt.Sprint(tensors.UnpackSubByteAt(values.Interface().([]byte), t.DType(), at))
	}
	switch x := values.Index(at).Interface().(type) {
	case float32, float64, complex64, complex128:
		return fmt.Sprintf("%.4g", x)
	case interface{ Float32() float32 }: // half precision
		return fmt.Sprintf("%.4g", x.Float32())
	default:
		return escape(fmt.Sprint(x))
	}
}
