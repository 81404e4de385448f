package train

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"
)

// Predictions are the outputs for some complexes with the truth: what all
// metrics are computed from, on the host and exactly.
type Predictions struct {
	Logits  []float32 // [len(Labels), Classes]; numbers of a regression
	Labels  []int32   // classes; zeros where there are tasks
	Classes int       // or tasks

	Targets    []float32 // [len(Labels), tasks]: the true values, NaN where unknown; nil for classes
	Regression bool      // whether they are numbers; else 1 for yes and 0 for no
	Units      []float32 // [tasks]: unit of each number in a loss; nil: 1
}

// row returns the logits of complex i.
func (p Predictions) row(i int) []float32 {
	return p.Logits[i*p.Classes : (i+1)*p.Classes]
}

// Predicted returns the class of complex i with the largest logit, the first
// of equals.
func (p Predictions) Predicted(i int) int32 {
	best := 0
	for c, v := range p.row(i) {
		if v > p.row(i)[best] {
			best = c
		}
	}
	return int32(best)
}

// Probabilities returns the probability of every class for complex i.
func (p Predictions) Probabilities(i int) []float64 {
	out, total := make([]float64, p.Classes), p.logSumExp(i)
	for c, v := range p.row(i) {
		out[c] = math.Exp(float64(v) - total)
	}
	return out
}

// logSumExp returns log Σ_c exp(logit_c) of complex i.
func (p Predictions) logSumExp(i int) float64 {
	largest := math.Inf(-1)
	for _, v := range p.row(i) {
		largest = math.Max(largest, float64(v))
	}
	sum := 0.0
	for _, v := range p.row(i) {
		sum += math.Exp(float64(v) - largest)
	}
	return largest + math.Log(sum)
}

// Accuracy returns the share of complexes whose class is predicted (micro
// accuracy), NaN for none; with tasks, the share of the known answers.
func (p Predictions) Accuracy() float64 {
	if p.Targets != nil {
		return p.answered()
	}
	right := 0
	for i, y := range p.Labels {
		if p.Predicted(i) == y {
			right++
		}
	}
	return float64(right) / float64(len(p.Labels))
}

// MacroAccuracy returns the mean recall over the classes that occur among
// labels or predictions; a class that is only predicted has recall 0. With
// tasks it is the mean of theirs, over those of which both answers are known.
// It is NaN if there is none.
func (p Predictions) MacroAccuracy() float64 {
	mean, _ := defined(p.recalls())
	return mean
}

// recalls returns the recall of every class that occurs, or the macro accuracy
// of every task.
func (p Predictions) recalls() []float64 {
	if p.Targets != nil {
		return p.overTasks(func(logits []float64, yes []bool) float64 {
			hits, members := [2]float64{}, [2]float64{}
			for i, y := range yes {
				class := 0
				if y {
					class = 1
				}
				members[class]++
				if (logits[i] > 0) == y {
					hits[class]++
				}
			}
			return (hits[0]/members[0] + hits[1]/members[1]) / 2
		})
	}
	right, members := make([]float64, p.Classes), make([]float64, p.Classes)
	occurs := make([]bool, p.Classes)
	for i, y := range p.Labels {
		guess := p.Predicted(i)
		occurs[y], occurs[guess] = true, true
		members[y]++
		if guess == y {
			right[y]++
		}
	}
	var recalls []float64
	for c := range occurs {
		if occurs[c] {
			recalls = append(recalls, right[c]/math.Max(1, members[c]))
		}
	}
	return recalls
}

// AUROC returns the mean of the area under the curve of true over false
// positives, one class against the rest, over the classes of which there are
// members and others; torchmetrics counts the rest as 0. With two classes it is
// the area for either, as long as probabilities do not round to 1: those that
// do are ties. With tasks it is the mean over those of which both
// answers are known. It is NaN if there is none.
func (p Predictions) AUROC() float64 {
	mean, _ := defined(p.areas())
	return mean
}

