package experiments

import (
	"math"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// archive returns the benchmarks on ten multivariate time series of the UEA archive, on their default splits.
func archive() []Benchmark {
	all := onPublished(usual("paths").in("uea", defaultSplit, 1), ueaNames,
		func(name string, files []datasets.File) (datasets.Source, error) {
			s, err := series.ReadTS(files[0], files[1])
			if err != nil {
				return nil, err
			}
			s.Name = name
			return s, nil
		})
	for i := range all {
		all[i].Published = map[string]Published{}
		for classifier, means := range publishedUEA {
			all[i].Published[classifier] = Published{Mean: means[i], Std: train.Score(math.NaN())}
		}
	}
	return all
}

// ueaNames are the names of the ten sets.
var ueaNames = []string{
	"ArticularyWordRecognition", "BasicMotions", "ERing", "Epilepsy", "Handwriting", "Libras", "NATOPS",
	"PenDigits", "RacketSports", "UWaveGestureLibrary",
}

// publishedUEA holds the accuracies of classifiers on the default splits of the ten sets, in percent, as
// published beside the archive (www.timeseriesclassification.com).
var publishedUEA = map[string][10]float64{
	"HC2":        {99.3, 100, 98.9, 100, 54.8, 93.3, 89.4, 97.9, 90.8, 92.8},
	"ROCKET":     {99.3, 100, 98.5, 99.3, 59.5, 90, 88.9, 98.3, 89.5, 94.1},
	"MUSE":       {99.3, 100, 97.4, 99.3, 52.2, 89.4, 90.6, 96.7, 92.8, 93.1},
	"Arsenal":    {99.3, 100, 98.1, 98.6, 54.1, 90.6, 88.3, 98.3, 90.1, 92.8},
	"ResNet":     {98, 100, 85.6, 99.3, 59.1, 94.4, 97.8, 98.5, 90.8, 86.6},
	"InceptionT": {98.3, 100, 87.8, 98.6, 64.2, 88.9, 96.1, 98.8, 88.2, 87.8},
	"1NN-DTW-A":  {98.7, 100, 92.6, 97.8, 60.7, 88.3, 88.3, 97.7, 84.2, 90},
	"HC1":        {99, 100, 97, 100, 48.2, 90, 88.9, 93.4, 88.8, 89.1},
	"MrSEQL":     {99.3, 92.5, 94.4, 100, 53.3, 88.9, 87.2, 94.5, 89.5, 91.9},
	"TDE":        {99.3, 100, 96.3, 99.3, 56.1, 85, 83.9, 93.5, 83.6, 92.5},
	"1NN-DTW-D":  {98.7, 97.5, 91.5, 96.4, 60.7, 87.2, 88.3, 97.7, 80.3, 90.3},
	"CIF":        {98.3, 100, 98.1, 98.6, 35.6, 91.1, 85.6, 96.7, 88.2, 92.5},
	"DrCIF":      {98, 100, 99.3, 97.8, 34.6, 89.4, 84.4, 97.7, 90.1, 90.9},
	"cBOSS":      {99, 100, 90.7, 100, 47.2, 84.4, 86.1, 90.8, 88.2, 85.6},
	"STC":        {99, 97.5, 88.9, 99.3, 28.8, 86.1, 87.2, 94.1, 88.8, 85},
	"RSF":        {98.3, 100, 95.2, 97.8, 37.5, 69.4, 84.4, 93.5, 88.2, 89.7},
	"TapNet":     {95.7, 100, 90.4, 95.7, 28.1, 87.8, 81.1, 85.6, 87.5, 90},
	"TSF":        {95.3, 100, 88.1, 97.8, 36.6, 80.6, 80, 89.2, 88.8, 77.5},
	"RISE":       {96.3, 100, 85.9, 100, 19.4, 80.6, 83.9, 83.2, 80.9, 68.4},
	"1NN-DTW-I":  {95.3, 72.5, 91.1, 63, 37.6, 83.3, 81.7, 97.3, 84.9, 86.6},
}
