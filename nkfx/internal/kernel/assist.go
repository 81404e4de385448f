package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	var position int                                       // in characters
	_ = json.Unmarshal(m.content["cursor_pos"], &position) // 0 for none
	code := m.text("code")
	cursor := characterOffset(code, position)
	// Cells have line ends of one byte.
	cursor -= strings.Count(code[:cursor], "\r\n")
	code = strings.ReplaceAll(code, "\r\n", "\n")
	switch m.kind {
	case "complete_request":
		matches, begin := s.complete(code, cursor)
		return "complete_reply", map[string]any{
			"status": "ok", "matches": matches, "metadata": map[string]any{},
			"cursor_start": position - utf8.RuneCountInString(code[begin:cursor]), "cursor_end": position,
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
	return "is_complete_reply", map[string]any{"status": cell.New(code, 0).Status(), "indent": "\t"}
}

var (
	importStart = regexp.MustCompile("^\\s*(?:import\\s+)?(?:[\\w.]+\\s+)?[\"`]([^\"`\\s]*)$")
	nameStart   = regexp.MustCompile(`[\pL_][\pL\d_]*$`)
	nameEnd     = regexp.MustCompile(`^[\pL_]`)
)

// complete returns what may stand at the cursor, and the offset where that begins. It offers nothing while
// gopls loads: a client inserts what it is offered.
func (s *session) complete(code string, cursor int) (matches []string, begin int) {
	matches, begin = []string{}, cursor
	c := cell.Typing(code)
	_, _, before := c.Line(cursor)
	if path := importStart.FindStringSubmatch(before); path != nil {
		return append(matches, s.packages.Paths(path[1])...), cursor - len(path[1])
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
	_ = s.ask(c, cursor, "completion", &list) // the list is empty if it fails
	for _, item := range list.Items {
		text := item.TextEdit.NewText
		if strings.HasPrefix(text, code[begin:cursor]) && !slices.Contains(matches, text) {
			matches = append(matches, text)
		}
	}
	return matches, begin
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
		err := s.ask(c, cursor, method, &answer)
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

// characterOffset returns the byte offset in a text of a number of characters, which Jupyter counts in.
func characterOffset(text string, characters int) int {
	for at := range text {
		if characters <= 0 {
			return at
		}
		characters--
	}
	return len(text)
}

// ask asks gopls about the cursor in a cell. The answer stays as it is where there is nothing to ask.
func (s *session) ask(c *cell.Cell, cursor int, method string, answer any) error {
	if s.gopls == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, longest)
	defer cancel()
	select {
	case <-s.gopls.ready:
	case <-time.After(patience):
		return errLoading
	}
	s.mu.Lock()
	memory := s.memory
	s.mu.Unlock()
	earlier, now := memory.Typed(c, s.packages)
	at, ok := now.At(c, cursor)
	if !ok {
		return nil
	}
	return s.gopls.ask(ctx, method, earlier, now.Text(), at, answer)
}
