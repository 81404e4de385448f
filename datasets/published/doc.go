// Package published contains the data sets of the documented experiments and finds those it cannot contain.
//
//	files, err := published.Open(ctx, "BZR")
//	graphs, err := tu.Read(files[0])
//
// [Sets] lists them with their origins, terms and references, as README.md beside this file does. Each file
// is byte for byte the published one, packed by bzip2 unless it is an archive already, and is compared with
// its SHA-256 whenever it is opened. A file in the folder $NKF_DATA takes precedence over the embedded one.
// PSB12 is found only in that folder: nkf may not redistribute it.
//
// Only programs that import this package contain the data, about 10 MB. The packages that read them, such as
// tu and series, do not import it.
package published
