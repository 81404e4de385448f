package mesh

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkDecode reads a torus of 10⁶ triangles from memory, in each format.
func BenchmarkDecode(b *testing.B) {
	for _, f := range formats {
		b.Run(f.name, func(b *testing.B) {
			var file bytes.Buffer
			require.NoError(b, torus(708, 708).encode(&file, f.write))
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				_, err := parse(file.Bytes(), f.name)
				require.NoError(b, err)
			}
		})
	}
}
