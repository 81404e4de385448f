package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// TestOthersAreShown: further test parts are columns.
func TestOthersAreShown(t *testing.T) {
	var out strings.Builder
	require.NoError(t, (&app{stdout: &out}).printResults([]*experiments.Result{
		{Dataset: "A", Model: "path", Metric: "accuracy", Mean: 90,
			Others: []experiments.Other{{Name: "every fourth", Mean: 80}, {Name: "ten for one", Mean: 70}}},
	}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Contains(t, lines[0], "every fourth  ten for one")
	require.Regexp(t, `^A\s+path\s+0\s+90.00 ± 0.00\s+0.00 ± 0.00\s+–\s+80.00 ± 0.00\s+70.00 ± 0.00`,
		lines[len(lines)-1])
}
