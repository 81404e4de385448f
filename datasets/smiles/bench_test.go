package smiles

import (
	"path/filepath"
	"testing"
)

// BenchmarkParse reads HIV's molecules again and again; one operation is one molecule.
func BenchmarkParse(b *testing.B) {
	smiles := column(b, filepath.Join(shared(b), "datasets", "moleculenet", "HIV.csv"), "smiles")
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		_, _ = Parse(smiles[i%len(smiles)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "molecules/s")
}

// BenchmarkAppendRow also writes the features as text.
func BenchmarkAppendRow(b *testing.B) {
	smiles := column(b, filepath.Join(shared(b), "datasets", "moleculenet", "HIV.csv"), "smiles")
	var line []byte
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m, err := Parse(smiles[i%len(smiles)])
		line = AppendRow(line[:0], i, m, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "molecules/s")
}
