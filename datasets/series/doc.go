// Package series reads time series and tracks as paths: polylines whose vertices are the observations, in
// order, and whose coordinates are the channels. It returns a collection of complexes of degree 1, on whose
// edges forms are integrated.
//
//	s, err := series.OpenTS("mine_TRAIN.ts", "mine_TEST.ts")
//	s, err := series.OpenTracks(series.Columns{             // CSV, GPX or GeoJSON
//		ID: "vessel", Coordinates: []string{"x", "y"}, Time: "t", Label: "gear"}, "tracks.csv")
//	s, err := series.OpenTracks(series.Columns{Folders: true}, "tours") // one folder of files per class
//
// Line integrals do not depend on the parametrization of a path, and paths may have any lengths. If the data
// have times, they are kept beside the coordinates as a cochain on the vertices: in seconds, or in the units
// of the file, from the first observation of the path.
//
// # Missing values
//
// An observation in which all channels are missing is dropped. If only some channels are missing, they are
// interpolated linearly in time, or in the observation number if there are no times. A channel is constant
// before its first and after its last value. [Set.Notes] counts the interpolated values.
//
// # Bad input
//
// Every error in a file is reported with the file and the line. Files are in UTF-8 or UTF-16, plain or packed
// by gzip, and read as streams: memory is used for the values that are kept, eight bytes for each, and for
// one line or feature. A line of a .ts file may have 64 MiB, a row of a table 16 MiB, a feature of GeoJSON
// 256 MiB, and all files together 2²⁸ values. Numbers are decimal, and [Set.Notes] counts missing values: an
// empty field, ?, NA, N/A, #N/A, <NA>, NaN, null and None, in upper or lower case. So are missing labels, but
// classes that a .ts file declares may have these names.
//
// # Forecasts
//
// [Set.Forecast] cuts tracks into pieces whose displacement after their last observation is to be learned. A
// model that was trained on them forecasts whole tracks:
//
//	pieces, err := s.Forecast(3600, 0) // an hour ahead, where times are dates
//
// # Precision
//
// Coordinates stay in 64 bits from the file to the encoder, which standardizes them: a shift of all paths, as
// from a local origin to UTM, does not change the result.
//
// # Time and place
//
// Longitudes and latitudes in degrees become points of the sphere in R³, in meters, when an
// encoder encodes them; a [Set] holds them as in the file. Integrals use the times of the observations: more
// observations on the same segments of a track change nothing. The time of day and the season are coordinates
// where [Columns.Clock] asks for them; distances, speeds, turns and areas do not depend on them.
package series
