// Package synthetic generates the synthetic data of the paper (Maggs, Hacker
// and Rieck, ICLR 2024, section 5 and appendix D), embedded complexes whose
// class depends on their geometry, and Strands, a task of long range.
//
//	generator    complexes                       classes
//	[Paths]      edge paths in R²                rising, falling, circle
//	[Surfaces]   triangulated squares in R³      sin x, sin y
//	[Templates]  drawings in the unit square     cycles, stars
//	[Circles]    points near two circles in R²
//	[Strands]    two paths with marked ends      alike, unlike
//
//	train, err := synthetic.NewPaths().Sample(100, 1, synthetic.Train) // 100 of each class, seed 1
//	test, err := synthetic.NewPaths().Sample(100, 1, synthetic.Test)
//
// A generator is a struct of options; NewPaths, NewSurfaces and the others
// return the published options. Sample draws complexes from a seed, separately
// for training and testing ([Train], [Test]): each part has its own random
// stream, and the same seed gives the same data bit for bit.
package synthetic
