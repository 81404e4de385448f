package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes the results as tables: times in milliseconds, a line for each case, and how many
// times faster the fastest program of nkf is than the fastest other one, and than the fastest of
// those that people write first. The roof is the share of its time that the machine cannot do
// without. Bytes are those of the simplices alone, as coordinates and as vertices.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "Value and gradient, medians in ms; %s, %d CPUs, load %s before, %s after. %s\n",
		r.Backend, r.CPUs, r.LoadBefore, r.LoadAfter, strings.Join(r.Peers, ", "))
	fmt.Fprintf(w, "The machine: %.0f GFLOP/s in matrix products, %.1f GB/s in sums.\n",
		r.Roofline.Flops/1e9, r.Roofline.Bytes/1e9)
	for _, m := range r.Missing {
		fmt.Fprintln(w, "not there:", m)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := ""
	for from, to := 0, 0; from < len(r.Results); from = to {
		names := ""
		for ; to < len(r.Results) && r.Results[to].Case == r.Results[from].Case; to++ {
			names += r.Results[to].Program + "\t"
		}
		if names != head {
			head = names
			fmt.Fprintf(t, "\nk\tn\tsimplices\t%sns each\troof\t×fastest\t×first\tbytes\t\n", names)
		}
		fmt.Fprintln(t, r.line(r.Results[from:to]))
	}
	for i, m := range r.Mesh {
		if i == 0 {
			fmt.Fprint(t, "\n2-forms on a mesh\ttriangles\ts\tns each\tpeak GiB\t\n")
		}
		fmt.Fprintf(t, "\t%d\t%.3f\t%.0f\t%.2f\t\n", m.Triangles, m.Seconds, m.PerTriangle, m.PeakGiB)
	}
	for i, x := range r.Signatures {
		if i == 0 {
			fmt.Fprint(t, "\nsignatures\tn\tdepth\tpoints\tbatch\tprogram\tms\t\n")
		}
		work := "value"
		if x.Gradient {
			work = "value and gradient"
		}
		took := fmt.Sprintf("%.3g", 1e3*x.Seconds)
		if x.Skipped != "" {
			took = "-"
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t\n", work, x.Dim, x.Depth, x.Points, x.Batch,
			x.Program, took)
	}
	return t.Flush()
}

// line returns the line of one case.
func (r *Report) line(results []Result) string {
	c := results[0].Case
	out := fmt.Sprintf("%d\t%d\t%d\t", c.Degree, c.Dim, c.Simplices)
	var own, other, first float64
	least := func(best *float64, seconds float64) {
		if *best == 0 || seconds < *best {
			*best = seconds
		}
	}
	for _, x := range results {
		if x.Skipped != "" {
			out += "-\t"
			continue
		}
		out += fmt.Sprintf("%.3g\t", 1e3*x.Seconds)
		if strings.HasPrefix(x.Program, "nkf") {
			least(&own, x.Seconds)
		} else {
			least(&other, x.Seconds)
		}
		if x.Program == "torch eager" || x.Program == "jax plain" {
			least(&first, x.Seconds)
		}
	}
	ratio := func(format string, a, b float64) string {
		if a == 0 || b == 0 {
			return "-"
		}
		return fmt.Sprintf(format, a/b)
	}
	return out + strings.Join([]string{
		fmt.Sprintf("%.0f", 1e9*own/float64(c.Simplices)), ratio("%.0f %%", 100*r.Roofline.seconds(c), own),
		ratio("%.1f", other, own), ratio("%.1f", first, own),
		fmt.Sprintf("%d/%d\t", 4*(c.Degree+1)*c.Dim, 4*(c.Degree+1)+4*c.Dim),
	}, "\t")
}
