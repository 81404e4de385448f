// Package fileio writes files whole or not at all, computes their checksums, and makes names from files
// printable. It may change at any time: what is promised to users is in other packages.
package fileio
