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

// writeProfile prints where time went as a table.
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
	return t.Print(w)
}
