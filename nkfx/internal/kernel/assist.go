package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// Times within which an answer is wanted: without gopls, which may still be loading, and from it.
const (
	patience = 2 * time.Second
	longest  = 10 * time.Second
)

var errLoading = errors.New("gopls is still loading; try again in a moment")

// assist answers a request about a cell that is being typed.
func (s *session) assist(m *message) (kind string, content map[string]any) {
	var units int
	_ = json.Unmarshal(m.content["cursor_pos"], &units) // 0 for none
	code := m.text("code")
	cursor := utf16Offset(code, units)
	// Cells have line ends of one byte.
	cursor -= strings.Count(code[:cursor], "\r\n")
	code = strings.ReplaceAll(code, "\r\n", "\n")
	switch m.kind {
	case "complete_request":
		matches, begin, note := s.complete(code, cursor)
		if note != "" { // as typed, and as a comment
			matches = []string{code[begin:cursor], code[begin:cursor] + " // " + note}
		}
		return "complete_reply", map[string]any{
			"status": "ok", "matches": matches, "metadata": map[string]any{},
			"cursor_start": units - utf16Size(code[begin:cursor]), "cursor_end": units,
		}
	case "inspect_request":
		text := s.explain(code, cursor)
		data := map[string]any{}
		if text != "" {
			data = map[string]any{"text/markdown": text, "text/plain": text}
		}
		return "inspect_reply", map[string]any{
			"status": "ok", "found": text != "", "data": data, "metadata": map[string]any{},
		}
	}
	status := "complete"
	if !cell.New(code, 0).Complete() {
		status = "incomplete"
	}
	return "is_complete_reply", map[string]any{"status": status, "indent": "\t"}
}

var (
	importStart = regexp.MustCompile("^\\s*(?:import\\s+)?(?:[\\w.]+\\s+)?[\"`]([^\"`\\s]*)$")
	nameStart   = regexp.MustCompile(`[\pL_][\pL\d_]*$`)
	nameEnd     = regexp.MustCompile(`^[\pL_]`)
)

// complete returns what may stand at the cursor, the offset where that begins, and else why there is nothing.
func (s *session) complete(code string, cursor int) (matches []string, begin int, note string) {
	matches, begin = []string{}, cursor
	c := cell.Typing(code)
	_, _, before := c.Line(cursor)
	if path := importStart.FindStringSubmatch(before); path != nil {
		return append(matches, s.packages.Paths(path[1])...), cursor - len(path[1]), ""
	}
	if name := nameStart.FindString(before); name != "" {
		begin = cursor - len(name)
	}
	var list struct {
		Items []struct {
			Label    string `json:"label"`
			TextEdit struct {
				NewText string `json:"newText"`
			} `json:"textEdit"`
		} `json:"items"`
	}
	p, err := s.ask(c, cursor, "completion", &list)
	if p == nil {
		if err != nil {
			note = err.Error()
		}
		return matches, begin, note
	}
	for _, item := range list.Items {
		text := item.TextEdit.NewText
		if strings.HasPrefix(text, code[begin:cursor]) && !slices.Contains(matches, text) {
			matches = append(matches, text)
		}
	}
	return matches, begin, ""
}

// explain returns the documentation of the name at the cursor or, within the brackets of a call, of the
// function, in Markdown.
func (s *session) explain(code string, cursor int) string {
	c := cell.Typing(code)
	methods := []string{"signatureHelp", "hover"}
	if nameStart.MatchString(code[:cursor]) || nameEnd.MatchString(code[cursor:]) {
		methods = []string{"hover", "signatureHelp"}
	}
	for _, method := range methods {
		var answer explanation
		_, err := s.ask(c, cursor, method, &answer)
		if errors.Is(err, errLoading) {
			return err.Error()
		}
		if text := answer.text(); err == nil && text != "" {
			return text
		}
	}
	return ""
}

// explanation is what gopls says of a name, or of the call around the cursor.
type explanation struct {
	Contents   struct{ Value string }
	Signatures []struct {
		Label         string
		Documentation struct{ Value string }
		Parameters    []struct{ Label string }
	}
	ActiveParameter int
}

func (e *explanation) text() string {
	if len(e.Signatures) == 0 {
		return e.Contents.Value
	}
	f := e.Signatures[0]
	text := "```go\nfunc " + f.Label + "\n```\n"
	if e.ActiveParameter < len(f.Parameters) {
		text += "\nparameter **" + f.Parameters[e.ActiveParameter].Label + "**\n"
	}
	return text + "\n" + f.Documentation.Value
}

// ask asks gopls about the cursor in a cell. The program is nil where there is nothing to ask.
func (s *session) ask(c *cell.Cell, cursor int, method string, answer any) (*cell.Program, error) {
	if s.gopls == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, longest)
	defer cancel()
	select {
	case <-s.gopls.ready:
	case <-time.After(patience):
		return nil, errLoading
	}
	s.mu.Lock()
	memory := s.memory
	s.mu.Unlock()
	earlier, now := memory.Typed(c, s.packages)
	at, ok := now.At(c, cursor)
	if !ok {
		return nil, nil
	}
	return now, s.gopls.ask(ctx, method, earlier, now.Text(), at, answer)
}
