package series

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

// Columns says where a file of tracks has what: in columns of a table, elements of GPX, or properties of
// GeoJSON.
type Columns struct {
	// ID is what tracks are called. The rows of a table that have the same belong to one track, wherever they
	// stand. Of GPX it is the name unless it is set, of GeoJSON the id of the feature.
	ID string
	// Coordinates are those of the path, in this order. Of GPX and GeoJSON they are lon and lat unless set;
	// GPX has ele and the elements of extensions, too, GeoJSON ele and m.
	Coordinates []string
	// Longitude and Latitude are those of the coordinates of a table that are in degrees; "" for none. Other
	// formats, and coordinates called lon and lat, need not be named.
	Longitude string
	Latitude  string
	// Time is a number or a date with a time of day as RFC 3339 has it. Of GPX it is time unless it is set,
	// of GeoJSON a property with a list, coordTimes or times.
	Time string
	// Label is what is to be learned; "" for nothing.
	Label string
	// Folders says that the class of a track is the name of the folder that its file lies in, the first one
	// under the folder that is read. Then there is no Label.
	Folders   bool
	Task      datasets.Task
	Separator rune // of a table; 0 is the one of comma, semicolon and tab that the first line has
}

// sort puts the observations in the order of their times, which stays where it is theirs.
func (p *path) sort() {
	if p.times == nil || slices.IsSorted(p.times) {
		return
	}
	order := make([]int, len(p.times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(p.times[a], p.times[b])
	})
	sorted := func(values []float64) []float64 {
		out := make([]float64, len(values))
		for i, from := range order {
			out[i] = values[from]
		}
		return out
	}
	for c := range p.channels {
		p.channels[c] = sorted(p.channels[c])
	}
	p.times = sorted(p.times)
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

// when returns a time of the file. Its times are all numbers, or all dates: no order is among both.
func (f *file) when(spelled string) (float64, error) {
	at, date, err := clock(spelled)
	if err != nil {
		return 0, err
	}
	if f.times > 0 && date != f.dates {
		kinds := map[bool]string{false: "number", true: "date"}
		return 0, fmt.Errorf("%.40q is a %s, but the times before are %ss: write all in one way", spelled,
			kinds[date], kinds[!date])
	}
	f.times, f.dates = f.times+1, date
	return at, nil
}

// count counts values of the file, which are bounded.
func (f *file) count(values int) error {
	if f.values += values; f.values > maxValues {
		return fmt.Errorf("more than %d values", maxValues)
	}
	return nil
}

// unwrap lets longitudes in degrees run on across the date line: of two points in a row the second is moved
// by turns of 360 degrees to be within 180 of the first. Coordinates that are not all those of points on the
// Earth stay as they are.
func (f *file) unwrap(columns []string) {
	lon, lat := slices.Index(columns, "lon"), slices.Index(columns, "lat")
	if lon < 0 {
		return
	}
	most := 180.0
	if f.units[lon] == "degrees" { // GPX and GeoJSON, which may count on, or from 0 to 360
		most = 360
	}
	within := func(c int, most float64) bool {
		beyond := func(x float64) bool { return math.Abs(x) > most }
		return c < 0 || !slices.ContainsFunc(f.paths,
			func(p path) bool { return slices.ContainsFunc(p.channels[c], beyond) })
	}
	if !within(lon, most) || !within(lat, 90) {
		return
	}
	for _, p := range f.paths {
		before, crosses := math.NaN(), false
		for i, x := range p.channels[lon] {
			if math.IsNaN(x) {
				continue
			}
			if !math.IsNaN(before) {
				turns := math.Round((x - before) / 360)
				x -= 360 * turns
				crosses = crosses || turns != 0
			}
			p.channels[lon][i], before = x, x
		}
		if crosses {
			f.crossing++
		}
	}
}

// observe appends an observation to the path; without a time it has none.
func (f *file) observe(p *path, values []float64, at *float64) error {
	if p.channels == nil {
		p.channels = make([][]float64, len(values))
	}
	if at == nil {
		p.timeless = true
	} else {
		p.times = append(p.times, *at)
	}
	for c, x := range values {
		p.channels[c] = append(p.channels[c], x)
	}
	return f.count(len(values) + 1)
}

// finish ends a file of tracks: observations go in the order of their times, which are kept where all of them
// have one.
func (f *file) finish(columns, units []string, clock string) {
	for i := range f.paths {
		p := &f.paths[i]
		if p.timeless {
			p.times = nil
		}
		p.sort()
	}
	f.coordinates, f.units, f.clock, f.tracks = columns, units, clock, true
	f.unwrap(columns)
}
