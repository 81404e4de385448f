package train

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// tested holds the outputs for some complexes with the truth: what all
// metrics are computed from, on the host and exactly.
type tested struct {
	Logits  []float32 // [len(Labels), Classes]; numbers of a regression
	Labels  []int32   // classes; zeros where there are tasks
	Classes int       // or tasks

	Targets    []float32 // [len(Labels), tasks]: the true values, NaN where unknown; nil for classes
	Regression bool      // whether they are numbers; else 1 for yes and 0 for no

	units []float32 // [tasks]: unit of each number in a loss; nil: 1
}

// row returns the logits of complex i.
func (p tested) row(i int) []float32 {
	return p.Logits[i*p.Classes : (i+1)*p.Classes]
}

// predicted returns the class of complex i with the largest logit, the first
// of equals.
func (p tested) predicted(i int) int32 {
	row := p.row(i)
	return int32(slices.Index(row, slices.Max(row)))
}

// log returns the logarithm of the probability of the label of complex i.
func (p tested) log(i int) float64 {
	return float64(p.row(i)[p.Labels[i]]) - p.logSumExp(i, -1)
}

// logSumExp returns log Σ_c exp(logit_c) of complex i over all classes but one, or over all for -1.
func (p tested) logSumExp(i, without int) float64 {
	row := []float64{math.Inf(-1)} // of a sum of nothing
	for c, v := range p.row(i) {
		if c != without {
			row = append(row, float64(v))
		}
	}
	return floats.LogSumExp(row)
}

// known returns the outputs and true values of a task where these are known.
func (p tested) known(task int) (outputs, values []float64) {
	for i := range p.Labels {
		if y := float64(p.Targets[i*p.Classes+task]); !math.IsNaN(y) {
			outputs, values = append(outputs, float64(p.row(i)[task])), append(values, y)
		}
	}
	return outputs, values
}

// accuracy returns the share of complexes whose class is predicted (micro
// accuracy); with tasks, the share of the known answers. It is NaN for none.
func (p tested) accuracy() float64 {
	right, count := 0, len(p.Labels)
	if p.Targets == nil {
		for i, y := range p.Labels {
			if p.predicted(i) == y {
				right++
			}
		}
		return float64(right) / float64(count)
	}
	count = 0
	for task := range p.Classes {
		logits, positive := p.against(task)
		count += len(logits)
		for i, yes := range positive {
			if (logits[i] > 0) == yes {
				right++
			}
		}
	}
	return float64(right) / float64(count)
}

// recalls returns the recall of every class that occurs among labels or
// predictions, 0 where it is only predicted. With tasks it is the mean of the
// two answers of each.
func (p tested) recalls() (all []float64) {
	if p.Targets != nil {
		return p.each(func(logits []float64, positive []bool) float64 {
			var right, count [2]float64
			for i, yes := range positive {
				answer := map[bool]int{true: 1}[yes]
				count[answer]++
				if (logits[i] > 0) == yes {
					right[answer]++
				}
			}
			return (right[0]/count[0] + right[1]/count[1]) / 2
		})
	}
	right, members := make([]float64, p.Classes), make([]float64, p.Classes)
	occurs := make([]bool, p.Classes)
	for i, y := range p.Labels {
		guess := p.predicted(i)
		occurs[y], occurs[guess] = true, true
		members[y]++
		if guess == y {
			right[y]++
		}
	}
	for c := range occurs {
		if occurs[c] {
			all = append(all, right[c]/math.Max(1, members[c]))
		}
	}
	return all
}

// each returns a metric of every class against the rest, or of every task: NaN
// where not both of its answers are known.
func (p tested) each(metric func(scores []float64, positive []bool) float64) (values []float64) {
	for c := range p.Classes {
		scores, positive := p.against(c)
		value := math.NaN()
		if p.Targets == nil || slices.Contains(positive, true) && slices.Contains(positive, false) {
			value = metric(scores, positive)
		}
		values = append(values, value)
	}
	return values
}

// against returns the logits of class c against the rest, or of a task, and who belongs to it: probabilities
// have the same order, but many round to 1.
func (p tested) against(c int) (scores []float64, positive []bool) {
	if p.Targets != nil {
		scores, values := p.known(c)
		for _, y := range values {
			positive = append(positive, y != 0)
		}
		return scores, positive
	}
	for i, y := range p.Labels {
		scores = append(scores, float64(p.row(i)[c])-p.logSumExp(i, c))
		positive = append(positive, int(y) == c)
	}
	return scores, positive
}

// errors returns the mean over the known values of every task of a power of the
// absolute error, and its root: NaN where none is known.
func (p tested) errors(power float64) []float64 {
	means := make([]float64, p.Classes)
	for task := range means {
		outputs, values := p.known(task)
		for i, y := range values {
			means[task] += math.Pow(math.Abs(outputs[i]-y), power)
		}
		means[task] = math.Pow(means[task]/float64(len(values)), 1/power) // 0/0 without any
	}
	return means
}

// loss returns the cross-entropy as a loop over batches of the given size
// reports it: in each batch it is the weighted mean Σ w[y]·(-log p[y]) / Σ
// w[y], and those are averaged by the number of complexes. Weights may be
// nil. With tasks it is the mean over all known values of the cross-entropy of
// answers, or of the squared error of numbers in their units; 0 for none.
func (p tested) loss(weights []float32, batch int) float64 {
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
			loss -= w * p.log(i)
			total += w
		}
		if total > 0 {
			sum += loss / total * float64(to-from)
		}
	}
	return sum / float64(len(p.Labels))
}

// targetLoss returns the loss of tasks.
func (p tested) targetLoss() float64 {
	sum, count := 0.0, 0
	for task := range p.Classes {
		outputs, values := p.known(task)
		unit := 1.0
		if p.units != nil {
			unit = float64(p.units[task])
		}
		for i, y := range values {
			x := outputs[i]
			if p.Regression {
				sum += (x - y) / unit * (x - y) / unit
			} else {
				sum += math.Max(x, 0) - x*y + math.Log1p(math.Exp(-math.Abs(x)))
			}
		}
		count += len(values)
	}
	return sum / float64(max(1, count))
}
