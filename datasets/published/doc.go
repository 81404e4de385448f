// Package published contains the data sets of the documented experiments.
//
//	files, err := published.Open(ctx, "BZR")
//	graphs, err := tu.Read(files[0])
//
// [Sets] lists them with their origins, terms and references, as README.md beside this file does. Files
// are the published ones, byte for byte, except those of Drifters (converted to CSV). They are packed by
// bzip2 unless they are archives, and compared with their SHA-256 whenever they are opened. A file in the
// folder $NKF_DATA takes precedence over the embedded one.
//
// Only programs that import this package contain the data, about 10 MB. The packages that read them, such as
// tu and series, do not import it.
package published
