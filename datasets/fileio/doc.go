// Package fileio writes files whole or not at all, counts what is read of them, computes their checksums, and
// makes names from files printable. It may change at any time: what is promised to users is in other
// packages.
package fileio
