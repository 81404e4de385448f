package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/neuralkforms/nkf/datasets/published"
)

// States of a data set.
const (
	Verified = "verified" // the published files, in a folder or in nkf
	Altered  = "not the published file"
)

// DataReport says where one of the published data sets is.
type DataReport struct {
	Name  string `json:"name"`
	Path  string `json:"path,omitempty"`  // of its first file outside of nkf, or of the altered one
	State string `json:"state"`           // Verified or Altered
	Error string `json:"error,omitempty"` // why it cannot be used, empty if verified
}

// Data looks for every published data set, in the order of [published.Sets]. Those that the program contains
// are unpacked and compared with their checksums only if all are to be.
func Data(ctx context.Context, all bool) (reports []DataReport) {
	for _, set := range published.Sets() {
		report := DataReport{Name: set.Name, State: Verified}
		if !all && set.Embedded() {
			reports = append(reports, report)
			continue
		}
		files, err := published.Open(ctx, set.Name)
		for _, file := range files {
			report.Path = cmp.Or(report.Path, file.Path)
		}
		var other *published.AlteredError
		switch {
		case errors.As(err, &other):
			report.State, report.Path = Altered, other.Path
		case err != nil: // a file that cannot be read
			report.State = Altered
		}
		if err != nil {
			report.Error = err.Error()
		}
		reports = append(reports, report)
	}
	return reports
}

// PrintData writes reports to w as a table.
func PrintData(w io.Writer, reports []DataReport) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range reports {
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Name, d.State, cmp.Or(d.Path, "in nkf"))
	}
	return table.Flush()
}
