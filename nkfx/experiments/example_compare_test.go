package experiments_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// Leads that one draw of a data set had, on three other draws: there the unit is the draw.
func ExampleCompareSets() {
	text, err := os.ReadFile("testdata/forms.jsonl")
	if err != nil {
		panic(err)
	}
	log := map[string]*experiments.Result{}
	for line := range strings.Lines(string(text)) {
		var r experiments.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			panic(err)
		}
		log[r.Dataset+" "+r.Model] = &r
	}
	const place = "path-small:layers=1:epochs=40:thin=0:place=true"
	for _, models := range [][2]string{
		{place, place + ":kind=differences"}, {place, place + ":kind=constant"},
		{"auto:groups=4", "auto:groups=3"},
	} {
		fmt.Printf("%s\nover %s\n", models[0], models[1])
		var first, second []*experiments.Result
		for _, set := range []string{"Currents, seed 2", "Currents, seed 3", "Currents, seed 4"} {
			a, b := log[set+" "+models[0]], log[set+" "+models[1]]
			c := experiments.CompareFolds(a, b, experiments.LastEpoch)
			fmt.Printf("%s %.0f and %.0f: %+.1f (%+.1f to %+.1f)\n", set, a.Mean, b.Mean, c.Mean,
				c.Low, c.High)
			first, second = append(first, a), append(second, b)
		}
		c := experiments.CompareSets(first, second, experiments.LastEpoch)
		fmt.Printf("all %+.1f (%+.1f to %+.1f)\n", c.Mean, c.Low, c.High)
	}
	// Output:
	// path-small:layers=1:epochs=40:thin=0:place=true
	// over path-small:layers=1:epochs=40:thin=0:place=true:kind=differences
	// Currents, seed 2 79 and 53: +26.0 (+13.9 to +38.1)
	// Currents, seed 3 82 and 55: +27.0 (+6.6 to +47.4)
	// Currents, seed 4 78 and 50: +28.0 (-4.7 to +60.7)
	// all +27.0 (+24.5 to +29.5)
	// path-small:layers=1:epochs=40:thin=0:place=true
	// over path-small:layers=1:epochs=40:thin=0:place=true:kind=constant
	// Currents, seed 2 79 and 67: +12.0 (-3.6 to +27.6)
	// Currents, seed 3 82 and 67: +15.0 (+1.8 to +28.2)
	// Currents, seed 4 78 and 64: +14.0 (-22.3 to +50.3)
	// all +13.7 (+9.9 to +17.5)
	// auto:groups=4
	// over auto:groups=3
	// Currents, seed 2 84 and 53: +31.0 (+9.8 to +52.2)
	// Currents, seed 3 85 and 60: +25.0 (+1.3 to +48.7)
	// Currents, seed 4 91 and 57: +34.0 (+10.8 to +57.2)
	// all +30.0 (+18.6 to +41.4)
}
