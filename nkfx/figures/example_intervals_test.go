package figures_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// Where learned forms matter: differences between networks of the log, by folds.
func ExampleIntervals() {
	text, err := os.ReadFile("../experiments/testdata/forms.jsonl")
	if err != nil {
		panic(err)
	}
	log, sets := map[string]*experiments.Result{}, []string(nil)
	for line := range strings.Lines(string(text)) {
		var r experiments.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			panic(err)
		}
		log[r.Dataset+" "+r.Model] = &r
		if r.Model == network+":kind=differences" {
			sets = append(sets, r.Dataset)
		}
	}
	contrasts := []struct{ name, first, second string }{
		{"over no integrals", network, network + ":kind=differences"},
		{"the same, positions alone", place, place + ":kind=differences"},
		{"over constant forms", network, network + ":kind=constant"},
		{"fixed forms over none, regression", "auto:groups=4", "auto:groups=3"},
		{"over a convolutional network", network, "cnn:members=1:layers=1:width=20:epochs=40"},
		{"over a recurrent network", network, "gru:members=1:layers=1:width=25:epochs=40"},
	}
	var names []string
	for _, c := range contrasts {
		names = append(names, c.name)
	}
	difference := func(row, name int) *experiments.Comparison {
		first, second := log[sets[row]+" "+contrasts[name].first], log[sets[row]+" "+contrasts[name].second]
		if first == nil || second == nil {
			return nil
		}
		return experiments.CompareFolds(first, second, experiments.LastEpoch)
	}
	for name, what := range names {
		fmt.Println(what)
		for row, set := range sets {
			if c := difference(row, name); c != nil {
				fmt.Printf("%s %+.1f (%+.1f to %+.1f)\n", set, c.Mean, c.Low, c.High)
			}
		}
	}
	f := figures.Intervals("What forms add", sets, names[:4], difference)
	fmt.Println(compare("../experiments/forms.png", f))
	// Output:
	// over no integrals
	// Currents +2.0 (-18.4 to +22.4)
	// Vehicles +1.7 (-14.6 to +17.9)
	// Animals +1.3 (-1.3 to +3.9)
	// Drifters +5.0 (+1.3 to +8.7)
	// Libras +3.3 (+0.4 to +6.3)
	// ERing +1.0 (-3.7 to +5.7)
	// Curves +0.7 (-9.5 to +10.9)
	// the same, positions alone
	// Currents +24.3 (+3.9 to +44.8)
	// Drifters +18.1 (+14.6 to +21.6)
	// over constant forms
	// Currents +2.7 (-14.3 to +19.6)
	// Vehicles +3.0 (-0.4 to +6.4)
	// Animals +0.0 (-6.6 to +6.6)
	// Drifters +5.2 (-2.4 to +12.9)
	// Libras +0.8 (-1.5 to +3.1)
	// ERing +1.3 (-2.7 to +5.4)
	// Curves -0.7 (-3.4 to +2.1)
	// fixed forms over none, regression
	// Currents +28.0 (+6.6 to +49.4)
	// Vehicles +2.0 (-3.1 to +7.1)
	// Animals -4.0 (-19.2 to +11.1)
	// over a convolutional network
	// Currents -4.7 (-14.3 to +5.0)
	// Vehicles -1.0 (-12.3 to +10.3)
	// Animals +0.0 (-6.9 to +7.0)
	// Drifters +0.2 (-1.7 to +2.2)
	// Libras +11.4 (+9.2 to +13.6)
	// ERing +1.7 (-3.2 to +6.6)
	// over a recurrent network
	// Currents +3.0 (-26.9 to +32.9)
	// Vehicles +0.0 (-22.8 to +22.8)
	// Animals +4.9 (-9.3 to +19.1)
	// <nil>
}

// The networks of the log: with positions, velocities and times, and with positions alone.
const (
	network = "path-small:layers=1:epochs=40:thin=0"
	place   = network + ":place=true"
)
