package series

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// WriteCSV writes the paths as a table of tracks, with a row for every observation, for other programs: the
// columns are id, the coordinates, the time if there is one, and the label.
func (s *Set) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := append([]string{"id"}, s.Coordinates...)
	if s.Time != "" {
		head = append(head, s.Time)
	}
	if s.Label != "" {
		head = append(head, s.Label)
	}
	rows := [][]string{head}
	spell := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for g := range s.Len() {
		t := s.track(g)
		for i := range len(t.points) / t.n {
			row := []string{strconv.Itoa(g)}
			for _, x := range t.row(i) {
				row = append(row, spell(x))
			}
			if s.Time != "" {
				row = append(row, spell(t.times[i]))
			}
			switch {
			case s.Label != "" && s.Classes != nil:
				row = append(row, s.Classes[s.Labels[g]])
			case s.Label != "":
				row = append(row, spell(s.Target(g)[0]))
			}
			rows = append(rows, row)
		}
	}
	if i := slices.Index(head[1:], "id"); i >= 0 {
		return fmt.Errorf("column %d is called id, as the column that names the paths", i+1)
	}
	return out.WriteAll(rows)
}
