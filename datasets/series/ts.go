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

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/text"
)

const maxLine = 1 << 26 // bytes of a series

// tsFile reads one file in the .ts format.
type tsFile struct {
	*reader
	line       int
	label      string // "class", "target" or ""
	classes    []string
	timestamps bool
	// The numbers of channels and of values of each that the header declares, 0 for none, and whether it says
	// that all series are of one length, or that they are not.
	dimensions, length int
	equal, unequal     bool
}

// readTS reads a file in the .ts format.
func (r *reader) readTS(source io.Reader) error {
	f := &tsFile{reader: r}
	content := text.NewReader(source, r.name)
	lines := bufio.NewScanner(content)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	data := false
	for lines.Scan() {
		f.line++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		var err error
		if data {
			err = f.series(string(line))
		} else {
			data, err = f.header(string(line))
		}
		switch {
		case content.Err() != nil: // the line may have been cut off by it
			return content.Err()
		case err != nil:
			return fmt.Errorf("%s, line %d: %w", r.name, f.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s, line %d: a line of more than %d MiB", r.name, f.line+1, maxLine>>20)
	case err != nil:
		return err
	case !data:
		return fmt.Errorf("%s: no line @data: is it a .ts file?", r.name)
	case r.first == "":
		r.first, r.label, r.classes = r.name, f.label, f.classes
		r.columns.Task = datasets.Classification
		if f.label == "target" {
			r.columns.Task = datasets.Regression
		}
	case r.label != f.label:
		return fmt.Errorf("%s and %s: one has classes or values to be learned that the other lacks", r.first,
			r.name)
	}
	return nil
}

// header reads a line before the data, and reports whether it announces them.
func (f *tsFile) header(line string) (data bool, err error) {
	if line[0] != '@' {
		return false, fmt.Errorf("%.40q before @data: want a line that begins with @ or #", line)
	}
	fields := strings.Fields(line)
	values := fields[1:]
	truth := len(values) > 0 && strings.EqualFold(values[0], "true")
	switch strings.ToLower(fields[0]) {
	case "@data":
		return true, nil
	case "@relation", "@attribute":
		return false, fmt.Errorf("%s: this is an ARFF file, in which series stand otherwise: take the .ts "+
			"file of the same data", fields[0])
	case "@problemname":
		if f.title == "" {
			f.title = strings.Join(values, " ")
		}
	case "@timestamps":
		f.timestamps = truth
	case "@equallength":
		f.equal, f.unequal = truth, !truth
	case "@univariate":
		if truth {
			f.dimensions = 1
		}
	case "@dimension", "@dimensions":
		f.dimensions, err = declared(fields)
	case "@serieslength":
		f.length, err = declared(fields)
	case "@classlabel":
		if truth {
			f.label = "class"
		}
		if truth && len(values) > 1 {
			f.classes = values[1:]
		}
		sorted := slices.Sorted(slices.Values(f.classes))
		if len(slices.Compact(sorted)) != len(f.classes) {
			err = errors.New("a class is declared twice")
		}
	case "@targetlabel":
		if truth {
			f.label = "target"
		}
	}
	return false, err
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
func (f *tsFile) series(line string) error {
	channels, label := split(line), ""
	if f.label != "" {
		label = strings.TrimSpace(channels[len(channels)-1])
		channels = channels[:len(channels)-1]
		switch {
		case len(channels) == 0:
			return errors.New("no channel before the class: want channels and class separated by colons")
		case label == "":
			return errors.New("no class after the last colon: write ? for one that is unknown")
		case strings.Contains(label, ",") && f.classes == nil:
			return fmt.Errorf("%.40q after the last colon is a channel, and no class: was the line cut off?",
				label)
		}
	}
	if f.dimensions > 0 && len(channels) != f.dimensions {
		return fmt.Errorf("%s, but the header declares %d: was the line cut off?",
			english.Plural(len(channels), "channel", ""), f.dimensions)
	}
	if f.n == 0 {
		f.n = len(channels)
	}
	if len(channels) != f.n {
		return fmt.Errorf("%d channels, but the first series has %d", len(channels), f.n)
	}
	values, times := make([][]float64, f.n), make([][]float64, f.n)
	for c, content := range channels {
		var err error
		if values[c], times[c], err = f.channel(content); err == nil {
			err = f.checkLength(len(values[c]))
		}
		if err != nil {
			return fmt.Errorf("channel %d: %w", c, err)
		}
	}
	p := f.add(f.line)
	p.label = label
	if f.timestamps {
		p.merge(values, times)
		return nil
	}
	for c := range values {
		if len(values[c]) != len(values[0]) {
			return fmt.Errorf("channel %d has %d values, but channel 0 has %d: write ? for what is missing",
				c, len(values[c]), len(values[0]))
		}
	}
	p.points = make([]float64, 0, f.n*len(values[0]))
	for t := range values[0] {
		for c := range values {
			p.points = append(p.points, values[c][t])
		}
	}
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

// channel reads the values of one channel, with their times if the file has them.
func (f *tsFile) channel(content string) (values, times []float64, err error) {
	for more := true; more; {
		var field string
		if f.timestamps {
			var at float64
			if at, field, content, err = f.timed(content); err != nil {
				return nil, nil, err
			}
			if last := len(times) - 1; last >= 0 && at <= times[last] {
				return nil, nil, fmt.Errorf("time %v after %v: times have to ascend", at, times[last])
			}
			times, more = append(times, at), content != ""
		} else {
			field, content, more = strings.Cut(content, ",")
		}
		x, err := number(field)
		if err != nil {
			return nil, nil, fmt.Errorf("value %d: %w", len(values), err)
		}
		values = append(values, x)
	}
	return values, times, f.count(len(values))
}

// checkLength returns an error for a channel of another length than the header declares.
func (f *tsFile) checkLength(length int) error {
	if f.equal && f.length == 0 {
		f.length = length
	}
	if f.length > 0 && !f.unequal && (f.equal || !f.timestamps) && length != f.length {
		return fmt.Errorf("%s, but the header declares series of %d: was the line cut off?",
			english.Plural(length, "value", ""), f.length)
	}
	return nil
}

// timed reads the (time,value) that a text begins with, and returns what follows after a comma.
func (f *tsFile) timed(content string) (at float64, value, rest string, err error) {
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
	at, err = f.when(when)
	return at, value, rest, err
}

// merge puts channels whose values stand at ascending times of their own on one clock.
func (p *path) merge(values, times [][]float64) {
	p.times = slices.Concat(times...)
	slices.Sort(p.times)
	p.times = slices.Compact(p.times)
	p.points = slices.Repeat([]float64{math.NaN()}, p.n*len(p.times))
	for c := range values {
		for i, at := range times[c] {
			t, _ := slices.BinarySearch(p.times, at)
			p.row(t)[c] = values[c][i]
		}
	}
}
