package experiments_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// Where learned forms matter: the results of `nkf run currents --seeds 3 --json`.
func ExampleCompareFolds() {
	text, err := os.ReadFile("testdata/currents.jsonl")
	if err != nil {
		panic(err)
	}
	var results []*experiments.Result
	for line := range strings.Lines(string(text)) {
		var r experiments.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			panic(err)
		}
		results = append(results, &r)
	}
	for _, r := range results {
		fmt.Printf("%s: %.1f ± %.1f\n", r.Model, r.Mean, r.Std)
	}
	for _, other := range results[1:] {
		c := experiments.CompareFolds(results[0], other, experiments.LastEpoch)
		fmt.Printf("over %s: %+.1f (%+.1f to %+.1f)\n", other.Model, c.Mean, c.Low, c.High)
	}
	// Output:
	// path:place=true: 90.0 ± 5.0
	// path:kind=constant:place=true: 71.3 ± 9.3
	// path:kind=differences:place=true: 64.3 ± 5.6
	// cnn: 70.7 ± 6.8
	// over path:kind=constant:place=true: +18.7 (+4.7 to +32.6)
	// over path:kind=differences:place=true: +25.7 (+16.5 to +34.9)
	// over cnn: +19.3 (+6.4 to +32.2)
}
