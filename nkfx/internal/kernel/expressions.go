package kernel

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// expressions evaluates what the request for a cell wants to know after it, by programs of their own: what
// Jupyter calls user_expressions.
func (s *session) expressions(e *execution) map[string]any {
	var asked map[string]string
	_ = json.Unmarshal(e.content["user_expressions"], &asked) // nil if it has none
	answers := map[string]any{}
	for name, code := range asked {
		text, why := s.expression(e, cell.New(code, e.count))
		if why != nil {
			answer := why.content()
			answer["status"] = "error"
			answers[name] = answer
			continue
		}
		answers[name] = map[string]any{
			"status": "ok", "data": map[string]string{"text/plain": text}, "metadata": struct{}{},
		}
	}
	return answers
}

// expression returns the value of a cell, as text, that runs after another.
func (s *session) expression(after *execution, c *cell.Cell) (text string, why *failure) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.mu.Lock()
	memory := s.memory
	if after.stopBuild = cancel; s.stopped == after.id {
		cancel()
	}
	s.mu.Unlock()
	built, mistakes := memory.Program(c, s.packages, false)
	if mistakes != nil {
		return "", wrong(mistakes)
	}
	target := filepath.Join(s.dir, "expression")
	build := Asked{Dir: s.packages.Folder(), Args: []string{"build", "-o", target}}
	said, err := s.compile(ctx, c, built, build)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return "", wrong(s.mistakes(c, said))
	}
	cmd := exec.CommandContext(ctx, target)
	cmd.Env = append(s.env, s.cellsEnv())
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if at := ends.FindStringIndex(failed.String()); at != nil {
			return "", ended(failed.String()[at[0]:], s.cells)
		}
		return "", &failure{"Error", err.Error(), []string{err.Error()}}
	}
	_, text, _ = strings.Cut(string(out), cell.ValueBegins)
	text, _, _ = strings.Cut(text, cell.ValueEnds)
	return strings.TrimSuffix(text, "\n"), nil
}
