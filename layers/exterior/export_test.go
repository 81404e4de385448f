package exterior

// JVP is the function of the same name.
var JVP = jvp

// SetBlocks sets the number of simplices from which blocks are used, and returns the old one.
func SetBlocks(from int) (old int) {
	old, blocksFrom, sumsFrom = blocksFrom, from, from
	return old
}
