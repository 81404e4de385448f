package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// first are the programs that people write first.
var first = []string{"torch eager", "jax plain"}

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
	var head []string
	for i := 0; i < len(r.Results); {
		to := i
		for to < len(r.Results) && r.Results[to].Case == r.Results[i].Case {
			to++
		}
		results := slices.Clone(r.Results[i:to])
		slices.SortStableFunc(results, func(a, b Result) int { return order(a.Program) - order(b.Program) })
		var names []string
		for _, x := range results {
			names = append(names, x.Program)
		}
		if !slices.Equal(names, head) {
			head = names
			fmt.Fprintf(t, "\nk\tn\tsimplices\t%s\tns each\troof\t×fastest\t×first\tbytes\t\n",
				strings.Join(names, "\t"))
		}
		fmt.Fprintln(t, r.line(results))
		i = to
	}
	for i, m := range r.Mesh {
		if i == 0 {
			fmt.Fprint(t, "\n2-forms on a mesh\ttriangles\ts\tns each\tpeak GiB\t\n")
		}
		fmt.Fprintf(t, "\t%d\t%.3f\t%.0f\t%.2f\t\n", m.Triangles, m.Seconds, m.PerTriangle, m.PeakGiB)
	}
	return t.Flush()
}

// order puts the programs of nkf before all others.
func order(program string) int {
	if strings.HasPrefix(program, "nkf") {
		return 0
	}
	return 1
}

// line returns the line of one case.
func (r *Report) line(results []Result) string {
	c := results[0].Case
	cells := []string{fmt.Sprint(c.Degree), fmt.Sprint(c.Dim), fmt.Sprint(c.Simplices)}
	var own, other, plain float64
	for _, x := range results {
		if x.Skipped != "" {
			cells = append(cells, "-")
			continue
		}
		cells = append(cells, fmt.Sprintf("%.3g", 1e3*x.Seconds))
		switch {
		case order(x.Program) == 0:
			own = least(own, x.Seconds)
		default:
			other = least(other, x.Seconds)
		}
		if slices.Contains(first, x.Program) {
			plain = least(plain, x.Seconds)
		}
	}
	each := fmt.Sprintf("%.0f", 1e9*own/float64(c.Simplices))
	roof := "-"
	if own > 0 {
		roof = fmt.Sprintf("%.0f %%", 100*r.Roofline.seconds(c)/own)
	}
	cells = append(cells, each, roof, ratio(other, own), ratio(plain, own),
		fmt.Sprintf("%d/%d", 4*(c.Degree+1)*c.Dim, 4*(c.Degree+1)+4*c.Dim))
	return strings.Join(cells, "\t") + "\t"
}

// least returns the smaller time, where 0 is none.
func least(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// ratio returns a/b in a cell.
func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", a/b)
}
