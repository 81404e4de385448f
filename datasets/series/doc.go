// Package series reads time series and other paths as polylines: their vertices are the observations, in
// order, and their coordinates are the channels. It returns a collection of complexes of degree 1, on whose
// edges forms are integrated.
//
//	s, err := series.OpenTS("mine_TRAIN.ts", "mine_TEST.ts")
//	s, err := series.OpenTable(series.Columns{
//		ID: "boat", Coordinates: []string{"x", "y"}, Order: "t", Label: "gear"}, "tracks.csv")
//
// Line integrals do not depend on the parametrization of a path, and paths may have any lengths. For networks
// on paths of equally many points, encoders resample and standardize them.
//
// # Missing values
//
// An observation in which all channels are missing is dropped. If only some channels are missing, they are
// interpolated linearly in the number of the observation. A channel is constant before its first and after
// its last value. The notes of a [Set] count the interpolated values.
//
// # Bad input
//
// Every error in a file is reported with the file and the line. Files are in UTF-8 or UTF-16, plain or packed
// by gzip, and read as streams: memory is used for the values that are kept, eight bytes for each, and for
// one line; [EachTS] and [EachTable] keep those of some thousand paths at once, to predict
// them. A line of a .ts file may have 64 MiB, a row of a table 16 MiB, and all files together 2²⁸ values.
// Numbers are decimal. Values that are missing are an empty field, ?, NA, N/A, #N/A, <NA>, NaN, null and
// None, in upper or lower case. So are missing labels, but classes that a .ts file declares may have these
// names.
//
// # Precision
//
// Coordinates stay in 64 bits from the file to the encoder, which standardizes them: a shift of all paths
// does not change the result.
package series
