package series

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Columns names the columns of a table of tracks, or the elements of GPX or properties of GeoJSON that
// replace them.
type Columns struct {
	// ID is what tracks are called. The rows of a table that have the same belong to one track, wherever they
	// stand. Of GPX it is the name unless it is set, of GeoJSON the id of the feature. Where it is set, no
	// split has tracks of the same, in several features or files, in both training and test.
	ID string
	// Coordinates are those of the path, in this order. Of GPX and GeoJSON they are lon and lat unless set;
	// GPX has ele and the elements of extensions, too, GeoJSON ele and m.
	Coordinates []string
	// Longitude and Latitude are those of the coordinates of a table that are in degrees, in this order; ""
	// for none. Other formats, and coordinates called lon and lat, need not be named.
	Longitude string
	Latitude  string
	// Time is a number or a date with a time of day as RFC 3339 has it. Of GPX it is time unless it is set,
	// of GeoJSON a property with a list, coordTimes or times. If it is set, an observation without a time is
	// an error; if it is not, one is enough for no times to be kept, see [Set.Notes].
	Time string
	// Clock lists periods by which models know the absolute time: "day" and "year" of dates, or numbers in
	// the unit of the times, seconds for dates. The angle 2πt/P at each observation, where t counts from the
	// beginning of 1970 in UTC or from the number 0, becomes two more coordinates for each period P, its
	// cosine and its sine. A date with a time zone is converted to UTC, and one without is taken to be in
	// UTC, so hours of the day are those of UTC. Between observations, these coordinates are interpolated
	// like others, so intervals must be short against the periods.
	Clock []string `json:",omitempty"`
	// Label is what is to be learned; "" for nothing.
	Label string
	// Folders says that the class of a track is the name of the folder that its file lies in, the first one
	// under the folder that is read. Then there is no Label.
	Folders   bool
	Task      datasets.Task
	Separator rune // of a table; 0 is the one of comma, semicolon and tab that the first line has
}

// finish ends a file of tracks, those from a number on: observations go in the order of their times, which
// are kept where all of them have one.
func (r *reader) finish(from int, units []string, clock string) {
	if r.set.Coordinates == nil {
		r.set.Header = Header{Coordinates: r.columns.Coordinates, Units: units, Time: clock}
	}
	paths := r.paths[from:]
	for i := range paths {
		p := &paths[i]
		if p.bare = len(p.points)/p.n - len(p.times); p.bare > 0 {
			p.times = nil
		}
		if p.times == nil || slices.IsSorted(p.times) {
			continue
		}
		order := make([]int, len(p.times))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.times[a], p.times[b]) })
		p.track = p.pick(order)
	}
	r.unwrap(paths, units)
}

// unwrap lets longitudes in degrees run on across the date line: of two points in a row the second is moved
// by turns of 360 degrees to be within 180 of the first. Coordinates that are not all those of points on the
// Earth stay as they are.
func (r *reader) unwrap(paths []path, units []string) {
	lon, lat := Header{Coordinates: r.columns.Coordinates, Units: units}.earth()
	if lon < 0 {
		return
	}
	most := 360.0 // longitudes may count on, or from 0
	if lat < 0 && units[lon] == "" {
		most = 180
	}
	for _, p := range paths {
		for i := range len(p.points) / p.n {
			if row := p.row(i); math.Abs(row[lon]) > most || lat >= 0 && math.Abs(row[lat]) > 90 {
				return
			}
		}
	}
	for _, p := range paths {
		before, crosses := math.NaN(), false
		for i := range len(p.points) / p.n {
			x := &p.row(i)[lon]
			if math.IsNaN(*x) {
				continue
			}
			if !math.IsNaN(before) {
				turns := math.Round((*x - before) / 360)
				*x -= 360 * turns
				crosses = crosses || turns != 0
			}
			before = *x
		}
		if crosses {
			r.set.crossing++
		}
	}
}

