package smiles

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
)

// molecules returns the SMILES of HIV.
func molecules(b *testing.B) (all []string) {
	b.Helper()
	files, err := published.Open(b.Context(), "HIV")
	require.NoError(b, err)
	rows, err := csv.NewReader(bytes.NewReader(files[0].Bytes)).ReadAll()
	require.NoError(b, err)
	require.Equal(b, "smiles", rows[0][0])
	for _, row := range rows[1:] {
		all = append(all, row[0])
	}
	return all
}

// BenchmarkParse reads HIV's molecules again and again; one operation is one molecule.
func BenchmarkParse(b *testing.B) {
	smiles := molecules(b)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		_, _ = Parse(smiles[i%len(smiles)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "molecules/s")
}

// BenchmarkAppendRow also writes the features as text.
func BenchmarkAppendRow(b *testing.B) {
	smiles := molecules(b)
	var line []byte
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m, err := Parse(smiles[i%len(smiles)])
		line = AppendRow(line[:0], i, m, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "molecules/s")
}
