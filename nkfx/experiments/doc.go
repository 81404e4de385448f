// Package experiments holds the experiments of the paper (Maggs, Hacker and
// Rieck, ICLR 2024), one file each. An experiment returns a typed result that
// notebooks, the command line and the tests share, with everything needed to
// make it again: seeds, versions, backend, checksum of the data.
package experiments
