// Package quadrature holds rules for integration over the standard simplex
//
//	Δᵏ = { (t_1, …, t_k) : t_i ≥ 0, Σ t_i ≤ 1 },   volume 1/k!.
//
// A [Rule] is a family: it has the [Nodes] on Δᵏ for every dimension k, so that code that integrates forms
// works in any dimension. On the 0-simplex every rule is the value at the point. The integral of t_1·t_2 over
// the triangle Δ², 1/24:
//
//	rule, err := quadrature.Cubature(5).Nodes(2)
//	// ...
//	sum := 0.0
//	for q, w := range rule.Weights {
//		t := rule.Point(q) // t_0, t_1 and t_2, with t_0 = 1 - t_1 - t_2
//		sum += w * t[1] * t[2]
//	}
//
// Forms take the rule itself, as Form.Rule in package exterior and by KFormBuilder.Quadrature in package
// layers. A wrong argument, such as Gauss(0), is an error of [Rule].Nodes, and panics where a form with that
// rule is integrated.
//
//	rule                  nodes on Δᵏ             exact to degree   weights
//	[Subdivision](m)      C(m+k, k)               1                 positive
//	[Trapezoid](p)        Subdivision(p-1)
//	[Gauss](q)            qᵏ                      2q-1              positive
//	[Cubature](d)         fewer, symmetric        d or more         positive for k ≤ 4, see there
//	[Nodes]               as listed, for one k    as stated         any
//
// Subdivision is the rule of the paper (Maggs, Hacker and Rieck, ICLR 2024, VolApprox): use it to reproduce
// the paper, and Cubature otherwise; Cubature(5), the default of forms, is Gauss(3) on edges. If two vertices
// of a triangle are exchanged, its integral by Gauss changes by the error of the rule, and by Cubature only
// its sign. The accuracy on a neural form depends on the size of the simplices, the activation and the
// initial weights. The table has relative errors of Gauss(3) on edges of three lengths in R³, for forms with
// one hidden layer of 16, in units of the root mean square of a form's integrals, for the worst of ten forms:
//
//	activation  begins as     length 1  0.3    0.1
//	SiLU        the scope      3e-05  3e-08  5e-11
//	SiLU        FanInUniform   4e-08  3e-11  4e-14
//	tanh        the scope      9e-04  2e-06  3e-09
//	tanh        FanInUniform   8e-07  8e-10  1e-12
//	ReLU        the scope      4e-03  8e-04  1e-04
//	ReLU        FanInUniform   3e-03  5e-04  1e-04
//
// Errors are smaller on triangles with edges of that length. A second hidden layer costs up to a digit, and
// training makes weights larger. More points or smaller simplices help if the activation is smooth; with
// ReLU only smaller simplices do. The table is computed by the example of KFormBuilder.Activation in
// package layers.
package quadrature
