package modular

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArithmetic(t *testing.T) {
	require.True(t, big.NewInt(prime).ProbablyPrime(0)) // no error below 2^64
	rng := rand.New(rand.NewPCG(9, 1))
	p := big.NewInt(prime)
	numbers := []uint64{0, 1, 2, uint64(prime) - 1, uint64(prime) / 2}
	for range 50 {
		numbers = append(numbers, rng.Uint64N(uint64(prime)))
	}
	for _, a := range numbers {
		for _, b := range numbers {
			want := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
			require.Equal(t, want.Mod(want, p).Uint64(), mul(a, b), "%d %d", a, b)
		}
		if a > 0 {
			column := monic([]Entry{{0, a}, {3, a}})
			require.Equal(t, []Entry{{0, 1}, {3, 1}}, column)
		}
	}
}
