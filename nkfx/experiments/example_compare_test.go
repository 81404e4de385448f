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
	const place = "path:layers=1:epochs=40:place=true"
	for _, models := range [][2]string{
		{place, place + ":kind=differences"}, {place, place + ":kind=constant"},
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
	// path:layers=1:epochs=40:place=true
	// over path:layers=1:epochs=40:place=true:kind=differences
	// Currents, seed 2 81 and 51: +30.0 (+16.8 to +43.2)
	// Currents, seed 3 81 and 56: +25.0 (+5.2 to +44.8)
	// Currents, seed 4 79 and 49: +30.0 (+1.3 to +58.7)
	// all +28.3 (+21.2 to +35.5)
	// path:layers=1:epochs=40:place=true
	// over path:layers=1:epochs=40:place=true:kind=constant
	// Currents, seed 2 81 and 69: +12.0 (-4.9 to +28.9)
	// Currents, seed 3 81 and 69: +12.0 (-8.4 to +32.4)
	// Currents, seed 4 79 and 64: +15.0 (-17.3 to +47.3)
	// all +13.0 (+8.7 to +17.3)
}
