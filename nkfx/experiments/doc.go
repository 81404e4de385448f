// Package experiments holds the experiments of the paper (Maggs, Hacker and
// Rieck, ICLR 2024), one file each. An experiment returns a typed result that
// notebooks, the command line and the tests share, with everything needed to
// make it again: seeds, versions, backend, checksum of the data.
//
// # Many processes
//
// What trains for long keeps finished trainings in journals under a folder
// for results, a file for every data set and model. The same set-up goes on
// where it stopped, whatever ended it. A [Shard] is a part of the trainings;
// shards side by side, on one machine or on all that share the folder, do
// what one run does, to the last bit, and [Merge] makes their journals one.
package experiments