// groups returns the number of the first path with the same name as each, nil if all differ. Only names that
// were asked for say what belongs together, and not those of files in their place.
func (r *reader) groups() []int32 {
	first, again := map[string]int32{}, false
	groups := make([]int32, len(r.paths))
	for g, p := range r.paths {
		groups[g] = int32(g)
		if r.columns.ID == "" || p.id == "" || p.id == p.file {
			continue
		}
		if before, known := first[p.id]; known {
			groups[g], again = before, true
		} else {
			first[p.id] = int32(g)
		}
	}
	if !again {
		return nil
	}
	return groups
}

// takeTimes reports whether all observations have times, which the header then names. Where only some do, it
// counts the others. It is an error if the times are asked for by name.
func (r *reader) takeTimes() (bool, error) {
	var without *path
	bare, some := 0, false
	for i := range r.paths {
		p := &r.paths[i]
		bare, some = bare+p.bare, some || p.bare*p.n < len(p.points)
		if p.bare > 0 && without == nil {
			without = p
		}
	}
	switch {
	case r.tracks && without == nil:
		r.set.Time, r.set.Dates, r.set.calendar = cmp.Or(r.set.Time, "time"), r.dates, r.calendar
		return true, nil
	case r.tracks && r.columns.Time != "":
		name := cmp.Or(without.id, strconv.Itoa(int(without.number)))
		return false, fmt.Errorf("%s, line %d: %d of %d points of the track %s have no time in %q: add it, "+
			"or leave the track out", without.file, without.line, without.bare, len(without.points)/without.n,
			fileio.Printable(name), r.columns.Time)
	case r.tracks && some:
		r.set.untimed = bare
	}
	r.set.Time = ""
	return false, nil
}

// number returns the number that a text spells, NaN for one that is missing.
func number(spelled string) (float64, error) {
	spelled = strings.TrimSpace(spelled)
	if table.Missing(spelled) {
		return math.NaN(), nil
	}
	x, err := text.Number(spelled)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%.40q is not a finite number; ? stands for one that is missing", spelled)
	case math.Abs(x) > math.MaxFloat32:
		return 0, fmt.Errorf("%.40q is not a finite number that 32 bits can hold", spelled)
	}
	return x, nil
}

// onEarth returns an error for degrees that no place on the Earth has. Longitudes may count on from 180, as
// files have them that cross the date line.
func onEarth(lon, lat float64) error {
	switch {
	case math.Abs(lat) > 90:
		return fmt.Errorf("the latitude %v is beyond 90 degrees", lat)
	case math.Abs(lon) > 360:
		return fmt.Errorf("the longitude %v is beyond 360 degrees", lon)
	}
	return nil
}

// layouts are those of dates that are no numbers.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
}

// maxTime bounds times: their differences are kept in 32 bits.
const maxTime = 1e37

// clock returns a time: a number, or the seconds to a date, and whether it is that.
func clock(spelled string) (at float64, date bool, err error) {
	spelled = strings.TrimSpace(spelled)
	if x, err := text.Number(spelled); err == nil && math.Abs(x) <= maxTime {
		return x, false, nil
	}
	for _, layout := range layouts {
		if at, err := time.Parse(layout, spelled); err == nil {
			return float64(at.Unix()) + float64(at.Nanosecond())/1e9, true, nil
		}
	}
	if spelled == "" {
		return 0, false, errors.New("no time")
	}
	return 0, false, fmt.Errorf("%.40q is neither a number nor a date like 2006-01-02T15:04:05Z", spelled)
}

// when returns a time of a file. Times are all numbers, or all dates: no order is among both.
func (r *reader) when(spelled string) (float64, error) {
	at, date, err := clock(spelled)
	if err != nil {
		return 0, err
	}
	if r.times > 0 && date != r.dates {
		kinds := map[bool]string{false: "number", true: "date"}
		return 0, fmt.Errorf("%.40q is a %s, but the times before are %ss: write all in one way", spelled,
			kinds[date], kinds[!date])
	}
	r.calendar = (r.times == 0 || r.calendar) && calendar(at, strings.TrimSpace(spelled))
	r.times, r.dates = r.times+1, date
	return at, nil
}

// calendar reports whether a number looks like a date of 1900 to 2099 without hyphens.
func calendar(at float64, spelled string) bool {
	if at < 1900_01_01 || at > 2099_12_31 {
		return false
	}
	_, err := time.Parse("20060102", spelled)
	return err == nil
}
