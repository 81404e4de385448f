package train

import "math"

// known returns the outputs and true values of a task where these are known.
func (p Predictions) known(task int) (outputs, values []float64) {
	for i := range p.Labels {
		if y := float64(p.Targets[i*p.Classes+task]); !math.IsNaN(y) {
			outputs, values = append(outputs, float64(p.row(i)[task])), append(values, y)
		}
	}
	return outputs, values
}

// overTasks returns a metric of every task, NaN where not both answers are
// known.
func (p Predictions) overTasks(metric func(logits []float64, yes []bool) float64) []float64 {
	all := make([]float64, p.Classes)
	for task := range all {
		logits, values := p.known(task)
		yes, answers := make([]bool, len(values)), [2]bool{}
		for i, y := range values {
			yes[i] = y != 0
			answers[int(y)] = true
		}
		all[task] = math.NaN()
		if answers == [2]bool{true, true} {
			all[task] = metric(logits, yes)
		}
	}
	return all
}

// answered returns the share of the known answers that are predicted, NaN for
// none.
func (p Predictions) answered() float64 {
	right, count := 0.0, 0.0
	for task := range p.Classes {
		logits, values := p.known(task)
		for i, y := range values {
			count++
			if (logits[i] > 0) == (y != 0) {
				right++
			}
		}
	}
	return right / count
}

// targetLoss returns the mean over all known values of the cross-entropy of
// answers, or of the squared error of numbers in their units; 0 for none.
func (p Predictions) targetLoss() float64 {
	sum, count := 0.0, 0.0
	for task := range p.Classes {
		outputs, values := p.known(task)
		unit := 1.0
		if p.Units != nil {
			unit = float64(p.Units[task])
		}
		for i, y := range values {
			x := outputs[i]
			if p.Regression {
				sum += (x - y) / unit * (x - y) / unit
			} else {
				sum += math.Max(x, 0) - x*y + math.Log1p(math.Exp(-math.Abs(x)))
			}
		}
		count += float64(len(values))
	}
	return sum / math.Max(1, count)
}

// RMSE returns the root of the mean squared error of a regression, the mean
// over the tasks of which a value is known; NaN if there is none.
func (p Predictions) RMSE() float64 {
	mean, _ := defined(p.rmses())
	return mean
}

// rmses returns the root mean square error of every task, NaN where no value
// is known.
func (p Predictions) rmses() []float64 {
	return p.errors(func(e float64) float64 { return e * e }, math.Sqrt)
}

// MAE returns the mean absolute error of a regression, the mean over the
// tasks of which a value is known; NaN if there is none.
func (p Predictions) MAE() float64 {
	mean, _ := defined(p.maes())
	return mean
}

// maes returns the mean absolute error of every task, NaN where no value is
// known.
func (p Predictions) maes() []float64 {
	return p.errors(math.Abs, func(mean float64) float64 { return mean })
}

// errors returns the mean of each error of every task, after the given
// functions.
func (p Predictions) errors(each, after func(float64) float64) []float64 {
	all := make([]float64, p.Classes)
	for task := range all {
		outputs, values := p.known(task)
		total := 0.0
		for i, y := range values {
			total += each(outputs[i] - y)
		}
		all[task] = after(total / float64(len(values))) // 0/0 without any
	}
	return all
}
