package train

import "math"

// schedule returns the rates of a training with that many steps an epoch: what
// gives a step of an epoch, both from 0, its rate, and what takes the
// validation loss of the epoch that has ended.
func (p Protocol) schedule(steps int) (rate func(epoch, step int) float64, observe func(loss float64)) {
	if !p.Cosine {
		s := newPlateau(p.Rate, p.PlateauFactor, p.PlateauPatience)
		return func(int, int) float64 { return s.rate }, s.step
	}
	// A linear rise and a fall along half a period of the cosine, which multiply each other.
	total := float64(steps * p.Epochs)
	warmup := math.Max(1, math.Floor(p.Warmup*total))
	return func(epoch, step int) float64 {
		t := float64(epoch*steps + step)
		rise := math.Min(1, (t+1)/warmup)
		return p.Rate * rise * (1 + math.Cos(math.Pi*t/total)) / 2
	}, func(float64) {}
}

// plateau lowers a learning rate when a loss stops falling, as PyTorch's
// ReduceLROnPlateau does with its defaults (mode min, relative threshold).
type plateau struct {
	rate     float64 // the rate now
	factor   float64 // what the rate is multiplied by
	patience int     // epochs without progress before the rate is cut
	best     float64 // lowest loss that counted as progress
	bad      int     // epochs without progress since then or since the last cut
}

const (
	// plateauThreshold is the least relative improvement that counts as progress.
	plateauThreshold = 1e-4
	// plateauLeast is the smallest cut of the rate; smaller ones are ignored (eps of PyTorch).
	plateauLeast = 1e-8
)

// newPlateau returns the schedule before the first epoch.
func newPlateau(rate, factor float64, patience int) *plateau {
	return &plateau{rate: rate, factor: factor, patience: patience, best: math.Inf(1)}
}

// step takes the loss of an epoch and sets the rate for the next.
func (p *plateau) step(loss float64) {
	if loss < p.best-plateauThreshold*math.Abs(p.best) || math.IsInf(p.best, 1) && !math.IsNaN(loss) {
		p.best, p.bad = loss, 0
	} else {
		p.bad++
	}
	if p.bad > p.patience {
		p.bad = 0
		if next := p.rate * p.factor; p.rate-next > plateauLeast {
			p.rate = next
		}
	}
}

// earlyStopping ends a training whose loss does not fall any more, as PyTorch
// Lightning's EarlyStopping does (mode min, no minimal change).
type earlyStopping struct {
	patience int     // epochs without progress after which it stops
	best     float64 // lowest loss; begin with +Inf
	wait     int     // epochs since
}

// step takes the loss of an epoch and reports whether that epoch was the
// last. A loss that is not finite stops at once.
func (s *earlyStopping) step(loss float64) (stop bool) {
	switch {
	case math.IsNaN(loss) || math.IsInf(loss, 0):
		return true
	case loss < s.best:
		s.best, s.wait = loss, 0
	default:
		s.wait++
	}
	return s.wait >= s.patience
}

// selection finds the best epoch.
type selection struct {
	metric string  // of the validation part; "" for the loss
	any    bool    // whether there is a best epoch
	score  float64 // of the best so far
}

// better reports whether an epoch with these predictions for the validation
// part is the best so far. One whose loss is not finite is not.
func (s *selection) better(p tested, loss float64) bool {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return false
	}
	score := -loss
	if m, ok := metricOf(s.metric); ok {
		if score, _ = m.mean(p); m.error {
			score = -score
		}
	}
	if s.any && (score < s.score || score == s.score && s.metric == "") {
		return false
	}
	s.any, s.score = true, score
	return true
}
