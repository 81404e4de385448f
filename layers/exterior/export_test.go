package exterior

// Functions of the same names.
var (
	JVP       = jvp
	IsZeros   = isZero
	Indicated = indicated
)

// SetBlocks sets the number of simplices from which blocks are used, twice that from which sums are one
// block, until restore is called.
func SetBlocks(from int) (restore func()) {
	blocks, cut, sums := blocksFrom, cutFrom, sumsFrom
	blocksFrom, cutFrom, sumsFrom = from, from, from/2
	return func() { blocksFrom, cutFrom, sumsFrom = blocks, cut, sums }
}
