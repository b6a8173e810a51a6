package history

import (
	"context"
	"errors"
	"io/fs"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/records"
)

// logging is a record that a commit has appended to the log, so that it can be taken back if the
// commit fails.
type logging struct {
	w *recorder
	records.Growth
	made   bool // the file was created for it
	number int  // of the file
	change *Change
	f      disk.File // open until the record of a commit counts or is taken back
	whole  bool      // the record counts
}

// logChange appends the record of a commit to the log (D37). It runs after everything is staged, so
// that times and identities of the new files are known, and before the commit point. missing maps
// documents to the number of missing entries in their families. A fault becomes a note and never
// prevents the commit; the result is then nil.
func (w *recorder) logChange(of *filestore.Intent, missing map[string]int) *logging {
	if !w.logs() || w.noVersions {
		return nil
	}
	c := Change{Docs: w.docChanges(of, missing), Moved: of.Moved, Undoes: of.Undoes}
	if len(c.Docs) == 0 && c.Moved == 0 {
		return nil
	}
	w.attribute(&c)
	l, err := w.writeLog(&c, true)
	if err != nil {
		why := report.As(disk.Refused(err, w.at.Shown(disk.Join(w.at.Runtime(), logFolder)), "written")).Message
		w.noteOnce(report.CodeLogSkipped, logFolder, "the change could not be added to the log (`baton log`): "+why)
	}
	return l
}

// logOutside records what somebody else did to documents, as a hook or a write found it.
func (w *recorder) logOutside(docs []DocChange) error {
	if !w.logs() || len(docs) == 0 {
		return nil
	}
	_, err := w.writeLog(&Change{Docs: docs}, false)
	return disk.Refused(err, w.at.Shown(disk.Join(w.at.Runtime(), logFolder)), "written")
}

// release closes the file. The record stays an intent.
func (l *logging) release() {
	if l != nil {
		_ = l.f.Close()
	}
}

// takeBack removes the record of a commit that was not made. It must not be called for a commit
// that stopped halfway and will be finished.
func (l *logging) takeBack() {
	if l == nil {
		return
	}
	l.release()
	if l.made && l.w.fs.Remove(l.Path) == nil {
		return
	}
	if info, err := l.w.fs.Lstat(l.Path); err == nil && info.Size == l.After-1 {
		_ = l.w.takeBackRecords(l.Path, l.Before)
	}
}

// docChanges describes what a commit does to documents.
func (w *recorder) docChanges(of *filestore.Intent, missing map[string]int) []DocChange {
	docs := make([]DocChange, 0, len(of.Edits)+len(of.Removals))
	for _, e := range of.Edits {
		d := DocChange{Name: e.Name, Kind: DocReplaced, After: sumAfter(e), Missing: missing[e.Name]}
		if e.Old.Exists {
			d.Before = DocSum{Exists: true, Size: e.Old.Size, Tail: e.Old.Tail, Hash: e.Old.Hash}
		}
		switch {
		case !e.Old.Exists:
			d.Kind = DocCreated
		case e.Kind == store.Append:
			d.Kind, d.ID = DocAppended, e.Like.ID
		}
		if e.Temp != "" {
			// The staged file keeps its time and identity when it is renamed.
			if info, err := w.fs.Lstat(e.Temp); err == nil {
				d.ModTime, d.ID = info.ModTime.UTC(), info.ID
			}
		}
		docs = append(docs, d)
	}
	for _, r := range of.Removals {
		if r.Goes() {
			before := DocSum{Exists: true, Size: r.Sum.Size, Hash: r.Sum.Hash}
			docs = append(docs, DocChange{Name: r.Name, Kind: DocRemoved, Before: before})
		}
	}
	return docs
}

// sumAfter identifies the new content of a document. For an append only the appended bytes are at
// hand; their last 4 KB are used.
func sumAfter(e *filestore.Edit) DocSum {
	if e.Kind != store.Append {
		return DocSum{Exists: true, Size: e.New.Size, Hash: e.New.Hash}
	}
	end := e.Data[max(0, len(e.Data)-store.TailLength):]
	return DocSum{Exists: true, Size: e.New.Size, Tail: int64(len(end)), Hash: store.HashOf(end)}
}

// complete makes the record count.
func (l *logging) complete() {
	if l != nil {
		_, err := l.f.Write([]byte{'\n'})
		l.whole = disk.Closing(l.f, err) == nil
	}
}

