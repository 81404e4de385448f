package house_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbersFile lists the measured numbers of guides: by section the command that made them, or where they were
// published, and the commit that recorded them.
const numbersFile = "nkfx/experiments/numbers.txt"

// measuredGuides are the guides whose numbers are listed.
var measuredGuides = []string{
	"README.md", "nkfx/experiments/PAPER.md", "nkfx/experiments/README.md", "nkfx/internal/bench/README.md",
	"nkfx/examples/README.md",
}

var (
	// notMeasured is text with numbers that nobody measured: code, addresses, versions, sections.
	notMeasured = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)|" +
		"\\b(?:PyTorch|JAX|signax|pysiglib|Go|Python|Apache|Kubernetes|Slurm|version|sections?|appendix) " +
		"[≥ ]*[A-Z]?\\.?\\d+(?:\\.\\d+)*|\\bv?\\d+\\.\\d+\\.\\d+")
	// decimal is a measured number anywhere; whole is one if it has a unit, or stands alone in a cell.
	decimal  = regexp.MustCompile(`\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+`)
	withUnit = regexp.MustCompile(`(?:^|[^\d.,])(\d+) (?:%|(?:ms|µs|ns|s|MB|GB|GiB|seconds)\b)`)
	whole    = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	letters  = regexp.MustCompile(`\p{L}`)
	heading  = regexp.MustCompile(`^#+ (.*)`)
	commit   = regexp.MustCompile(`^[0-9a-f]{7}$`)
)

// measured returns the measured numbers of a guide, by section.
func measured(guide string) map[string]map[string]bool {
	found, section, code := map[string]map[string]bool{}, "", false
	for line := range strings.Lines(guide) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
		} else if h := heading.FindStringSubmatch(line); h != nil && !code {
			section = h[1]
		} else if !code {
			for _, number := range numbersOf(notMeasured.ReplaceAllString(line, "")) {
				if found[section] == nil {
					found[section] = map[string]bool{}
				}
				found[section][number] = true
			}
		}
	}
	return found
}

// numbersOf returns the measured numbers of a line.
func numbersOf(line string) []string {
	found := decimal.FindAllString(line, -1)
	for _, m := range withUnit.FindAllStringSubmatch(line, -1) {
		found = append(found, m[1])
	}
	if strings.HasPrefix(line, "|") {
		for _, cell := range strings.Split(line, "|") {
			if !letters.MatchString(cell) {
				found = append(found, whole.FindAllString(cell, -1)...)
			}
		}
	}
	return found
}

// TestNumbersHaveAnOrigin holds the guides and the list of their numbers together, in both directions.
func TestNumbersHaveAnOrigin(t *testing.T) {
	listed := map[string]map[string]bool{} // by guide and section
	for block := range strings.SplitSeq(strings.TrimSpace(readText(t, numbersFile)), "\n\n") {
		lines := strings.Split(block, "\n")
		require.GreaterOrEqual(t, len(lines), 3, "a section, a command, and commits with numbers: %s", block)
		require.NotEmpty(t, strings.TrimSpace(lines[1]), block)
		for _, line := range lines[2:] {
			fields := strings.Fields(line)
			require.Regexp(t, commit, fields[0], "the commit of %s", line)
			for _, number := range fields[1:] {
				if listed[lines[0]] == nil {
					listed[lines[0]] = map[string]bool{}
				}
				listed[lines[0]][number] = true
			}
		}
	}
	for _, guide := range measuredGuides {
		for section, numbers := range measured(readText(t, guide)) {
			at := guide + ": " + section
			require.Equal(t, slices.Sorted(maps.Keys(numbers)), slices.Sorted(maps.Keys(listed[at])),
				"%s: list the numbers in %s, with their command and commit", at, numbersFile)
			delete(listed, at)
		}
	}
	require.Empty(t, slices.Sorted(maps.Keys(listed)), "sections of %s that no guide has", numbersFile)
}
