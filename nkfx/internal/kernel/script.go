package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// text is a text, which Jupyter saves as a string or as a list of lines.
type text string

// UnmarshalJSON reads either.
func (t *text) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(t)) == nil {
		return nil
	}
	var lines []string
	err := json.Unmarshal(data, &lines)
	*t = text(strings.Join(lines, ""))
	return err
}

// Script returns the notebook that r has as one program in Go, see [cell.Script].
func (k Kernel) Script(ctx context.Context, r io.Reader) (string, error) {
	var book struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			Source text   `json:"source"`
		} `json:"cells"`
	}
	if err := json.NewDecoder(r).Decode(&book); err != nil {
		return "", fmt.Errorf("it is not a notebook: %w", err)
	}
	var parts []cell.Part
	for _, c := range book.Cells {
		part := cell.Part{Text: string(c.Source)}
		if c.Kind == "code" {
			part = cell.Part{Code: string(c.Source)}
		}
		parts = append(parts, part)
	}
	checkout, err := checkoutAround(k.Checkout)
	if err != nil {
		return "", err
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("notebooks are compiled by Go, which is not on PATH: %w", err)
	}
	flags, err := goFlags(ctx, goTool)
	if err != nil {
		return "", err
	}
	packages := &cell.Packages{Go: goTool, Dir: checkout, Env: goEnvironment(flags)}
	list, err := packages.List(ctx, listedPackages...)
	if err != nil {
		return "", err
	}
	packages.Add(list)
	program, mistakes := cell.Script(parts, packages)
	for _, m := range mistakes {
		err = errors.Join(err, m)
	}
	return program, err
}
