package simplicial

import (
	"math"
	"math/big"
)

// predicates decides on which side of a hyperplane or a sphere points lie, exactly: by determinants in
// float64 where they are larger than their rounding, and in integers where they are not (Shewchuk, Adaptive
// precision floating-point arithmetic and fast robust geometric predicates, 1997).
type predicates struct {
	n        int
	coords   []float64
	integers []*big.Int // the coordinates times a power of two
}

func (p *predicates) point(i int32) []float64 { return p.coords[int(i)*p.n : (int(i)+1)*p.n] }

// orientation returns the sign of the determinant of the edges from the last of n+1 points.
func (p *predicates) orientation(points []int32) int { return p.sign(points, false) }

// inSphere is positive if the last of n+2 points is inside the sphere of the others, which are oriented
// positively, 0 if it is on it.
func (p *predicates) inSphere(points []int32) int { return p.sign(points, true) }

// sign returns that of the determinant of the differences to the last point, with their squared lengths as
// one more column if lifted.
func (p *predicates) sign(points []int32, lifted bool) int {
	m := len(points) - 1
	last := p.point(points[m])
	rows := make([][]float64, m)
	for i := range rows {
		rows[i] = make([]float64, p.n, p.n+1)
		square := 0.0
		for a, x := range p.point(points[i]) {
			rows[i][a] = x - last[a]
			square += rows[i][a] * rows[i][a]
		}
		if lifted {
			rows[i] = append(rows[i], square)
		}
	}
	columns := make([]int, m)
	for i := range columns {
		columns[i] = i
	}
	det, size := expansion(rows, columns)
	// Terms are products of up to 6 factors of at most 6 roundings, and there are up to 5 levels of sums:
	// less than 64 roundings of 2^-53 in all. What is tiny may have lost digits by underflow, and what
	// overflows is no number.
	if size > 1e-250 && size < 1e250 && math.Abs(det) > 64*0x1p-53*size {
		if det > 0 {
			return 1
		}
		return -1
	}
	return p.exact(points, lifted)
}

// expansion returns the determinant of the first rows and the columns by Laplace's expansion, and the sum
// of the absolute values of its terms.
func expansion(rows [][]float64, columns []int) (det, size float64) {
	if len(columns) == 1 {
		return rows[0][columns[0]], math.Abs(rows[0][columns[0]])
	}
	if len(columns) == 2 {
		a, b := rows[0][columns[0]]*rows[1][columns[1]], rows[0][columns[1]]*rows[1][columns[0]]
		return a - b, math.Abs(a) + math.Abs(b)
	}
	var rest [maxDelaunay + 1]int
	for i, column := range columns {
		copy(rest[:], columns[:i])
		copy(rest[i:], columns[i+1:])
		d, s := expansion(rows[1:], rest[:len(columns)-1])
		term := rows[0][column]
		det += float64(1-2*(i%2)) * term * d
		size += math.Abs(term) * s
	}
	return det, size
}

// exact is sign in integers.
func (p *predicates) exact(points []int32, lifted bool) int {
	p.scale()
	m := len(points) - 1
	rows := make([][]*big.Int, m)
	for i := range rows {
		rows[i] = p.difference(points[i], points[m])
		if lifted {
			square := new(big.Int)
			for _, x := range rows[i] {
				square.Add(square, new(big.Int).Mul(x, x))
			}
			rows[i] = append(rows[i], square)
		}
	}
	return eliminate(rows)
}

// difference returns the vector from point b to point a.
func (p *predicates) difference(a, b int32) []*big.Int {
	d := make([]*big.Int, p.n)
	for i := range d {
		d[i] = new(big.Int).Sub(p.integers[int(a)*p.n+i], p.integers[int(b)*p.n+i])
	}
	return d
}

// scale makes the integers.
func (p *predicates) scale() {
	if p.integers != nil {
		return
	}
	least := math.MaxInt
	for _, x := range p.coords {
		if x != 0 {
			_, e := math.Frexp(x)
			least = min(least, e-53)
		}
	}
	p.integers = make([]*big.Int, len(p.coords))
	for i, x := range p.coords {
		p.integers[i] = new(big.Int)
		if x != 0 {
			m, e := math.Frexp(x)
			p.integers[i].SetInt64(int64(math.Ldexp(m, 53)))
			p.integers[i].Lsh(p.integers[i], uint(e-53-least))
		}
	}
}

// eliminate returns the sign of a determinant by elimination without fractions (Bareiss, Sylvester's
// identity and multistep integer-preserving Gaussian elimination, 1968). It changes the rows.
func eliminate(rows [][]*big.Int) int {
	sign, before := 1, big.NewInt(1)
	for k := range rows {
		pivot := k
		for pivot < len(rows) && rows[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == len(rows) {
			return 0
		}
		if pivot != k {
			rows[pivot], rows[k] = rows[k], rows[pivot]
			sign = -sign
		}
		for i := k + 1; i < len(rows); i++ {
			for j := k + 1; j < len(rows); j++ {
				a := new(big.Int).Mul(rows[i][j], rows[k][k])
				b := new(big.Int).Mul(rows[i][k], rows[k][j])
				rows[i][j] = a.Sub(a, b).Quo(a, before)
			}
		}
		before = rows[k][k]
	}
	return sign * before.Sign()
}

// independent returns the first n+1 points in the order whose edges are linearly independent, and ok if
// they exist.
func (p *predicates) independent(order []int32) (chosen []int32, ok bool) {
	p.scale()
	var basis [][]*big.Int // each with its first entry that is not 0 in another column
	var leading []int
	for _, v := range order {
		if len(chosen) == 0 {
			chosen = append(chosen, v)
			continue
		}
		x := p.difference(v, chosen[0])
		for b, y := range basis {
			factor := new(big.Int).Set(x[leading[b]])
			for i := range x {
				x[i].Mul(x[i], y[leading[b]])
				x[i].Sub(x[i], new(big.Int).Mul(factor, y[i]))
			}
		}
		for i := range x {
			if x[i].Sign() != 0 {
				basis, leading = append(basis, x), append(leading, i)
				chosen = append(chosen, v)
				break
			}
		}
		if len(chosen) == p.n+1 {
			return chosen, true
		}
	}
	return nil, false
}
