// Package tu reads data sets of graphs in the text format of TUDataset (Morris et al., "TUDataset: A
// collection of benchmark datasets for learning with graphs", 2020).
//
// A data set DS is a zip archive or a folder of comma-separated text files: DS_A.txt (edges, one pair of node
// numbers per line), DS_graph_indicator.txt (the graph of every node, ascending) and DS_graph_labels.txt, or
// DS_graph_attributes.txt: without labels the columns of numbers in it are the targets of a regression.
// DS_node_labels.txt and DS_node_attributes.txt are optional. Nodes and graphs are numbered from 1. Line g of
// the graph labels belongs to graph g, so a graph may have no nodes. Members of an archive may be in a
// folder: only the last part of their names matters, and nothing is unpacked to disk.
//
//	a, err := tu.Open("mine/graphs.zip")
//	c, err := a.Collection(tu.Labels | tu.Degree)
//
//	files, err := published.Open(ctx, "BZR") // of package published
//	a, err := tu.Read(files[0])
//
// # Edges
//
// Every edge is stored once, from the smaller to the larger node number, in lexicographic order, regardless
// of the directions in the file and of repetitions. Self-loops have length zero and are dropped. Labels and
// attributes of edges are not read.
//
// # Features
//
// The columns are the node attributes, then each column of node labels one-hot, then the degree one-hot, as
// requested. As in PyTorch Geometric, a one-hot block has a column for every integer from the smallest label
// to the largest, used or not: BZR has 3 attributes and 53 columns for labels 1 to 53, of which 10 occur. If
// there would be more than 256 columns, only labels that occur have one. [Automatic] uses attributes and
// labels if they exist, and the degree if neither does.
//
// The benchmarks of the paper with automatic features; nodes and edges are mean / maximum per graph:
//
//	name         graphs            nodes           edges features classes
//	AIDS           2000     15.7 / 95       16.2 / 103        42       2
//	BZR             405     35.8 / 57       38.4 / 60         56       2
//	COX2            467     41.2 / 56       43.4 / 59         38       2
//	DHFR            756     42.4 / 71       44.5 / 73         56       2
//	Letter-low     2250      4.7 / 8         3.1 / 6           2      15
//	Letter-med     2250      4.7 / 9         3.2 / 7           2      15
//	Letter-high    2250      4.7 / 9         4.5 / 9           2      15
//
// # Bad input
//
// Every error in the files is reported with the file, the line and a remedy. Blank lines, any line ends and
// spaces around values are allowed.
//
// A data set may have 1 GiB of text, unpacked to at most 100 times the size of its archive, with lines of
// 4 MiB, 2²⁵ graphs and nodes each, and 2²⁷ labels and attributes. [Each] reads larger ones, part by part,
// to predict them.
package tu
