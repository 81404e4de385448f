package series

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets/internal/table"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

const (
	maxLine   = 1 << 26 // bytes of a series
	maxValues = 1 << 28 // of a file, or all of a folder: 2 GiB
)

// reader reads one file in the .ts format.
type reader struct {
	*file
	line       int
	timestamps bool
	// The numbers of channels and of values of each that the header declares, 0 for none, and whether it says
	// that all series are of one length, or that they are not.
	dimensions, length int
	equal, unequal     bool
}

// readTS reads a file in the .ts format.
func (f *file) readTS(source io.Reader) error {
	r := &reader{file: f}
	f.task = "class"
	content := text.NewReader(source, f.name)
	lines := bufio.NewScanner(content)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	data := false
	for lines.Scan() {
		r.line++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		var err error
		if data {
			err = r.series(string(line))
		} else {
			data, err = r.header(string(line))
		}
		switch {
		case content.Err() != nil: // the line may have been cut off by it
			return content.Err()
		case err != nil:
			return fmt.Errorf("%s, line %d: %w", f.name, r.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s, line %d: a line of more than %d MiB", f.name, r.line+1, maxLine>>20)
	case err != nil:
		return err
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
	case "@relation", "@attribute":
		return false, fmt.Errorf("%s: this is an ARFF file, in which series stand otherwise: take the .ts "+
			"file of the same data", fields[0])
	case "@problemname":
		r.title = strings.Join(values, " ")
	case "@timestamps":
		r.timestamps = truth()
	case "@equallength":
		r.equal = truth()
		r.unequal = !r.equal
	case "@univariate":
		if truth() {
			r.dimensions = 1
		}
	case "@dimension", "@dimensions":
		r.dimensions, err = declared(fields)
	case "@serieslength":
		r.length, err = declared(fields)
	case "@classlabel":
		r.labeled = truth()
		return false, r.declareClasses(values)
	case "@targetlabel":
		if r.regression = truth(); r.regression {
			r.task, r.labeled = "target", true
		}
	}
	return false, err
}

// declareClasses reads the classes after the word true.
func (r *reader) declareClasses(values []string) error {
	if !r.labeled || len(values) < 2 {
		return nil
	}
	r.classes = values[1:]
	sorted := slices.Sorted(slices.Values(r.classes))
	if len(slices.Compact(sorted)) != len(r.classes) {
		return errors.New("a class is declared twice")
	}
	return nil
}

// declared returns the number that a line of a header declares. Some programs write 0 or -1 for none.
func declared(fields []string) (int, error) {
	if len(fields) != 2 {
		return 0, fmt.Errorf("%s: want one number", fields[0])
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0, fmt.Errorf("%s: %.40q is no number", fields[0], fields[1])
	}
	return max(0, n), nil
}

// series reads a line of data: channels, separated by colons, and what is to be learned.
func (r *reader) series(line string) error {
	p := path{line: r.line}
	channels := split(line)
	if r.labeled {
		p.label = strings.TrimSpace(channels[len(channels)-1])
		channels = channels[:len(channels)-1]
		switch {
		case len(channels) == 0:
			return errors.New("no channel before the class: want channels and class separated by colons")
		case p.label == "":
			return errors.New("no class after the last colon: write ? for one that is unknown")
		case strings.Contains(p.label, ",") && r.classes == nil:
			return fmt.Errorf("%.40q after the last colon is a channel, and no class: was the line cut off?",
				p.label)
		}
	}
	if r.dimensions > 0 && len(channels) != r.dimensions {
		return fmt.Errorf("%s, but the header declares %d: was the line cut off?",
			english.Plural(len(channels), "channel", ""), r.dimensions)
	}
	for c, content := range channels {
		if err := r.channel(&p, c, content); err != nil {
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
func (r *reader) channel(p *path, c int, content string) error {
	var values, times []float64
	for more := true; more; {
		var field string
		var err error
		if r.timestamps {
			var at float64
			if at, field, content, err = r.timed(content); err != nil {
				return err
			}
			if len(times) > 0 && at <= times[len(times)-1] {
				return fmt.Errorf("time %v after %v: times have to ascend", at, times[len(times)-1])
			}
			times, more = append(times, at), content != ""
		} else {
			field, content, more = strings.Cut(content, ",")
		}
		x, err := number(field)
		if err != nil {
			return fmt.Errorf("value %d: %w", len(values), err)
		}
		values = append(values, x)
		if err := r.count(1); err != nil {
			return err
		}
	}
	if err := r.checkLength(len(values)); err != nil {
		return err
	}
	p.channels = append(p.channels, values)
	if r.timestamps {
		p.merge(c, times)
	}
	return nil
}

// checkLength returns an error for a channel of another length than the header declares.
func (r *reader) checkLength(length int) error {
	if r.equal && r.length == 0 {
		r.length = length
	}
	if r.length > 0 && !r.unequal && (r.equal || !r.timestamps) && length != r.length {
		return fmt.Errorf("%s, but the header declares series of %d: was the line cut off?",
			english.Plural(length, "value", ""), r.length)
	}
	return nil
}

// timed reads the (time,value) that a text begins with, and returns what follows after a comma.
func (r *reader) timed(content string) (at float64, value, rest string, err error) {
	content = strings.TrimSpace(content)
	inner, rest, closed := strings.Cut(content, ")")
	when, value, both := strings.Cut(strings.TrimPrefix(inner, "("), ",")
	if !closed || !both || !strings.HasPrefix(inner, "(") {
		return 0, "", "", fmt.Errorf("%.40q where (time,value) has to be", content)
	}
	if after := strings.TrimSpace(rest); after != "" {
		next, comma := strings.CutPrefix(after, ",")
		if rest = strings.TrimSpace(next); !comma || rest == "" {
			return 0, "", "", fmt.Errorf("%.40q after (time,value), where a comma and another one has to be",
				after)
		}
	}
	at, err = r.when(when)
	return at, value, rest, err
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

// number returns the number that a text spells, NaN for one that is missing.
func number(spelled string) (float64, error) {
	spelled = strings.TrimSpace(spelled)
	if table.Missing(spelled) {
		return math.NaN(), nil
	}
	x, err := text.Number(spelled)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%.40q is not a finite number; ? stands for one that is missing", spelled)
	case math.Abs(x) > math.MaxFloat32:
		return 0, fmt.Errorf("%.40q is not a finite number that 32 bits can hold", spelled)
	}
	return x, nil
}
