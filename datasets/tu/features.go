package tu

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Features are the sources of the coordinates of nodes, joined with |.
type Features uint8

// The kinds of features; their columns come in this order.
const (
	Attributes Features = 1 << iota // node attributes as they are
	Labels                          // one-hot node labels: see [Archive.Encoder]
	Degree                          // one-hot node degree from 0: see [Archive.Encoder]

	// Automatic is the attributes and labels that exist, or the degree if there are neither.
	Automatic Features = 0

	every = Attributes | Labels | Degree
)

var featureNames = []string{"attributes", "labels", "degree"}

// parseFeatures returns the features that a text like "attributes+labels", "degree" or "automatic" names.
func parseFeatures(s string) (features Features, err error) {
	if s == "automatic" || s == "" {
		return Automatic, nil
	}
	for name := range strings.SplitSeq(s, "+") {
		i := slices.Index(featureNames, strings.TrimSpace(name))
		if i < 0 {
			return 0, fmt.Errorf("no features %q: take automatic, or attributes, labels and degree joined "+
				"by +", s)
		}
		features |= 1 << i
	}
	return features, nil
}

// String returns a text like "attributes+labels", "degree" or "automatic".
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

// MarshalText returns the text of String.
func (f Features) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText sets f to the features that such a text names.
func (f *Features) UnmarshalText(text []byte) (err error) {
	*f, err = parseFeatures(string(text))
	return err
}

// have returns the features for which the archive has files.
func (a *Archive) have() (have Features) {
	if a.nodeAttributes.columns > 0 {
		have |= Attributes
	}
	if a.nodeLabels.columns > 0 {
		have |= Labels
	}
	return have
}

// usual returns the features that Automatic stands for.
func (a *Archive) usual() Features {
	if have := a.have(); have != 0 {
		return have
	}
	return Degree
}

// Available returns those of the features in a text like "attributes+labels" that the archive has, or, if it
// has none of them, the features of [Automatic].
func (a *Archive) Available(features string) (string, error) {
	asked, err := parseFeatures(features)
	if err != nil || asked == Automatic {
		return asked.String(), err
	}
	return cmp.Or(asked&(a.have()|Degree), a.usual()).String(), nil
}
