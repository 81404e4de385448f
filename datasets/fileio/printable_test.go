package fileio_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"BZR-1_2 (3).zip":           "BZR-1_2 (3).zip",
		`a\"b'`:                     `a\"b'`,
		"漢字 β₁ Ångström ✓":          "漢字 β₁ Ångström ✓",
		"\x1b[31mred\x1b[0m":        `\x1b[31mred\x1b[0m`,
		"one\nnkf: done\r\ttwo":     `one\nnkf: done\r\ttwo`,
		"\u009b2J\x7f\x00":          `\u009b2J\x7f\x00`,
		"exe.\u202efdp\u2066\u200b": `exe.\u202efdp\u2066\u200b`,
		"\xff\xc3(":                 `\xff\xc3(`,
		"\ufffd":                    "\ufffd",
	} {
		require.Equal(t, want, fileio.Printable(s))
	}
}
