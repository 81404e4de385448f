package series

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
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
	line    int
	label   string // "class", "target" or ""
	classes []string
	// The numbers of channels and of values of each that the header declares, 0 for none, and whether it says
	// that all series are of one length, or that they are not.
	dimensions, length int
	equal, unequal     bool
}

// readTS reads a file in the .ts format.
func (r *reader) readTS(source io.Reader) error {
	f := &tsFile{reader: r}
	content := text.NewReader(source, r.name)
	data := false
	for lines := content.Lines(maxLine); lines.Next(); {
		line := bytes.TrimSpace(lines.Line)
		if f.line = lines.Number; len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		var err error
		if data {
			err = f.series(line)
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
	switch {
	case content.Err() != nil:
		return content.Err()
	case !data:
		return fmt.Errorf("%s: no line @data: is it a .ts file?", r.name)
	case r.second(): // it was seen in the first
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
		f.title = cmp.Or(f.title, strings.Join(values, " "))
	case "@timestamps":
		if truth {
			err = errors.New("@timestamps: series with times of their own are not read: write them as " +
				"a table, a CSV file with a row for every observation")
		}
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
	case "@classlabel", "@targetlabel":
		if truth {
			err = f.declare(strings.TrimSuffix(strings.ToLower(fields[0][1:]), "label"), values[1:])
		}
	}
	return false, err
}

// declare takes what is to be learned, and the classes that a header declares, if any.
func (f *tsFile) declare(label string, classes []string) error {
	if f.label = label; len(classes) == 0 || label != "class" {
		return nil
	}
	f.classes = classes
	if sorted := slices.Sorted(slices.Values(classes)); len(slices.Compact(sorted)) != len(classes) {
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
		return 0, fmt.Errorf("%s: %.40q is not a number", fields[0], fields[1])
	}
	return max(0, n), nil
}

// series reads a line of data: channels, separated by colons, and what is to be learned.
func (f *tsFile) series(line []byte) error {
	line, label, err := f.cut(line)
	switch {
	case err != nil:
		return err
	case f.surveys():
		p := f.add(f.line)
		p.label, p.rows = label, 1
		return nil
	}
	channels := strings.Split(string(line), ":")
	if f.dimensions > 0 && len(channels) != f.dimensions {
		return fmt.Errorf("%s, but the header declares %d: was the line cut off?",
			english.Plural(len(channels), "channel", ""), f.dimensions)
	}
	if f.n = cmp.Or(f.n, len(channels)); len(channels) != f.n {
		return fmt.Errorf("%d channels, but the first series has %d", len(channels), f.n)
	}
	if !f.second() {
		p := f.add(f.line)
		p.label = label
		return f.values(p, channels)
	}
	p, err := f.next()
	if err == nil {
		err = f.values(p, channels)
	}
	if err == nil {
		err = f.done(p)
	}
	return err
}

// cut returns the channels of a series and its label, if the file has labels.
func (f *tsFile) cut(line []byte) (channels []byte, label string, err error) {
	if f.label == "" {
		return line, "", nil
	}
	colon := bytes.LastIndexByte(line, ':')
	label = string(bytes.TrimSpace(line[colon+1:]))
	switch {
	case colon < 0:
		return nil, "", errors.New("no channel before the class: want channels and class separated by colons")
	case label == "":
		return nil, "", errors.New("no class after the last colon: write ? for one that is unknown")
	case strings.Contains(label, ",") && f.classes == nil:
		return nil, "", fmt.Errorf("%.40q after the last colon is a channel, not a class: was the line cut "+
			"off?", label)
	}
	return line[:colon], label, nil
}

// values reads the channels of a series.
func (f *tsFile) values(p *path, channels []string) error {
	length := strings.Count(channels[0], ",") + 1
	if f.equal {
		f.length = cmp.Or(f.length, length)
	}
	p.points = make([]float64, f.n*length)
	for c, content := range channels {
		switch count := strings.Count(content, ",") + 1; {
		case f.length > 0 && !f.unequal && count != f.length:
			return fmt.Errorf("channel %d: %s, but the header declares series of %d: was the line cut off?",
				c, english.Plural(count, "value", ""), f.length)
		case count != length:
			return fmt.Errorf("channel %d has %d values, but channel 0 has %d: write ? for what is missing",
				c, count, length)
		}
		for t := range length {
			var field string
			var err error
			field, content, _ = strings.Cut(content, ",")
			if p.row(t)[c], err = number(field); err != nil {
				return fmt.Errorf("channel %d: value %d: %w", c, t, err)
			}
		}
	}
	return f.count(len(p.points))
}
