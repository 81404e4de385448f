package path

import (
	"fmt"
	"slices"
	"strings"
)

var kindNames = []string{"integrals", "constant", "differences"}

// MarshalText returns the name of the kind: integrals, constant or differences.
func (k Kind) MarshalText() ([]byte, error) {
	if k < Integrals || k > Differences {
		return nil, fmt.Errorf("no kind %d of networks on paths", int(k))
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText sets the kind to the one of that name.
func (k *Kind) UnmarshalText(text []byte) error {
	at := slices.Index(kindNames, string(text))
	if at < 0 {
		return fmt.Errorf("no kind %q of networks on paths: there are %s", text,
			strings.Join(kindNames, ", "))
	}
	*k = Kind(at)
	return nil
}
