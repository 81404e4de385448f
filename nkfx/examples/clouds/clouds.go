package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// Clouds are labeled point clouds, a [datasets.Source].
type Clouds struct {
	datasets.Info
	names  []string
	points [][]float64 // of each cloud, row by row
	class  []int
	dim    int
}

// Open reads a table with the columns cloud and class and one for each coordinate, a row for each point.
func Open(file string) (*Clouds, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	c := &Clouds{}
	c.Name, c.SHA256, c.Label = filepath.Base(file), hex.EncodeToString(sum[:]), "class"
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(rows) < 2 || len(rows[0]) < 3 || rows[0][0] != "cloud" || rows[0][1] != "class" {
		return nil, fmt.Errorf("%s: want a table with the columns cloud, class and coordinates", file)
	}
	c.dim = len(rows[0]) - 2
	for i, row := range rows[1:] {
		if err := c.add(row); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, i+2, err)
		}
	}
	return c, nil
}

// add adds a point to its cloud.
func (c *Clouds) add(row []string) error {
	g := slices.Index(c.names, row[0])
	class := slices.Index(c.Classes, row[1])
	if class < 0 {
		class, c.Classes = len(c.Classes), append(c.Classes, row[1])
	}
	if g < 0 {
		g = len(c.names)
		c.names, c.points, c.class = append(c.names, row[0]), append(c.points, nil), append(c.class, class)
	}
	if c.class[g] != class {
		return fmt.Errorf("cloud %q has the classes %s and %s", row[0], c.Classes[c.class[g]], row[1])
	}
	for _, text := range row[2:] {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return fmt.Errorf("%q is no coordinate", text)
		}
		c.points[g] = append(c.points[g], x)
	}
	return nil
}

// Kind returns "clouds".
func (c *Clouds) Kind() string { return "clouds" }

// Len returns the number of clouds.
func (c *Clouds) Len() int { return len(c.names) }

// Row returns the name of a cloud.
func (c *Clouds) Row(g int) []datasets.Field {
	return []datasets.Field{{Name: "cloud", Column: "cloud", Value: c.names[g]}}
}

// Encoder returns an encoder with the scale of the clouds train.
func (c *Clouds) Encoder(features string, train []int32) (datasets.Encoder, error) {
	if features != "" {
		return nil, fmt.Errorf("clouds have no choice of features: leave out %q", features)
	}
	var nearest []float64
	for g := range c.names {
		if train == nil || slices.Contains(train, int32(g)) {
			nearest = append(nearest, c.nearest(g)...)
		}
	}
	slices.Sort(nearest)
	rips := &Rips{Dim: c.dim}
	if len(nearest) > 0 {
		rips.Scale = nearest[len(nearest)/2]
	}
	return rips, rips.Check()
}

// nearest returns the distance of each point of a cloud to its nearest neighbor.
func (c *Clouds) nearest(g int) (distances []float64) {
	points := slices.Collect(slices.Chunk(c.points[g], c.dim))
	for i, p := range points {
		least := math.Inf(1)
		for j, q := range points {
			if i != j {
				least = min(least, floats.Distance(p, q, 2))
			}
		}
		distances = append(distances, least)
	}
	return distances
}

// Rips makes Vietoris–Rips complexes of triangles, a [datasets.Encoder].
type Rips struct {
	Dim   int     `json:"dim"`
	Scale float64 `json:"scale"` // the median distance of neighbors, which becomes 1
}

// reach is the length of the longest edges, in medians of the distance of neighbors.
const reach = 3

// NewRips returns an empty encoder, to read a saved one into.
func NewRips() datasets.Encoder { return new(Rips) }

// Check returns an error if there is no scale.
func (r *Rips) Check() error {
	if r.Dim < 1 || !(r.Scale > 0) || math.IsInf(r.Scale, 0) {
		return errors.New("clouds need two points at a distance, to have a scale")
	}
	return nil
}

// Encode returns the complexes of the clouds.
func (r *Rips) Encode(s datasets.Source) (*datasets.Collection, error) {
	c, ok := s.(*Clouds)
	if !ok || c.dim != r.Dim {
		return nil, fmt.Errorf("want clouds in %d dimensions", r.Dim)
	}
	b := datasets.NewBuilder(r.Dim)
	b.Info = c.Info
	for g, points := range c.points {
		scaled := slices.Clone(points)
		for i := range scaled {
			scaled[i] /= r.Scale
		}
		discs, err := simplicial.Rips(r.Dim, scaled, reach, min(2, r.Dim))
		if err != nil {
			return nil, fmt.Errorf("cloud %q: %w", c.names[g], err)
		}
		b.AddComplex(discs, float64(c.class[g]))
	}
	return b.Collection()
}
