package datasets

import "gonum.org/v1/gonum/mathext/prng"

// Random shuffles like numpy.random.RandomState, by the 32-bit Mersenne Twister with masked rejection.
//
// The same seed gives the same order as in Python. It is not safe for concurrent use.
type Random struct {
	source prng.MT19937
}

// NewRandom returns the generator of numpy.random.RandomState(seed).
func NewRandom(seed uint32) *Random {
	var r Random
	r.source.Seed(uint64(seed))
	return &r
}

// interval returns an integer drawn uniformly from 0 to limit, both included, as RandomState.randint(limit+1)
// does.
func (r *Random) interval(limit uint32) uint32 {
	mask := limit
	for shift := 1; shift < 32; shift *= 2 {
		mask |= mask >> shift
	}
	if limit == 0 {
		return 0 // without a draw, as numpy does
	}
	for {
		if x := r.source.Uint32() & mask; x <= limit {
			return x
		}
	}
}

// Shuffle permutes ids in place, as RandomState.shuffle does.
func (r *Random) Shuffle(ids []int32) {
	for i := len(ids) - 1; i > 0; i-- {
		j := r.interval(uint32(i))
		ids[i], ids[j] = ids[j], ids[i]
	}
}

// Permutation returns the numbers 0 to n-1 in random order, as RandomState.permutation does.
func (r *Random) Permutation(n int) []int32 {
	ids := numbers(n)
	r.Shuffle(ids)
	return ids
}