// areas returns the area of every class or task, NaN where it is undefined.
func (p Predictions) areas() []float64 { return p.each(ROCArea) }

// AveragePrecision returns the mean over the classes that occur of the
// average precision of one class against the rest. With tasks it is the mean
// over those of which both answers are known. It is NaN if there is none.
func (p Predictions) AveragePrecision() float64 {
	mean, _ := defined(p.precisions())
	return mean
}

// precisions returns the average precision of every class or task, NaN where
// it is undefined.
func (p Predictions) precisions() []float64 { return p.each(AveragePrecision) }

// each returns a metric of every class against the rest, or of every task.
func (p Predictions) each(metric func(scores []float64, positive []bool) float64) []float64 {
	if p.Targets != nil {
		return p.overTasks(metric)
	}
	values := make([]float64, p.Classes)
	for c := range values {
		values[c] = metric(p.against(c))
	}
	return values
}

// against returns the probabilities of class c and who belongs to it.
func (p Predictions) against(c int) (scores []float64, positive []bool) {
	scores, positive = make([]float64, len(p.Labels)), make([]bool, len(p.Labels))
	for i, y := range p.Labels {
		scores[i] = math.Exp(float64(p.row(i)[c]) - p.logSumExp(i))
		positive[i] = int(y) == c
	}
	return scores, positive
}

// Loss returns the cross-entropy as a loop over batches of the given size
// reports it: in each batch it is the weighted mean Σ w[y]·(-log p[y]) / Σ
// w[y], and those are averaged by the number of complexes. Weights may be
// nil. With tasks it is the mean loss of all known values.
func (p Predictions) Loss(weights []float32, batch int) float64 {
	if p.Targets != nil {
		return p.targetLoss()
	}
	sum := 0.0
	for from := 0; from < len(p.Labels); from += batch {
		to := min(from+batch, len(p.Labels))
		loss, total := 0.0, 0.0
		for i := from; i < to; i++ {
			y, w := p.Labels[i], 1.0
			if weights != nil {
				w = float64(weights[y])
			}
			loss += w * (p.logSumExp(i) - float64(p.row(i)[y]))
			total += w
		}
		if total > 0 {
			sum += loss / total * float64(to-from)
		}
	}
	return sum / float64(len(p.Labels))
}

// ROCArea returns the area under the receiver operating characteristic: the
// chance that a positive scores higher than a negative, ties counting one
// half. It is NaN without positives or without negatives.
func ROCArea(scores []float64, positive []bool) float64 {
	scores, positive = sorted(scores, positive)
	if len(scores) == 0 {
		return math.NaN()
	}
	tpr, fpr, _ := stat.ROC(nil, scores, positive, nil)
	return integrate.Trapezoidal(fpr, tpr)
}

// AveragePrecision returns Σ_i (R_i - R_{i-1})·P_i over the distinct
// thresholds from high to low, with recall R and precision P: the area under
// the precision-recall curve without interpolation. It is NaN without
// positives.
func AveragePrecision(scores []float64, positive []bool) float64 {
	scores, positive = sorted(scores, positive)
	total := 0.0
	for _, p := range positive {
		if p {
			total++
		}
	}
	area, hits, seen, counted := 0.0, 0.0, 0.0, 0.0
	for i := len(scores) - 1; i >= 0; i-- {
		seen++
		if positive[i] {
			hits++
		}
		if i == 0 || scores[i-1] != scores[i] {
			area += (hits - counted) / total * hits / seen
			counted = hits
		}
	}
	if total == 0 {
		return math.NaN()
	}
	return area
}

// sorted returns copies in ascending order of the scores.
func sorted(scores []float64, positive []bool) ([]float64, []bool) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] < scores[order[b]] })
	s, p := make([]float64, len(scores)), make([]bool, len(scores))
	for i, j := range order {
		s[i], p[i] = scores[j], positive[j]
	}
	return s, p
}
