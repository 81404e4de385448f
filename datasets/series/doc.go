// Package series reads time series and tracks as paths: polylines whose vertices are the observations, in
// order, and whose coordinates are the channels. What it returns is a collection of complexes of degree 1, on
// which forms are integrated along the edges.
//
//	s, err := series.OpenTS("mine_TRAIN.ts", "mine_TEST.ts")
//	s, err := series.OpenTracks(series.Columns{             // CSV, GPX or GeoJSON
//		ID: "vessel", Coordinates: []string{"x", "y"}, Time: "t", Label: "gear"}, "tracks.csv")
//	s, err := series.OpenTracks(series.Columns{Folders: true}, "tours") // a folder of files for every class
//
// A path has no clock: how it is parametrized changes no line integral, and paths may have any lengths. Where
// the data have times, they are kept beside the coordinates, as a cochain on the vertices: seconds, or the
// units of the file, from the first observation of the path.
//
// # Missing values
//
// An observation in which all channels are missing is left out, which leaves a path a path. A channel that is
// missing where others are there is interpolated, linearly in time, or in the number of the observation where
// there are no times; before the first and after the last of its values it keeps that value. [Set.Filled]
// counts such values.
//
// # Bad input
//
// Whatever is wrong with a file is an error that names the file and the line. Files are in UTF-8 or UTF-16,
// plain or packed by gzip, and read as streams: they take memory for what is kept of them, eight bytes for a
// number. A line of a .ts file may have 64 MiB, a row of a table 16 MiB, and a file, or all files of a folder
// together, 2²⁸ values. Numbers are decimal, and [Set.Filled] counts what stands for none: nothing, ?, NA,
// N/A, #N/A, <NA>, NaN, null and None, in upper or lower case.
//
// # Precision
//
// Coordinates stay in 64 bits from the file to [Preparation.Apply], which takes mean and deviation off: paths
// that are shifted, as from a local origin to UTM, are prepared alike. Degrees are coordinates of a plane.
package series
