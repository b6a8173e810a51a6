package history

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/records"
)

// A shard keeps its versions in segments, in order of time. A segment has an index, which is a file
// of records, and one or more files with the bytes. Each of these holds only bytes that everybody
// who can read the file may see. Versions are only appended, to the newest segment. The oldest
// segments are dropped as a whole (ADR 12).
const (
	firstSegment = 1 << 16 // smaller numbers are for the old form of earlier versions of baton
	fullSegment  = 1 << 20 // size from which the next segment begins, in bytes
	mostParts    = 4       // files with bytes per segment
	indexEnding  = ".index"
	segmentsAge  = 8 // a segment takes versions for 1/segmentsAge of the time for which versions are kept
)

// oldIndex is the index of a shard in the form of older versions of baton: one for all packs. It
// counts as segment 0.
const oldIndex = "index"

// fullAt returns the size from which a segment is full. A segment may take only a small part of the
// room for all versions.
func (l Limits) fullAt() int64 { return min(fullSegment, l.MaxBytes/16) }

func indexPath(dir string, segment int) string {
	if segment == 0 {
		return disk.Join(dir, oldIndex)
	}
	return disk.Join(dir, strconv.Itoa(segment)+indexEnding)
}

func partPath(dir string, segment, part int) string {
	return disk.Join(dir, strconv.Itoa(segment)+"."+strconv.Itoa(part))
}

// segmentNumber returns the number of the segment whose index has that name.
func segmentNumber(base string) (number int, ok bool) {
	if base == oldIndex {
		return 0, true
	}
	digits, ok := strings.CutSuffix(base, indexEnding)
	number, err := strconv.Atoi(digits)
	return number, ok && err == nil && number > 0 && strconv.Itoa(number) == digits
}

// partOf returns the number of the segment to which the file with bytes of that name belongs.
func partOf(base string) (number int, ok bool) {
	digits, part, ok := strings.Cut(base, ".")
	number, err := strconv.Atoi(digits)
	n, errPart := strconv.Atoi(part)
	ok = ok && err == nil && errPart == nil && number > 0 && n >= 1 && n <= mostParts
	return number, ok && strconv.Itoa(number)+"."+strconv.Itoa(n) == base
}

// place returns the file with the bytes of a version, and which part of it they are.
func (v *Snapshot) place(dir string) (path string, part disk.Span) {
	switch {
	case v.Part > 0:
		path = partPath(dir, v.Segment, v.Part)
	case v.Pack > 0:
		path = disk.Join(dir, packName(v.Pack))
	default:
		return disk.Join(dir, v.Hash), disk.Whole
	}
	return path, func(size int64) (int64, int64) {
		from := min(v.From, size)
		return from, min(v.Packed, size-from)
	}
}

