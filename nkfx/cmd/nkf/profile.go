package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/internal/profile"
)

// printProfile ends the profile and prints it below the results, or, where those are JSON, apart from them.
func (a *app) printProfile() {
	report := profile.End()
	if report == nil {
		return
	}
	to := a.stdout
	if a.asJSON {
		to = a.stderr
	}
	if err := writeProfile(to, report); err != nil {
		fmt.Fprintf(a.stderr, "nkf: the profile: %s\n", oneLine(err))
	}
}

// writeProfile prints where time went as two tables.
func writeProfile(w io.Writer, report *profile.Report) error {
	seconds := func(s float64) string { return fmt.Sprintf("%.3f", s) }
	t := figures.Table{Head: []string{"part", "seconds", "share", "times"}}
	row := func(name string, s float64, times string) {
		share := fmt.Sprintf("%.1f %%", 100*s/report.Seconds)
		t.Rows = append(t.Rows, figures.Texts(name, seconds(s), share, times))
	}
	for _, r := range report.Rows {
		times := ""
		if r.Times > 0 {
			times = strconv.Itoa(r.Times)
		}
		row(r.Part, r.Seconds, times)
	}
	row("all", report.Seconds, "")
	if err := t.Print(w); err != nil || len(report.Programs) == 0 {
		return err
	}
	t = figures.Table{Head: []string{"program", "seconds", "how"}}
	for _, p := range report.Programs {
		how := "compiled"
		if p.Cached {
			how = "loaded"
		}
		t.Rows = append(t.Rows, figures.Texts(p.Name, seconds(p.Seconds), how))
	}
	return t.Print(w)
}
