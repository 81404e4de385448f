package kernel

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// failure is why a cell ends in error, as Jupyter shows it.
type failure struct {
	name, value string
	trace       []string
}

func (f *failure) content() map[string]any {
	return map[string]any{"ename": f.name, "evalue": f.value, "traceback": f.trace}
}

// wrong is the failure of a cell with mistakes.
func wrong(mistakes []*cell.Error) *failure {
	f := &failure{name: "CompileError"}
	var values []string
	for _, m := range mistakes {
		values = append(values, m.Error())
		f.trace = append(append(f.trace, m.Error()), m.Excerpt()...)
	}
	f.value = strings.Join(values, "\n")
	return f
}

var (
	stackLine = regexp.MustCompile(`/?cell_([0-9a-f]{12}):(\d+)(?: \+0x[0-9a-f]+)?`)
	frame     = regexp.MustCompile(` fp=0x.*`)
	cellLine  = regexp.MustCompile(`^cell \[(\d+)\], line (\d+)`)
)

// ended is the failure of a program that says why it ended, as Go does of a panic, with a stack, and
// nkfx.Check in a sentence.
func ended(said string, cells map[string]*cell.Cell) *failure {
	if said, ok := strings.CutPrefix(said, "nkf: "); ok {
		f := &failure{name: "Error", value: strings.TrimSpace(said)}
		f.trace = []string{f.value}
		if at := cellLine.FindStringSubmatch(said); at != nil {
			for _, c := range cells {
				if strconv.Itoa(c.Number) == at[1] {
					f.trace = append(f.trace, "    "+lineOf(c, at[2]))
				}
			}
		}
		return f
	}
	message, stack, _ := strings.Cut(said, "\n\ngoroutine ")
	message, _, _ = strings.Cut(message, "\n\nruntime stack:")
	stack, _, _ = strings.Cut(stack, "\n\n") // of the goroutine that ended it
	_, stack, _ = strings.Cut(stack, "\n")
	f := &failure{name: "Panic", value: strings.TrimSpace(message)}
	first := true
	stack = named(frame.ReplaceAllString(stack, ""), cells, func(c *cell.Cell, line, place string) {
		if first {
			f.value = place + ": " + f.value
			f.trace = []string{f.value, "    " + lineOf(c, line)}
			first = false
		}
	})
	if first {
		f.trace = []string{f.value}
	}
	frames := strings.Split(strings.TrimSpace(stack), "\n")
	if len(frames) > 2*deepest {
		frames = append(frames[:2*deepest], "…")
	}
	if first && stack != "" || len(frames) > 2 {
		f.trace = append(append(f.trace, ""), frames...)
	}
	return f
}

// named returns a text with cells named by their numbers, and reports each.
func named(text string, cells map[string]*cell.Cell, found func(c *cell.Cell, line, place string)) string {
	return stackLine.ReplaceAllStringFunc(text, func(place string) string {
		at := stackLine.FindStringSubmatch(place)
		if c := cells[at[1]]; c != nil {
			place = fmt.Sprintf("%s, line %s", c.Name(), at[2])
			found(c, at[2], place)
		}
		return place
	})
}

// deepest is how many calls of a stack are shown.
const deepest = 20

// lineOf returns a line of a cell.
func lineOf(c *cell.Cell, number string) string {
	lines := strings.Split(c.Code, "\n")
	n, _ := strconv.Atoi(number) // of digits
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
