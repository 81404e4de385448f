package tu

import (
	"fmt"
	"strings"
)

// Features are the sources of the coordinates of nodes, joined with |.
type Features uint8

// The kinds of features; their columns come in this order.
const (
	Attributes Features = 1 << iota // node attributes as they are
	Labels                          // one-hot node labels: see [Range] for the columns
	Degree                          // one-hot node degree from 0: see [Range]

	// Automatic is the attributes and labels that exist, or the degree if there are neither.
	Automatic Features = 0
)

var featureNames = [...]string{"attributes", "labels", "degree"}

// ParseFeatures returns the features that a text like "attributes+labels", "degree" or "automatic" names.
func ParseFeatures(s string) (Features, error) {
	if s == "automatic" || s == "" {
		return Automatic, nil
	}
	var features Features
next:
	for name := range strings.SplitSeq(s, "+") {
		for i, known := range featureNames {
			if strings.TrimSpace(name) == known {
				features |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("no features %q: take automatic, or attributes, labels and degree joined by +",
			s)
	}
	return features, nil
}

// String returns the text that ParseFeatures takes.
func (f Features) String() string {
	if f == Automatic {
		return "automatic"
	}
	var names []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

// MarshalText returns the text that ParseFeatures takes.
func (f Features) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText sets f to what ParseFeatures returns.
func (f *Features) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFeatures(string(text))
	return err
}

// have returns the features for which the archive has files.
func (a *Archive) have() (have Features) {
	if a.NodeAttributes.Columns > 0 {
		have |= Attributes
	}
	if a.NodeLabels.Columns > 0 {
		have |= Labels
	}
	return have
}

// resolve returns the features with Automatic replaced by what the archive has, or an error if it lacks some.
func (a *Archive) resolve(features Features) (Features, error) {
	have := a.have()
	if features == Automatic {
		if have == 0 {
			return Degree, nil
		}
		return have, nil
	}
	if features&^(Attributes|Labels|Degree) != 0 {
		return 0, fmt.Errorf("%s: features %d are unknown: join Attributes, Labels and Degree by |",
			a.Name, features)
	}
	if lacking := features &^ (have | Degree); lacking != 0 {
		return 0, fmt.Errorf("%s has no node %v: take the features %v", a.Name, lacking, have|Degree)
	}
	return features, nil
}
