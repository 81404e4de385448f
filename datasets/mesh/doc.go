// Package mesh reads and writes triangle meshes, says what they are, and makes data sets of them.
//
//	m, err := mesh.Read("bunny.ply.gz")   // OFF, OBJ, STL or PLY
//	m.Orient()                            // where there is an orientation
//	report := m.Inspect()                 // components, boundary, Betti numbers, area, volume, …
//	err = m.Write("bunny.off")
//
// A [Set] is what is read from a folder of classes, an archive or a table of meshes; its collection has
// vertices, edges and triangles as simplices and, on the vertices, [Mesh.Invariants]: numbers that do not
// change when a mesh is moved, so that no model that reads them alone does.
//
//	s, err := mesh.Open("meshes/")        // a folder for every class
//	c, err := s.Collection(mesh.Options{Vertices: 300, Invariants: true})
//
// # Formats
//
// OFF (of Geomview), OBJ (of Wavefront), STL as text and binary, PLY (of Stanford) as text and binary in
// either byte order are read, each also packed by gzip. Polygons are cut into triangles: at the first corner
// where these triangles cover the polygon, into ears elsewhere. A polygon that crosses itself is an error;
// polygons that are not planar are counted ([Mesh.Nonplanar]), for their area depends on the cut. Corners of
// STL with the same coordinates become one vertex. Colors, normals, textures, materials, lines and points are
// skipped. Lines may end with LF, CRLF or CR.
//
// # Bad input
//
// Whatever is wrong with a file is an error that names it and the line, or the byte of a binary file. Files
// are read once, front to back; a mesh takes memory for the vertices and triangles that the file holds, not
// for those that it announces. A packed file may unpack to a hundred times its size, and to vertices and
// triangles of sixteen times its size. Coordinates lie within ±1e30, so that areas, volumes and centroids are
// finite.
//
// # Speed
//
// Files of a torus of 10⁷ triangles are read at 110 to 150 MB a second, in 1.7 s (binary PLY) to 5 s (text),
// with 235 to 580 MiB of memory, of which the mesh is 229. Beside it, on the same files and machine:
// meshio 5.3 takes 5.6 s for binary PLY and 13 s for OFF; trimesh 5.2 takes 0.4 s for binary PLY, which it
// maps, and 74 s and 7.4 GB for OFF. BenchmarkDecode has 10⁶ triangles in all formats.
package mesh
