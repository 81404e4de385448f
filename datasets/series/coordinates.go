package series

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

const (
	deepest     = 4  // lists within each other, of a MultiPolygon
	maxPosition = 16 // numbers
)

// errCoordinates is what is wrong with coordinates that are nested in another way than those of a geometry.
var errCoordinates = errors.New("the coordinates are no list of positions")

// coordinates reads the coordinates of a geometry, whatever it is: which it is may stand after them.
func (g *geoJSON) coordinates(o *geoObject) error {
	o.channels = make([][]float64, len(g.at))
	var position []float64
	for depth := 0; ; {
		token, err := g.token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case json.Delim:
			if position, err = g.bracket(o, t, depth, position); err != nil {
				return err
			}
			if depth++; t == ']' {
				depth -= 2
			}
		default:
			x, err := scalar(token, depth)
			if err != nil {
				return err
			}
			position = append(position, x)
		}
		if depth == 0 {
			return nil
		}
		if len(position) == 1 && o.depth == 0 {
			o.depth = depth
		}
		if len(position) > 0 && o.depth != depth || len(position) > maxPosition {
			return errCoordinates
		}
	}
}

// scalar returns the number that a token is, NaN for null. A number stands in a list.
func scalar(token json.Token, depth int) (float64, error) {
	switch t := token.(type) {
	case json.Number:
		if depth == 0 {
			return 0, errCoordinates
		}
		return number(string(t))
	case nil:
		return math.NaN(), nil
	}
	return 0, fmt.Errorf("%.40q among the coordinates is no number", fmt.Sprint(token))
}

// bracket begins a list at some depth, or ends one, which is a position if it has numbers.
func (g *geoJSON) bracket(o *geoObject, bracket json.Delim, depth int, position []float64) (
	[]float64, error) {
	switch {
	case bracket == '[' && len(position) == 0 && depth < deepest:
		return position, nil
	case bracket != ']':
		return nil, errCoordinates
	case len(position) == 0:
		return position, nil
	}
	if err := g.position(o, position); err != nil {
		return nil, placed{fmt.Errorf("%s, line %d: position %d: %w", g.name,
			g.lines.at(g.json.InputOffset()), len(o.channels[0]), err)}
	}
	return position[:0], nil
}

// position appends a position to the channels.
func (g *geoJSON) position(o *geoObject, position []float64) error {
	if len(position) < 2 {
		return fmt.Errorf("%d of two numbers or more", len(position))
	}
	if err := onEarth(position[0], position[1]); err != nil {
		return err
	}
	for c, at := range g.at {
		x := math.NaN()
		if at < len(position) {
			x = position[at]
		}
		o.channels[c] = append(o.channels[c], x)
	}
	return g.count(len(g.at))
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
