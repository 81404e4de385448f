package train

import "math"

// schedule gives every step its learning rate.
type schedule interface {
	// at returns the rate of a step of an epoch, both from 0.
	at(epoch, step int) float64
	// observe takes the validation loss of the epoch that has ended.
	observe(loss float64)
}

// at is the rate of all steps until the next loss.
func (p *Plateau) at(int, int) float64 { return p.Rate }

// observe is Step as a schedule.
func (p *Plateau) observe(loss float64) { p.Step(loss) }

// cosine is a linear rise and a fall along half a period of the cosine, which
// multiply each other.
type cosine struct {
	rate                 float64
	steps, total, warmup int // steps of an epoch, of all, of the rise
}

func (c *cosine) at(epoch, step int) float64 {
	t := float64(epoch*c.steps + step)
	rise := math.Min(1, (t+1)/float64(c.warmup))
	return c.rate * rise * (1 + math.Cos(math.Pi*t/float64(c.total))) / 2
}

func (c *cosine) observe(float64) {}

// replay repeats the rates of epochs.
type replay []float64

func (r replay) at(epoch, _ int) float64 { return r[epoch] }

func (r replay) observe(float64) {}

// Plateau lowers a learning rate when a loss stops falling, as PyTorch's
// ReduceLROnPlateau does with its defaults (mode min, relative threshold).
type Plateau struct {
	Rate     float64 // the rate now
	Factor   float64 // what the rate is multiplied by
	Patience int     // epochs without progress that are borne
	Best     float64 // lowest loss that counted as progress; begin with +Inf
	Bad      int     // epochs without progress since then or since the last cut
}

const (
	// plateauThreshold is the relative progress that counts.
	plateauThreshold = 1e-4
	// plateauLeast is the smallest change of the rate that is made.
	plateauLeast = 1e-8
)

// NewPlateau returns the schedule before the first epoch.
func NewPlateau(rate, factor float64, patience int) *Plateau {
	return &Plateau{Rate: rate, Factor: factor, Patience: patience, Best: math.Inf(1)}
}

// Step takes the loss of an epoch and returns the rate for the next.
func (p *Plateau) Step(loss float64) float64 {
	if loss < p.Best-plateauThreshold*math.Abs(p.Best) || math.IsInf(p.Best, 1) && !math.IsNaN(loss) {
		p.Best, p.Bad = loss, 0
	} else {
		p.Bad++
	}
	if p.Bad > p.Patience {
		p.Bad = 0
		if next := p.Rate * p.Factor; p.Rate-next > plateauLeast {
			p.Rate = next
		}
	}
	return p.Rate
}

// EarlyStopping ends a training whose loss does not fall any more, as
// PyTorch Lightning's callback does (mode min, no minimal change).
type EarlyStopping struct {
	Patience int     // epochs without progress after which it stops
	Best     float64 // lowest loss; begin with +Inf
	Wait     int     // epochs since
}

// NewEarlyStopping returns the rule before the first epoch.
func NewEarlyStopping(patience int) *EarlyStopping {
	return &EarlyStopping{Patience: patience, Best: math.Inf(1)}
}

// Step takes the loss of an epoch and reports whether that epoch was the
// last. A loss that is not finite stops at once.
func (s *EarlyStopping) Step(loss float64) (stop bool) {
	switch {
	case math.IsNaN(loss) || math.IsInf(loss, 0):
		return true
	case loss < s.Best:
		s.Best, s.Wait = loss, 0
	default:
		s.Wait++
	}
	return s.Wait >= s.Patience
}
