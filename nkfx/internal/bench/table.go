package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// first are the programs that people write first; every tool's other ones take thought.
var first = map[string]bool{"torch eager": true, "jax plain": true, "jax vmap": true, "torch loader": true}

// Print writes the results as tables: times in milliseconds, a line for each case, and the ratios of the
// fastest other program, and of the fastest of those that people write first, to the fastest of nkf. Bytes
// are those of the simplices alone, as coordinates and as vertices.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "Medians in ms; %s, %d CPUs, load %s before, %s after.\n", r.Backend, r.CPUs,
		r.LoadBefore, r.LoadAfter)
	if len(r.Peers) > 0 {
		fmt.Fprintf(w, "Beside nkf: %s.\n", strings.Join(r.Peers, "; "))
	}
	for _, m := range r.Missing {
		fmt.Fprintln(w, "Missing:", m)
	}
	for _, c := range r.Checks {
		fmt.Fprintln(w, c)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := ""
	for from, to := 0, 0; from < len(r.Results); from = to {
		for to < len(r.Results) && r.Results[to].Case == r.Results[from].Case {
			to++
		}
		results := r.Results[from:to]
		if h := heading(results); h != head {
			head = h
			fmt.Fprintln(t, "\n"+h)
		}
		fmt.Fprintln(t, r.line(results))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, x := range r.Results {
		if x.Skipped != "" && x.Skipped != tooSlowBefore {
			fmt.Fprintf(w, "%s, %s: %s\n", x.Program, x.Case, x.Skipped)
		}
	}
	for _, c := range r.Left {
		fmt.Fprintln(w, "No time left for", c)
	}
	return nil
}

// heading returns the heads of the columns of a case.
func heading(results []Result) string {
	var names []string
	for _, x := range results {
		names = append(names, x.Program)
	}
	columns := map[string]string{
		Integrals:  "k\tn\tsimplices\t%s\tns each\t×fastest\t×first\tbytes\t",
		Signatures: "signatures\tn\tdepth\tpoints\tpaths\t%s\t×fastest\t",
		Meshes:     "2-forms on a mesh\ttriangles\t%s\tns each\tpeak GiB\t",
		Epochs:     "epochs\tmodel\t%s\t×fastest\t×first\t",
	}
	return fmt.Sprintf(columns[results[0].Race], strings.Join(names, "\t"))
}

// line returns the line of one case.
func (r *Report) line(results []Result) string {
	c := results[0].Case
	var times []string
	var own, other, early float64
	least := func(best *float64, seconds float64) {
		if *best == 0 || seconds < *best {
			*best = seconds
		}
	}
	for _, x := range results {
		if x.Skipped != "" {
			times = append(times, "-")
			continue
		}
		times = append(times, digits(1e3*x.Seconds))
		if strings.HasPrefix(x.Program, "nkf") {
			least(&own, x.Seconds)
		} else {
			least(&other, x.Seconds)
		}
		if first[x.Program] {
			least(&early, x.Seconds)
		}
	}
	ratio := func(format string, a, b float64) string {
		if a == 0 || b == 0 {
			return "-"
		}
		return fmt.Sprintf(format, a/b)
	}
	faster, faster1 := ratio("%.1f", other, own), ratio("%.1f", early, own)
	var columns []string
	switch c.Race {
	case Signatures:
		work := "value"
		if c.Gradient {
			work = "value and gradient"
		}
		columns = append([]string{work, fmt.Sprint(c.Dim), fmt.Sprint(c.Depth), fmt.Sprint(c.Points),
			fmt.Sprint(c.Batch)}, append(times, faster)...)
	case Meshes:
		columns = append([]string{"", fmt.Sprint(c.Simplices)}, append(times,
			ratio("%.0f", 1e9*own, float64(c.Simplices)), fmt.Sprintf("%.2f", results[0].PeakGiB))...)
	case Epochs:
		columns = append([]string{c.Dataset, c.Model}, append(times, faster, faster1)...)
	default:
		columns = append([]string{fmt.Sprint(c.Degree), fmt.Sprint(c.Dim), fmt.Sprint(c.Simplices)},
			append(times, ratio("%.0f", 1e9*own, float64(c.Simplices)), faster, faster1,
				fmt.Sprintf("%d/%d", 4*(c.Degree+1)*c.Dim, 4*(c.Degree+1)+4*c.Dim))...)
	}
	return strings.Join(columns, "\t") + "\t"
}

// digits returns three significant digits, without an exponent for large numbers.
func digits(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
