package series

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
)

// EachTS calls do with the series that OpenTS("", path) reads, in parts of some thousands without notes, and
// with the share of all series that are in the parts so far. It returns the notes on all of them: for
// predictions, a file may be of any size. It is read twice, at first for the labels.
func EachTS(path string, do func(part *Set, share float64) error) (notes []string, err error) {
	return (&reader{}).each(path, partSize, do)
}

// EachTable calls do with the paths that OpenTable(columns, "", path) reads, as [EachTS] does. Where the rows
// of a path do not stand together, it is held in memory until the last of them, and so are all that come
// after it.
func EachTable(columns Columns, path string, do func(part *Set, share float64) error) (notes []string,
	err error) {
	return columns.reader().each(path, partSize, do)
}

// size bounds a part of a file: the number of its paths, and that of values that end it. Fewer paths than few
// are no part of their own.
type size struct{ paths, values, few int }

var partSize = size{4096, 1 << 22, 256}

// parts is the state of a reader that reads a file twice: its first pass counts paths and their rows and
// takes their labels, and the second reads their values, and passes complete paths on.
type parts struct {
	counted bool // the first pass is over
	most    size
	do      func(*Set, float64) error
	failed  error // of do, which is none of the file
	info    datasets.Info
	all     tally

	begun    int // paths of which the second pass has read something
	from, to int // paths of the next part so far
	numbers  int // values of these
	mostHeld int // paths that were held at once
}

// surveys reports whether a pass is the first of two, and second whether it is the second.
func (r *reader) surveys() bool { return r.parts != nil && !r.counted }
func (r *reader) second() bool  { return r.parts != nil && r.counted }

// each is EachTS or EachTable, in parts of that size.
func (r *reader) each(path string, most size, do func(*Set, float64) error) (notes []string, err error) {
	r.predicted, r.parts = true, &parts{most: most, do: do}
	if err := r.survey(path); err != nil {
		return nil, err
	}
	return r.deliver(path)
}

// survey is the first pass.
func (r *reader) survey(path string) error {
	sum, err := r.open(path)
	if err == nil {
		err = r.end(sum)
	}
	if err == nil {
		r.info, err = r.learn()
	}
	r.counted = true
	return err
}

// deliver is the second pass. It returns the notes.
func (r *reader) deliver(path string) (notes []string, err error) {
	sum, err := r.open(path)
	switch {
	case r.failed != nil:
		return nil, r.failed
	case err == nil && (sum != r.sums[0] || r.to < len(r.paths)):
		err = r.changed()
	case err == nil && r.from < r.to:
		err = r.flush()
	}
	if err != nil {
		return nil, err
	}
	notes = r.all.notes(r.features())
	if r.mostHeld > 2*r.most.paths {
		notes = append(notes, fmt.Sprintf("the rows of a path do not stand together: up to %s were held in "+
			"memory", english.Plural(r.mostHeld, "path", "")))
	}
	return notes, nil
}

// changed returns the error of a file whose second pass differs from the first.
func (r *reader) changed() error {
	return fmt.Errorf("%s was changed while it was read", r.name)
}

// next returns the next path of the second pass that was counted in the first.
func (r *reader) next() (*path, error) {
	if r.begun == len(r.paths) {
		return nil, r.changed()
	}
	p := &r.paths[r.begun]
	p.observed = &observed{n: r.n}
	r.begun++
	r.mostHeld = max(r.mostHeld, r.begun-r.from)
	return p, nil
}

// done notes that a row of a path was read in the second pass, and passes complete paths on.
func (r *reader) done(p *path) error {
	if p.rows--; p.rows < 0 {
		return r.changed()
	}
	for r.to < r.begun && r.paths[r.to].rows == 0 {
		p := &r.paths[r.to]
		r.values -= len(p.order)
		p.sort()
		r.to++
		r.numbers += len(p.points)
		full := r.to-r.from >= r.most.paths && len(r.paths)-r.to >= r.most.few
		if full || r.numbers >= r.most.values {
			if err := r.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush passes a part on.
func (r *reader) flush() error {
	part, err := r.some(r.info, r.from, r.to)
	if err != nil {
		return err
	}
	r.all.add(part.tally)
	r.values -= r.numbers
	r.from, r.numbers = r.to, 0
	r.failed = r.do(part, float64(r.to)/float64(len(r.paths)))
	return r.failed
}
