package house_test

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
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
		"\\b(?:arXiv|PyTorch|JAX|signax|pysiglib|Go|Python|Apache|Kubernetes|Slurm|version|sections?|" +
		"appendix) " +
		"[≥ ]*[A-Z]?\\.?\\d+(?:\\.\\d+)*|\\bv?\\d+\\.\\d+\\.\\d+")
	// decimal is a measured number anywhere; whole is one if it has a unit, or stands alone in a cell.
	decimal  = regexp.MustCompile(`\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+`)
	withUnit = regexp.MustCompile(`(?:^|[^\d.,])(?:(\d+) (?:to|and|or) )?(\d+) ` +
		`(?:%|(?:ms|µs|ns|s|KB|MB|GB|GiB|seconds|(?:percentage )?points|times|thousand|million)\b)`)
	whole   = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	letters = regexp.MustCompile(`\p{L}`)
	heading = regexp.MustCompile(`^#+ (.*)`)
	commit  = regexp.MustCompile(`^[0-9a-f]{7}$`)
)

// sections returns the lines of a guide that are not code, each behind the heading above it.
func sections(guide string) iter.Seq2[string, string] {
	return func(yield func(section, line string) bool) {
		section, code := "", false
		for line := range strings.Lines(guide) {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			} else if h := heading.FindStringSubmatch(strings.TrimSpace(line)); h != nil && !code {
				section = h[1]
			} else if !code && !yield(section, line) {
				return
			}
		}
	}
}

// numbersOf returns the measured numbers of a line.
func numbersOf(line string) []string {
	found := decimal.FindAllString(line, -1)
	for _, m := range withUnit.FindAllStringSubmatch(line, -1) {
		if found = append(found, m[2]); m[1] != "" {
			found = append(found, m[1])
		}
	}
	if strings.HasPrefix(line, "|") {
		for cell := range strings.SplitSeq(line, "|") {
			if !letters.MatchString(cell) {
				found = append(found, whole.FindAllString(cell, -1)...)
			}
		}
	}
	return found
}

// TestNumbersHaveAnOrigin holds the guides and the list of their numbers together, in both directions.
func TestNumbersHaveAnOrigin(t *testing.T) {
	listed, measured := map[string][]string{}, map[string][]string{} // by guide and section
	for block := range strings.SplitSeq(strings.TrimSpace(readText(numbersFile)), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue // says what the blocks are
		}
		lines := strings.Split(block, "\n")
		require.GreaterOrEqual(t, len(lines), 3, "a section, a command, and commits with numbers: %s", block)
		require.NotEmpty(t, strings.TrimSpace(lines[1]), block)
		for _, line := range lines[2:] {
			fields := strings.Fields(line)
			require.Regexp(t, commit, fields[0], "the commit of %s", line)
			listed[lines[0]] = append(listed[lines[0]], fields[1:]...)
		}
	}
	for _, guide := range measuredGuides {
		for section, line := range sections(readText(guide)) {
			if numbers := numbersOf(notMeasured.ReplaceAllString(line, "")); numbers != nil {
				measured[guide+": "+section] = append(measured[guide+": "+section], numbers...)
			}
		}
	}
	for _, bySection := range []map[string][]string{listed, measured} {
		for section, numbers := range bySection {
			slices.Sort(numbers)
			bySection[section] = slices.Compact(numbers)
		}
	}
	for at, numbers := range measured {
		require.Equal(t, numbers, listed[at], "%s: list the numbers in %s, with their command and commit", at,
			numbersFile)
		delete(listed, at)
	}
	require.Empty(t, listed, "sections of %s that no guide has", numbersFile)
}

// TestFirstGuideRoundsTheResults: the rows of README.md are those of the experiments, to one decimal.
func TestFirstGuideRoundsTheResults(t *testing.T) {
	score := regexp.MustCompile(`\d+\.\d+`)
	row := func(guide, prefix string) []string {
		_, after, found := strings.Cut(readText(guide), "\n| "+prefix+" |")
		require.True(t, found, "%s: %s", guide, prefix)
		line, _, _ := strings.Cut(after, "\n")
		return score.FindAllString(line, -1)
	}
	for short, long := range map[string]string{
		"NkF (forms alone), published | atom types":                   "NkF, paper",
		"NkF | atom types":                                            "NkF | labels",
		"NkF | atom types, coordinates":                               "NkF | attributes+labels",
		"EGNN (messages) | atom types, coordinates":                   "EGNN | attributes+labels",
		"cochain network (forms, messages) | atom types, coordinates": "cochain, last epoch",
	} {
		rounded, exact := row("README.md", short), row("nkfx/experiments/README.md", long)
		require.NotEmpty(t, rounded)
		for i, text := range rounded {
			a := must(strconv.ParseFloat(text, 64))
			b := must(strconv.ParseFloat(exact[i], 64))
			require.InDelta(t, b, a, 0.0501, "%s: number %d", short, i)
		}
	}
}