// writeLog completes a record and appends it after the last one. An intent gets no terminator, and
// counts when complete adds it. First writeLog cuts off part of a record that a crash left.
func (w *recorder) writeLog(c *Change, intent bool) (*logging, error) {
	folder, err := w.at.Folder(logFolder)
	if err == nil {
		err = w.ownFolder(folder)
	}
	if err != nil {
		return nil, err
	}
	number, err := w.newestLog(folder)
	if err != nil {
		return nil, err
	}
	path := disk.Join(folder, logName(number))
	f, made, err := w.openLog(path)
	if err != nil {
		return nil, err
	}
	size, err := w.chain(c, f)
	if err == nil && size >= logFull {
		err = f.Close()
		number++
		if path = disk.Join(folder, logName(number)); err == nil {
			f, made, err = w.openLog(path)
			size = 0
		}
		if err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, disk.Closing(f, err)
	}
	l := &logging{w: w, Growth: records.Growth{Path: path, Before: size}, made: made, number: number, change: c, f: f}
	if err := l.put(intent); err != nil || !intent {
		return nil, disk.Closing(f, err)
	}
	return l, nil
}

// put appends the record to the open file.
func (l *logging) put(intent bool) error {
	line, err := l.change.line()
	if err != nil {
		return err
	}
	l.After = l.Before + int64(len(line))
	if intent {
		return records.Append(l.f, l.Before, line[:len(line)-1])
	}
	if err := records.Append(l.f, l.Before, line); err != nil {
		return err
	}
	l.whole = true
	if o := l.w.observed; o != nil {
		o.last, o.outgrown = l, o.outgrown || l.outgrown()
	} else {
		l.refreshKnown()
	}
	return nil
}

func (w *recorder) openLog(path string) (f disk.File, made bool, err error) {
	f, err = w.fs.Append(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = w.fs.Create(path, 0o666)
		return f, err == nil, err
	}
	return f, false, err
}

// newestLog returns the number of the file for the next record, judging by names and sizes. It
// looks up one number after the other, which costs less than listing the folder. If the lookup
// finds no file with room, it lists the folder, because a number may be missing.
func (w *recorder) newestLog(folder string) (int, error) {
	number, size := 0, int64(logFull)
	for {
		info, err := w.fs.Lstat(disk.Join(folder, logName(number+1)))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return 0, err
		}
		number, size = number+1, info.Size
	}
	if number > 0 && size < logFull {
		return number, nil
	}
	numbers, err := w.logNumbers(folder)
	if err != nil || len(numbers) == 0 {
		return 1, err
	}
	return numbers[len(numbers)-1], nil
}

// logEnd is how many bytes of the newest file a commit reads to find the last record. Most records
// have some hundred bytes.
const logEnd = 4 << 10

// chain links a record to the last one of an open file, and returns the offset for it.
func (w *recorder) chain(c *Change, f disk.File) (int64, error) {
	c.At = w.recordedAt()
	end, err := endOf(f, logEnd, 2*mostRecord)
	if err != nil {
		return 0, err
	}
	if err := w.concludeLog(f, &end); err != nil {
		return 0, err
	}
	size, torn := end.Size(), end.Torn
	if torn && len(end.Lines) == 0 && end.From > 0 {
		size = logFull // no record is so long: leave the file alone and continue in the next one
	} else if err := end.Repair(f); err != nil {
		return 0, err
	}
	if seq, sum, ok := lastLink(end.Last()); ok {
		c.Seq, c.Prev, c.Broken = seq+1, sum, torn
		return size, nil
	}
	// The end of this file holds no readable record, but other files may.
	r, err := w.readLog(context.Background())
	if err != nil {
		return 0, err
	}
	c.Seq, c.Broken = 1, torn || r.broken
	if n := len(r.changes); n > 0 {
		c.Seq, c.Prev = r.changes[n-1].Seq+1, r.changes[n-1].Sum
	}
	return size, nil
}

// logs reports whether this store keeps a log. A store that keeps a ledger does.
func (h *History) logs() bool { return h.o.Watch.By != nil }

// attribute records who makes the change at hand, and with which command.
func (w *recorder) attribute(c *Change) {
	c.By, c.Head, c.Command = w.o.Watch.By(), w.headNow(), w.at.Command()
	if w.o.Watch.Agent != nil {
		c.Agent, c.Session = w.o.Watch.Agent()
	}
}
