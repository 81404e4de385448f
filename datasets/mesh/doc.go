// Package mesh reads, writes and inspects triangle meshes, and makes data sets of them.
//
//	m, err := mesh.Read("bunny.ply.gz")   // OFF, OBJ, STL or PLY
//	m.Orient()                            // every orientable patch
//	report := m.Inspect()                 // components, boundary, Betti numbers, area, volume, …
//	err = m.Write("bunny.off")
//
// A [Set] holds the meshes of a folder of classes, an archive or a table. An [Encoder] makes a collection
// of it, with vertices, edges and triangles as simplices, or with [Mesh.Heat]: functions that change neither
// with motions nor, up to small errors, with how a surface is cut into triangles, and the eigenfunctions of
// its Laplacian. A model that reads only them does not depend on either.
//
//	s, err := mesh.Open("meshes/", mesh.Whole) // one folder per class
//	c, err := mesh.Encoder{Heat: 64, Nodes: 512}.Encode(s)
//
// So a mesh becomes a batch: [Encoder.Encode] (encoder.go) adds it to a collection as a complex,
// packing.Packer packs complexes into a row, and layers.Unpack makes a row a batch.
//
// [Mesh.Subdivide] and [Mesh.Decimate] cut a surface in other ways.
//
// The errors are small where functions change little within a triangle. A surface of few long triangles has
// to be subdivided first: of a closed cylinder of radius 1 and height 2 with 400 triangles, which all go from
// end to end or to the center of an end, the first eigenvalue above 0 comes out as 0.65, and after
// Subdivide(nil), three times, as 1.06.
//
// # Formats
//
// The package reads OFF (Geomview), OBJ (Wavefront), STL as text and binary, and PLY (Stanford) as text and
// binary in either byte order, each also packed by gzip. It cuts polygons into triangles: into a fan from the
// first corner if that covers the polygon, else into ears. A polygon that crosses itself is an error.
// Polygons that are not planar are counted ([Report]), because their area depends on the cut. Corners
// of STL with the same coordinates become one vertex. Colors, normals, textures, materials, lines and points
// are skipped. Lines may end with LF, CRLF or CR.
//
// # Bad input
//
// Every error in a file is reported with the file and the line, or the byte of a binary file. Files are read
// once, from start to end; a mesh takes memory for the vertices and triangles in the file, not for the counts
// in its header. A packed file may unpack to at most a hundred times its size, and to vertices and triangles
// of at most sixteen times its size. Coordinates must lie within ±1e30, so that areas, volumes and centroids
// are finite.
//
// # Speed
//
// Files of a torus of 10⁷ triangles are read at 110 to 150 MB a second, in 1.7 s (binary PLY) to 5 s (text),
// with 235 to 580 MiB of memory, of which the mesh is 229. On the same files and machine, meshio 5.3
// takes 5.6 s for binary PLY and 13 s for OFF; trimesh 5.2 takes 0.4 s for binary PLY, which it maps into
// memory, and 74 s and 7.4 GB for OFF. BenchmarkDecode reads 10⁶ triangles in all formats.
//
// [Mesh.Heat] with 64 eigenfunctions of a torus of 10⁵ triangles takes about 6 s of CPU time and 0.4 GB, and
// more than in proportion for larger ones. So an [Encoder] of whole surfaces decimates these first: nkf
// predict takes 32 s of CPU time and 1.1 GB for a torus of 10⁶ triangles.
package mesh
