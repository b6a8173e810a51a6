package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"baton/internal/store/disk"
)

const (
	logFolder = "log"
	logEnding = ".jsonl"
	logDigits = 6
	logFull   = 4 << 20                // size from which the next file begins, in bytes
	logMost   = logFull + 2*mostRecord // the largest file of the log, in bytes
)

func logName(number int) string { return fmt.Sprintf("%0*d%s", logDigits, number, logEnding) }

// logNumber parses a name of logName. It returns 0 for any other name.
func logNumber(name string) int {
	digits, ok := strings.CutSuffix(name, logEnding)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || logName(n) != name {
		return 0
	}
	return n
}

// logNumbers returns the numbers of the log's files, sorted.
func (h *History) logNumbers(folder string) ([]int, error) {
	infos, err := h.fs.ReadDir(folder)
	if disk.Gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, disk.Refused(err, h.at.Shown(folder), "listed")
	}
	var numbers []int
	for _, i := range infos {
		if n := logNumber(i.Name); n > 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// logReading is the result of reading the log, and the state of its chain at the end.
type logReading struct {
	changes []Change
	faults  []LogFault
	broken  bool // something after the last good record cannot be read

	file     string
	line     int
	pending  []LogFault // torn lines, which the next record may explain
	followed bool       // everything since the last good record could be read

	cameTrue func(c *Change) bool // whether an intent counts
}

// readLog reads all files. Errors: Refused.
func (h *History) readLog(ctx context.Context) (*logReading, error) {
	r := &logReading{followed: true, cameTrue: h.changeCameTrue}
	folder, err := h.at.Folder(logFolder)
	if err != nil {
		return nil, err
	}
	numbers, err := h.logNumbers(folder)
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.file, r.line = logFolder+"/"+logName(n), 0
		data, why, err := h.logFile(disk.Join(folder, logName(n)), disk.Whole)
		if err != nil {
			return nil, err
		}
		if why != "" {
			r.unreadable(why)
			continue
		}
		r.lines(data)
	}
	return r, nil // the next record will explain what is pending at the end
}

// logFile reads part of one file of the log. If the file cannot be a log file, why says so.
func (h *History) logFile(path string, part disk.Span) (data []byte, why string, err error) {
	c, err := disk.Read(h.fs, path, part, logMost)
	if _, ok := errors.AsType[*disk.SizeError](err); ok {
		return nil, "it is larger than any file of the log", nil
	}
	if disk.IsSpecial(err) || errors.Is(err, disk.ErrFolder) {
		_, why, _ := disk.Reason(err)
		return nil, why, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", disk.Refused(err, h.at.Shown(path), "read")
	}
	return c.Data, "", nil
}

// lines processes the complete lines of a file.
func (r *logReading) lines(data []byte) {
	for {
		line, rest, complete := bytes.Cut(data, []byte{'\n'})
		if !complete {
			r.unterminated(line)
			return
		}
		r.line++
		c, is := parseChange(line)
		switch is {
		case recordGood:
			r.good(c)
		case recordAltered:
			r.unreadable("this record was altered")
		default:
			r.pending = append(r.pending, r.fault("this line is not a record"))
			r.followed, r.broken = false, true
		}
		data = rest
	}
}

// unterminated processes what follows the last complete line: an intent, or part of a record.
func (r *logReading) unterminated(line []byte) {
	if len(line) == 0 {
		return
	}
	c, is := parseChange(line)
	switch {
	case is != recordGood:
		r.broken = true
	case r.cameTrue(&c):
		r.line++
		r.good(c)
	}
}

func (r *logReading) fault(text string) LogFault {
	return LogFault{File: r.file, Line: r.line, Text: text}
}

// unreadable adds a fault that no crash explains.
func (r *logReading) unreadable(why string) {
	r.faults = append(r.faults, r.fault(why))
	r.followed, r.broken = false, true
}

// good adds a record and compares it with the one before.
func (r *logReading) good(c Change) {
	if c.Broken {
		r.pending = nil // a crash left the torn lines, and this record says so
	}
	r.faults = append(r.faults, r.pending...)
	for i := range r.faults {
		if r.faults[i].Seq == 0 {
			r.faults[i].Seq = c.Seq
		}
	}
	seq, sum := int64(0), ""
	if n := len(r.changes); n > 0 {
		seq, sum = r.changes[n-1].Seq, r.changes[n-1].Sum
	}
	joins := c.Prev == sum && c.Seq == seq+1
	if !joins && r.followed && (!c.Broken || c.Prev != "") {
		f := r.fault(fmt.Sprintf("record %d does not follow record %d: one was removed, added or moved", c.Seq, seq))
		if seq == 0 {
			f.Text = fmt.Sprintf("the log begins with record %d: earlier records were removed", c.Seq)
		}
		f.Seq = c.Seq
		r.faults = append(r.faults, f)
	}
	r.changes = append(r.changes, c)
	r.pending, r.followed, r.broken = nil, true, false
}
