package series

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

const (
	maxLine   = 1 << 26 // bytes of a series
	maxValues = 1 << 28 // of a file, or all of a folder: 2 GiB
)

// OpenTS returns the series of files in the .ts format of the UCR and UEA archives (Bagnall et al. 2018), as
// sktime and aeon write it: one file to be trained on and, if there are more, those to be tested with.
//
// Series may be univariate or multivariate, of unequal lengths, with missing values (?, NaN or nothing) and
// with times, as (time,value); times are numbers or dates, and ascend. What is to be learned is a class
// (@classLabel) or a number (@targetLabel). Without either the collection has one class: it is there to be
// predicted. It is an error, with file and line, if a file is anything else.
func OpenTS(train string, test ...string) (*Set, error) {
	var parts []part
	for _, name := range append([]string{train}, test...) {
		f, err := readFile(name, filepath.Base(name), (*file).readTS)
		if err != nil {
			return nil, err
		}
		parts = append(parts, single(f))
	}
	return newSet(parts)
}

// readFile reads a file in a format; errors call it by the name.
func readFile(path, name string, read func(*file, io.Reader) error) (*file, error) {
	sum, err := datasets.FileSHA256(path)
	if err != nil {
		return nil, err
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	f := &file{name: name, sum: sum}
	if err := read(f, r); err != nil {
		return nil, err
	}
	if f.title == "" {
		f.title = strings.TrimSuffix(f.name, filepath.Ext(f.name))
	}
	return f, nil
}

// reader reads one file.
type reader struct {
	*file
	line       int
	timestamps bool
}

// readTS reads a file in the .ts format.
func (f *file) readTS(source io.Reader) error {
	r := &reader{file: f}
	f.task = "class"
	lines := bufio.NewScanner(source)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	data := false
	for lines.Scan() {
		r.line++
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\xef\xbb\xbf")))
		if len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		var err error
		if data {
			err = r.series(string(line))
		} else {
			data, err = r.header(string(line))
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", f.name, r.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s, line %d: a line of more than %d MiB", f.name, r.line+1, maxLine>>20)
	case err != nil:
		return fmt.Errorf("%s, line %d: %w", f.name, r.line+1, err)
	case !data:
		return fmt.Errorf("%s: no line @data: is it a .ts file?", f.name)
	}
	return nil
}

// header reads a line before the data, and reports whether it announces them.
func (r *reader) header(line string) (data bool, err error) {
	if line[0] != '@' {
		return false, fmt.Errorf("%.40q before @data: want a line that begins with @ or #", line)
	}
	fields := strings.Fields(line)
	key, values := strings.ToLower(fields[0]), fields[1:]
	truth := func() bool { return len(values) > 0 && strings.EqualFold(values[0], "true") }
	switch key {
	case "@data":
		return true, nil
	case "@problemname":
		r.title = strings.Join(values, " ")
	case "@timestamps":
		r.timestamps = truth()
	case "@classlabel":
		if r.labeled = truth(); r.labeled && len(values) > 1 {
			r.classes = values[1:]
			sorted := slices.Sorted(slices.Values(r.classes))
			if len(slices.Compact(sorted)) != len(r.classes) {
				return false, errors.New("a class is declared twice")
			}
		}
	case "@targetlabel":
		if r.regression = truth(); r.regression {
			r.task = "target"
		}
		r.labeled = r.regression || r.labeled
	}
	return false, nil
}

// series reads a line of data: channels, separated by colons, and what is to be learned.
func (r *reader) series(line string) error {
	p := path{line: r.line}
	channels := split(line)
	if r.labeled {
		label := strings.TrimSpace(channels[len(channels)-1])
		channels = channels[:len(channels)-1]
		switch {
		case r.regression:
			target, err := number(label)
			if err != nil {
				return fmt.Errorf("the value to be learned: %w", err)
			}
			p.target = target
		case label == "":
			return errors.New("no class after the last colon")
		default:
			p.label = label
		}
	}
	if len(channels) == 0 {
		return errors.New("no channel before the class: want channels and class separated by colons")
	}
	for c, text := range channels {
		if err := r.channel(&p, c, text); err != nil {
			return fmt.Errorf("channel %d: %w", c, err)
		}
	}
	if err := p.align(); err != nil {
		return err
	}
	r.paths = append(r.paths, p)
	return nil
}

// split splits a line at colons outside of parentheses.
func split(line string) (parts []string) {
	depth, start := 0, 0
	for i := range len(line) {
		switch line[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ':':
			if depth <= 0 {
				parts = append(parts, line[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, line[start:])
}

// channel reads the values of one channel. With times its values stand at those of all channels before.
func (r *reader) channel(p *path, c int, text string) error {
	var values, times []float64
	for text != "" {
		var field string
		if r.timestamps {
			open, end := strings.IndexByte(text, '('), strings.IndexByte(text, ')')
			if open < 0 || end < open {
				return fmt.Errorf("%q where (time,value) has to be", datasets.Printable(text))
			}
			field, text = text[open+1:end], strings.TrimLeft(text[end+1:], ", ")
			at, value, ok := strings.Cut(field, ",")
			time, err := clock(at)
			if !ok {
				return fmt.Errorf("%.40q where (time,value) has to be", field)
			}
			if err != nil {
				return err
			}
			if len(times) > 0 && time <= times[len(times)-1] {
				return fmt.Errorf("time %v after %v: times have to ascend", time, times[len(times)-1])
			}
			times, field = append(times, time), value
		} else {
			field, text, _ = strings.Cut(text, ",")
		}
		x, err := number(field)
		if err != nil {
			return fmt.Errorf("value %d: %w", len(values), err)
		}
		values = append(values, x)
		if r.values++; r.values > maxValues {
			return fmt.Errorf("more than %d values in one file", maxValues)
		}
	}
	p.channels = append(p.channels, values)
	if r.timestamps {
		p.merge(c, times)
	}
	return nil
}

// merge puts the last channel c, whose values stand at the given times, on one clock with those before it.
func (p *path) merge(c int, times []float64) {
	if c == 0 || slices.Equal(times, p.times) {
		p.times = times
		return
	}
	all := slices.Concat(p.times, times)
	slices.Sort(all)
	all = slices.Compact(all)
	for i := range c + 1 {
		old := p.times
		if i == c {
			old = times
		}
		spread := make([]float64, len(all))
		next := 0
		for t, at := range all {
			spread[t] = math.NaN()
			if next < len(old) && old[next] == at {
				spread[t] = p.channels[i][next]
				next++
			}
		}
		p.channels[i] = spread
	}
	p.times = all
}

// align returns an error unless all channels have as many values.
func (p *path) align() error {
	for c, values := range p.channels {
		if len(values) != len(p.channels[0]) {
			return fmt.Errorf("channel %d has %d values, but channel 0 has %d: write ? for what is missing",
				c, len(values), len(p.channels[0]))
		}
	}
	return nil
}

// number returns a number, NaN for one that is missing.
func number(text string) (float64, error) {
	text = strings.TrimSpace(text)
	switch text {
	case "", "?", "NaN", "nan", "NA":
		return math.NaN(), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), math.IsNaN(x):
		return 0, fmt.Errorf("%.40q is not a finite number; ? stands for one that is missing", text)
	case math.Abs(x) > math.MaxFloat32:
		return 0, fmt.Errorf("%.40q is not a finite number that 32 bits can hold", text)
	}
	return x, nil
}
