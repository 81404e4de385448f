package experiments

import (
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// publishedUEA holds the accuracies of classifiers on the default splits of ten sets of the UEA archive, in
// percent, as published beside the archive (www.timeseriesclassification.com).
//
//go:embed published_uea.csv
var publishedUEA string

// Archive are the benchmarks on time series: ten multivariate sets of the UEA archive, on their default
// splits.
var Archive = archive()

func archive() (benchmarks []Benchmark) {
	rows, err := csv.NewReader(strings.NewReader(publishedUEA)).ReadAll()
	if err != nil || len(rows) == 0 {
		panic(fmt.Sprintf("published_uea.csv: %v", err)) // a fault of the file
	}
	for column, name := range rows[0] {
		if name == "classifier" || name == "mean" {
			continue
		}
		b := TimeSeries(func(ctx context.Context) (*series.Set, error) {
			files, err := published.Open(ctx, name)
			if err != nil {
				return nil, err
			}
			s, err := series.ReadTS(files[0], files[1])
			if err != nil {
				return nil, err
			}
			s.Name = name
			return s, nil
		})
		b.Name, b.Published = name, map[string]Published{}
		for _, row := range rows[1:] {
			if mean, err := strconv.ParseFloat(row[column], 64); err == nil {
				b.Published[row[0]] = Published{Mean: mean, Std: train.Score(math.NaN())}
			}
		}
		benchmarks = append(benchmarks, b)
	}
	return benchmarks
}
