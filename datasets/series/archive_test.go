package series

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
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
		files, err := published.Open(t.Context(), name)
		require.NoError(t, err)
		s, err := ReadTS(files[0], files[1])
		require.NoError(t, err)
		require.Equal(t, files[0].SHA256, s.SHA256)
		require.Equal(t, []string{files[1].SHA256}, s.Tests)
		longest := 0
		for _, g := range s.Split.Train {
			longest = max(longest, s.Count(0, int(g)))
		}
		require.Equal(t, want, struct{ train, test, dim, length, classes int }{
			len(s.Split.Train), len(s.Split.Test), s.Dim, longest, len(s.Classes)}, name)
		require.Zero(t, s.Filled, name)
	}
}
