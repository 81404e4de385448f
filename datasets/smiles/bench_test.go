package smiles

import "testing"

// BenchmarkParse reads HIV's molecules again and again; one operation is one molecule.
func BenchmarkParse(b *testing.B) {
	smiles := column(b, "HIV", "smiles")
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		_, _ = Parse(smiles[i%len(smiles)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "molecules/s")
}
