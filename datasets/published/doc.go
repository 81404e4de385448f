// Package published holds the data sets of the documented experiments, and knows where the others are.
//
//	files, err := published.Open(ctx, "BZR")
//	graphs, err := tu.Read(files[0])
//
// [Sets] lists them with their origins, terms and references, as README.md beside this file does. Each file
// is byte for byte the published one, packed by bzip2 unless it is an archive already, and is compared with
// its SHA-256 whenever it is opened. A file in the folder that $NKF_DATA names goes before the embedded one.
// PSB12 is found in that folder alone: nkf may not pass it on.
//
// Only programs that import this package hold the data, about 10 MB. The packages that read them, such as tu
// and series, do not import it.
package published
