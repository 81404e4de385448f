package series

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Notes reports the sizes of the paths and their coordinates, how many values were missing and are
// interpolated, what was left out, and what is not as it looks, see [datasets.Noter].
func (s *Set) Notes() []string {
	shortest, longest := math.MaxInt, 0
	for g := range s.Len() {
		shortest, longest = min(shortest, s.Count(0, g)), max(longest, s.Count(0, g))
	}
	notes := []string{fmt.Sprintf("%s of %d to %d points, coordinates %s",
		english.Plural(s.Len(), "path", ""), shortest, longest, fileio.Printable(s.Features))}
	for _, n := range []struct {
		count           int
		one, many, then string
	}{
		{s.filled, "value is", "values are", "missing and interpolated"},
		{s.unlabeled, "path", "", "without a label left out"},
		{s.untimed, "point has", "points have", "no time, so that no times are used: name them (--t) to " +
			"see where"},
		{s.skipped, "feature or track", "features or tracks", "without a line left out"},
		{s.crossing, "track crosses", "tracks cross", "the date line, over which longitudes run on"},
	} {
		if n.count > 0 {
			notes = append(notes, english.Plural(n.count, n.one, n.many)+" "+n.then)
		}
	}
	if s.calendar {
		notes = append(notes, "times look like dates, but are read as numbers: from 20240131 to 20240201 is "+
			"70, not one (write 2024-01-31)")
	}
	return notes
}
