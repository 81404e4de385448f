// Package series reads time series as paths: polylines whose vertices are the observations, in order, and
// whose coordinates are the channels. What it returns is a collection of complexes of degree 1, on which
// forms are integrated along the edges.
//
// A path has no clock: how it is parametrized changes no line integral. Where the data have times, they are
// kept beside the coordinates, as a cochain on the vertices.
//
// # Missing values
//
// An observation in which all channels are missing is left out, which leaves a path a path. A channel that is
// missing where others are there is interpolated, linearly in time, or in the number of the observation where
// there are no times; before the first and after the last of its values it keeps that value. [Set.Filled]
// counts such values.
package series
