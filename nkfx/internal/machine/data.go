package machine

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/neuralkforms/nkf/datasets"
)

// DataReport says where one of the published data sets is.
type DataReport struct {
	Name  string `json:"name"`
	Path  string `json:"path,omitempty"`  // empty if the file is nowhere
	State string `json:"state"`           // "verified", "not the published file" or "not here"
	Error string `json:"error,omitempty"` // why it cannot be used, empty if verified
}

// Data looks for every published data set as finder does, in the order of [datasets.Sources], and
// counts the usable ones.
func Data(ctx context.Context, finder *datasets.Finder) (reports []DataReport, usable int) {
	anything := *finder
	anything.Offline, anything.AnyContent = true, true
	for _, source := range datasets.Sources() {
		report := DataReport{Name: source.Name, State: "verified"}
		path, err := finder.Find(ctx, source)
		if err == nil {
			usable++
		} else {
			report.Error, report.State = err.Error(), "not here"
			if path, _ = anything.Find(ctx, source); path != "" {
				report.State = "not the published file"
			}
		}
		report.Path = path
		reports = append(reports, report)
	}
	return reports, usable
}

// PrintData writes reports to w as a table.
func PrintData(w io.Writer, reports []DataReport) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range reports {
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Name, d.State, d.Path)
	}
	return table.Flush()
}
