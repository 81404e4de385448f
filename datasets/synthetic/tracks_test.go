package synthetic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTracks: times ascend from 0; buses are slower; along Currents the integral of the 1-form of the flow
// tells the direction, and lengths do not.
func TestTracks(t *testing.T) {
	for name, classes := range TrackSets {
		c, err := Tracks(name, 50, 1, Train)
		require.NoError(t, err)
		require.Equal(t, classes, c.Classes)
		var speeds, flows [2]float64
		for g := range c.Len() {
			points, times := c.Points(g), c.Simplices[0].Cochain[c.VertexStart[g]:c.VertexStart[g+1]]
			require.Zero(t, times[0])
			require.Greater(t, len(times), 15)
			length, flow := 0.0, 0.0
			for i := 1; i < len(times); i++ {
				require.Greater(t, times[i], times[i-1])
				dx, dy := points[2*i]-points[2*i-2], points[2*i+1]-points[2*i-1]
				x, y := points[2*i]-dx/2, points[2*i+1]-dy/2
				length += math.Hypot(dx, dy)
				wave := math.Sin(2*x - y)
				flow += (math.Sin(x)*math.Cos(y)+0.5*wave)*dx + (-math.Cos(x)*math.Sin(y)+wave)*dy
			}
			speeds[c.Labels[g]] += length / times[len(times)-1] / 50
			flows[c.Labels[g]] += flow / 50
		}
		if name == "Vehicles" {
			require.Less(t, speeds[1], speeds[0]-1)
			require.Greater(t, speeds[1], 2.0) // meters per second
		} else {
			require.InEpsilon(t, speeds[0], speeds[1], 0.1) // means of 50, of deviations of a tenth
			require.Greater(t, flows[0], 1.0)
			require.Less(t, flows[1], -1.0)
		}
	}
	for name, perClass := range map[string]int{"Vehicles": 0, "Trains": 1} {
		_, err := Tracks(name, perClass, 1, Train)
		require.Error(t, err)
	}
}