// segmentsIn returns the numbers of a shard's segments, oldest first.
func (h *History) segmentsIn(dir string) ([]int, error) {
	infos, err := h.fs.ReadDir(dir)
	if disk.Gone(err) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var numbers []int
	for _, i := range infos {
		if n, ok := segmentNumber(i.Name); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, err
}

// segment is a segment that is open for appending.
type segment struct {
	dir    string
	number int
	index  disk.File
	end    records.Ending // of the index
}

// openSegment opens the segment for the next version: the newest, or a new one if that is full or
// has been open for long enough. hint is the number of the newest segment at the last commit; 0 if
// unknown.
func (w *recorder) openSegment(dir string, hint int) (*segment, error) {
	number, err := w.newestSegment(dir, hint)
	if err != nil {
		return nil, err
	}
	return w.openSegmentAt(dir, max(number, firstSegment))
}

// openSegmentAt opens a segment or, if it is full, the next one.
func (w *recorder) openSegmentAt(dir string, number int) (*segment, error) {
	sg, err := w.openIndex(dir, number)
	if err != nil || !w.isFull(sg) {
		return sg, err
	}
	if err := sg.index.Close(); err != nil {
		return nil, err
	}
	return w.openIndex(dir, number+1)
}

// newestSegment returns the number of the newest segment, or 0. It tries the next number, because
// that costs less than listing the folder.
func (w *recorder) newestSegment(dir string, hint int) (int, error) {
	there := func(number int) bool { return disk.Exists(w.fs, indexPath(dir, number)) }
	if hint > 0 && there(hint) {
		for there(hint + 1) {
			hint++
		}
		return hint, nil
	}
	numbers, err := w.segmentsIn(dir)
	if err != nil || len(numbers) == 0 {
		return 0, err
	}
	return numbers[len(numbers)-1], nil
}

// openIndex opens a segment, and creates it if it is absent. It cuts off what a crash left at the
// end of the index.
func (w *recorder) openIndex(dir string, number int) (*segment, error) {
	path := indexPath(dir, number)
	f, err := w.fs.Append(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = w.fs.Create(path, 0o666)
	}
	if err != nil {
		return nil, err
	}
	end, err := endOf(f, indexEnd, indexMore, store.MaxSize)
	if err == nil {
		err = end.Repair(f)
	}
	if err != nil {
		return nil, disk.Closing(f, err)
	}
	return &segment{dir, number, f, end}, nil
}

// isFull reports whether a segment takes no more versions because of its size or its age.
func (w *recorder) isFull(sg *segment) bool {
	limits := w.o.Snapshots
	last, ok := parseRecord(sg.end.Last())
	if sg.end.Size() >= limits.fullAt() || ok && last.From+last.Packed >= limits.fullAt() {
		return true
	}
	if limits.MaxAge <= 0 {
		return false
	}
	first := sg.end.Lines
	if sg.end.From > 0 {
		c, err := disk.ReadFrom(sg.index, disk.Head(indexEnd), 0)
		if err != nil {
			return false
		}
		first = c.Data
	}
	line, _, _ := bytes.Cut(first, []byte{'\n'})
	began, ok := parseRecord(line)
	return ok && began.At.Before(w.at.Env().Now().Add(-limits.MaxAge/segmentsAge))
}

// lastVersion returns the newest record of a document, or nil if there is none as far back as a
// commit looks.
func (w *recorder) lastVersion(sg *segment, name string) *Snapshot {
	found := func(lines []byte, number int) *Snapshot {
		v := lastRecord(lines, name)
		if v != nil {
			v.Segment = number
		}
		return v
	}
	if v := found(sg.end.Lines, sg.number); v != nil {
		return v
	}
	left := indexMore
	if sg.end.From > 0 {
		if c, err := disk.ReadFrom(sg.index, disk.Tail(left), 0); err == nil {
			if v := found(c.Data, sg.number); v != nil {
				return v
			}
			left -= len(c.Data)
		}
	}
	for number := sg.number - 1; number >= 0 && left > 0; number-- {
		c, err := disk.Read(w.fs, indexPath(sg.dir, number), disk.Tail(left), 0)
		if err != nil || !c.Exists {
			number = min(number, 1) // before the oldest segment, or a dropped one: only the old form is left
			continue
		}
		if v := found(c.Data, number); v != nil {
			return v
		}
		left -= len(c.Data)
	}
	return nil
}

// samePacked returns the record of a version in this segment with the same bytes, or nil. Equal
// bytes are kept once.
func (w *recorder) samePacked(sg *segment, hash string, packed []byte) *Snapshot {
	quoted := []byte(`"hash":"` + hash + `"`)
	for line := range records.Backward(sg.end.Lines) {
		if !bytes.Contains(line, quoted) {
			continue
		}
		v, ok := parseRecord(line)
		if !ok || v.Part == 0 || v.Hash != hash {
			continue
		}
		v.Segment = sg.number
		path, part := v.place(sg.dir)
		if c, err := disk.Read(w.fs, path, part, 0); err == nil && bytes.Equal(c.Data, packed) {
			return &v
		}
		return nil
	}
	return nil
}

// appendPart appends bytes to a file of the segment that nobody can read whom mode excludes.
func (w *recorder) appendPart(sg *segment, packed []byte, mode fs.FileMode) (part int, from int64, err error) {
	for part = 1; part <= mostParts; part++ {
		f, err := w.openPart(partPath(sg.dir, sg.number, part), part, mode)
		if err != nil {
			return 0, 0, err
		}
		info, err := f.Stat()
		if err == nil {
			err = disk.CheckRegular(info)
		}
		fits := err == nil && info.Mode.Perm()&^(mode|0o600) == 0
		if fits {
			err = records.Append(f, info.Size, packed)
		}
		if err = disk.Closing(f, err); err != nil || fits {
			return part, info.Size, err
		}
	}
	return 0, 0, errNoPart
}

func (w *recorder) openPart(path string, part int, mode fs.FileMode) (disk.File, error) {
	f, err := w.fs.Append(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if part == mostParts {
		mode = 0 // the last file is for all other modes
	}
	return w.fs.Create(path, mode|0o600)
}

var errNoPart = errors.New("no file of the segment has fitting permissions")
