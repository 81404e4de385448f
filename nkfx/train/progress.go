package train

import (
	"sync"
	"time"
)

// Progress is the progress of a cross-validation or of [FitAll]: as it begins to prepare, to compile and to
// train, at the end of an epoch, and once more at the end of a training.
type Progress struct {
	Doing string // "preparing", "compiling" or "training", as that begins; else ""
	// Share returns the share of what it is doing that is done so far, of "training" that of an epoch; 0
	// while that is unknown. It may be called at any time. It is nil if nothing is known.
	Share  func() float64
	All    bool // of FitAll
	Epoch       // the last one; its number is -1 before the first has ended
	Epochs int  // most epochs of the training
	Fold   int
	Seed   uint32
	Fits   int           // trainings that have ended
	Total  int           // trainings in all
	Left   time.Duration // estimate of the time left; negative while there is none
}

// What a task is doing before its first epoch has ended.
const preparing, compiling, training = "preparing", "compiling", "training"

// begins reports what a task begins to do.
func (t Task) begins(doing string, all bool, total int, share func() float64) error {
	if t.Report == nil {
		return nil
	}
	return guard(func() error {
		t.Report(Progress{Doing: doing, Share: share, All: all, Epoch: Epoch{Epoch: -1}, Total: total,
			Left: -1})
		return nil
	})
}

// progress collects what the workers of a cross-validation report.
type progress struct {
	mu       sync.Mutex
	task     Task
	now      Progress
	todo     int // trainings not done before
	begin    time.Time
	prepared time.Duration // from begin until the programs of the first worker were compiled
	ended    int           // trainings that have ended since begin
	trained  int           // their epochs
	running  map[int]int   // epochs of the trainings under way
}

// newProgress returns the progress of a task of total trainings, todo of them unfinished.
func newProgress(t Task, total, todo int) *progress {
	return &progress{task: t, todo: todo, begin: time.Now(), running: map[int]int{},
		now: Progress{Epochs: t.Protocol.Epochs, Total: total, Fits: total - todo}}
}

// compiled records that a worker has compiled its programs, and reports that the first begins to train.
func (p *progress) compiled(t *trainer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.prepared > 0 {
		return nil
	}
	p.prepared = time.Since(p.begin)
	return p.task.begins(training, p.now.All, p.now.Total, t.training.share)
}

// epoch reports the end of an epoch of training i.
func (p *progress) epoch(i, fold int, seed uint32, epoch Epoch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running[i] = epoch.Epoch + 1
	p.report(fold, seed, epoch)
}

// end saves training i and reports that it has ended.
func (p *progress) end(i int, fit *Fit) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, i)
	p.trained += fit.Epochs
	p.ended++
	p.now.Fits++
	if p.task.Save != nil {
		if err := p.task.Save(fit); err != nil {
			return err
		}
	}
	p.report(fit.Fold, fit.Seed, fit.History[len(fit.History)-1])
	return nil
}

// report reports an epoch.
func (p *progress) report(fold int, seed uint32, epoch Epoch) {
	if p.task.Report != nil {
		now := p.now
		now.Epoch, now.Fold, now.Seed, now.Left = epoch, fold, seed, p.left()
		p.task.Report(now)
	}
}

// left estimates the time left from the time an epoch took. A training that
// has not ended counts with the epochs that those that have needed on
// average, since most stop early.
func (p *progress) left() time.Duration {
	run := p.trained
	for _, n := range p.running {
		run += n
	}
	if run == 0 {
		return -1
	}
	expected := float64(p.now.Epochs)
	if p.ended > 0 {
		expected = float64(p.trained) / float64(p.ended)
	}
	need := expected * float64(p.todo-p.ended-len(p.running))
	for _, n := range p.running {
		need += min(max(1, expected-float64(n)), float64(p.now.Epochs-n))
	}
	// Without the time to compile, which would make the first estimate absurd.
	each := float64(time.Since(p.begin)-p.prepared) / float64(run)
	return time.Duration(each * need)
}
