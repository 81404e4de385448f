package train

import (
	"sync"
	"time"

	"github.com/neuralkforms/nkf/nkfx/internal/profile"
)

// board collects what workers report.
type board struct {
	mu                        sync.Mutex
	report                    func(Progress)
	total, done, todo, epochs int
	begin                     time.Time
	trained                   int           // epochs of trainings that have ended
	ended                     int           // trainings that have ended since begin
	at                        map[int]int   // epochs of trainings under way
	prepared                  time.Duration // what the first worker took to compile
	all                       float64       // epochs of workers in an epoch of FitAll; 0: none follows
}

// newBoard returns the board of a task of total trainings, todo of them unfinished.
func newBoard(t Task, total, todo int) *board {
	b := &board{report: t.Report, total: total, done: total - todo, todo: todo, begin: time.Now(),
		epochs: t.Protocol.Epochs, at: map[int]int{}}
	if t.All {
		workers := max(1, min(t.Workers, todo))
		b.all = float64(workers) * float64(t.Data.Len()) / float64(max(1, len(t.Folds[0].Train)))
	}
	return b
}

// prepare is told by workers that their programs are compiled.
func (b *board) prepare() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.prepared == 0 {
		b.prepared = time.Since(b.begin)
	}
}

// pays reports whether a new worker would finish compiling in time to help.
func (b *board) pays() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.left()
	return left < 0 || left > b.prepared
}

// epoch reports the epoch of training i.
func (b *board) epoch(i, fold int, seed uint32, epoch Epoch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at[i] = epoch.Epoch + 1
	if b.report != nil {
		b.report(Progress{Epoch: epoch, Epochs: b.epochs, Fold: fold, Seed: seed, Fits: b.done,
			Total: b.total, Left: b.left()})
	}
}

// finish saves the finished training i and reports that it has ended.
func (b *board) finish(i int, fit *Fit, save func(*Fit) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.at, i)
	b.trained += fit.Epochs
	b.ended++
	b.done++
	if save != nil {
		written := profile.In(profile.Writing)
		err := save(fit)
		written()
		if err != nil {
			return err
		}
	}
	if b.report != nil {
		last := fit.History[len(fit.History)-1]
		b.report(Progress{Epoch: last, Epochs: b.epochs, Fold: fit.Fold, Seed: fit.Seed, Fits: b.done,
			Total: b.total, Left: b.left()})
	}
	return nil
}

// left estimates the time left from the time an epoch took. A training that
// has not ended counts with the epochs that those that have needed on
// average, since most stop early, and so does one on all data that follows,
// which compiles for itself.
func (b *board) left() time.Duration {
	run := b.trained
	for _, n := range b.at {
		run += n
	}
	if run == 0 {
		return -1
	}
	expected := float64(b.epochs)
	if b.ended > 0 {
		expected = float64(b.trained) / float64(b.ended)
	}
	need := expected * float64(b.todo-b.ended-len(b.at))
	for _, n := range b.at {
		need += max(1, expected-float64(n))
	}
	// Without the time to compile, which would make the first estimate absurd.
	each := float64(time.Since(b.begin)-b.prepared) / float64(run)
	left := time.Duration(each * need)
	if b.all > 0 {
		left += b.prepared + time.Duration(each*expected*b.all)
	}
	return left
}
