// Package moleculenet reads molecules with labels from CSV files: BACE, BBBP and HIV of MoleculeNet (Wu et
// al., "MoleculeNet: a benchmark for molecular machine learning", 2018), and any other file with a column
// of SMILES and columns of labels: classes, or numbers with possible gaps.
//
//	m, err := moleculenet.Open("mine.csv",
//		moleculenet.Columns{SMILES: "structure", Labels: []string{"active"}})
//	c, err := m.Collection(moleculenet.Numbers)
//
//	files, err := published.Open(ctx, "BBBP") // of package published
//	m, err := moleculenet.Read(bytes.NewReader(files[0].Bytes), "BBBP", moleculenet.Published["BBBP"])
//
// A molecule becomes a complex of degree 1: its atoms are the vertices, in the order of the SMILES, and
// each bond is an edge from the smaller to the larger atom number. Package smiles has RDKit's
// perception, so the nine features of an atom, and hence the coordinates, are those of PyTorch Geometric.
//
// # Rows
//
// A row is a line after the header that is not blank, counted from 0; a quoted field may span several lines.
// Lines may end in \n, \r\n or \r, in any mixture, and the file may begin with a byte order mark. A SMILES
// that breaks the rules of chemistry is skipped and listed in Refused; a row without any label is skipped and
// listed in Unlabeled. Of CXSMILES (CCO |...|) the part before the bar is read; a note counts the molecules.
// An unreadable file is an error with file, line, column and a remedy.
//
// # Labels
//
// The learning task of a file is a [datasets.Task], given or guessed: one column of classes, several columns
// of 0 and 1 (multi-task classification), or one or several columns of numbers (regression). Classes are
// sorted: as numbers if all are integers (1, 1.0, -1), else as text. Columns of targets may have gaps, which
// are NaN in Targets: empty fields, NA, N/A, #N/A, <NA>, NaN, null and None, in upper or lower case.
//
// # Benchmarks
//
// Atoms and bonds are mean / maximum per molecule:
//
//	name        rows  refused  molecules        atoms         bonds  classes    scaffolds
//	BACE        1513        0       1513    34.1 / 97    36.9 / 101        2          671
//	BBBP        2050       11       2039   24.1 / 132    26.0 / 145        2         1025
//	HIV        41127        7      41120   25.5 / 222    27.5 / 251        2        19084
//
// # Splits
//
// The published folds are datasets.StratifiedFolds(c.Labels, 5, 42). The splits of MoleculeNet are
// [datasets.StratifiedSplit], which is random where labels are equal, and [Molecules.ScaffoldSplit], where
// molecules with the same scaffold stay together, which is harder for a model.
package moleculenet
