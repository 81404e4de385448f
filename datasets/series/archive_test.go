package series

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// The counts are those of the archive's description of each data set.
func TestArchive(t *testing.T) {
	for name, want := range map[string]struct{ train, test, dim, length, classes int }{
		"ArticularyWordRecognition": {275, 300, 9, 144, 25},
		"BasicMotions":              {40, 40, 6, 100, 4},
		"ERing":                     {30, 270, 4, 65, 6},
		"Epilepsy":                  {137, 138, 3, 206, 4},
		"Handwriting":               {150, 850, 3, 152, 26},
		"Libras":                    {180, 180, 2, 45, 15},
		"NATOPS":                    {180, 180, 24, 51, 6},
		"PenDigits":                 {7494, 3498, 2, 8, 10},
		"RacketSports":              {151, 152, 6, 30, 4},
		"UWaveGestureLibrary":       {120, 320, 3, 315, 8},
	} {
		s, err := Load(context.Background(), name)
		if err != nil {
			t.Skipf("the archive is not here: %v", err)
		}
		require.Equal(t, want, struct{ train, test, dim, length, classes int }{
			len(s.Split.Train), len(s.Split.Test), s.Dim, s.MaxLength(s.Split.Train), len(s.Classes)}, name)
		require.Zero(t, s.Filled, name)
	}
	_, err := Load(context.Background(), "Nothing")
	require.ErrorContains(t, err, "NATOPS")
}
