package workspace

import (
	"path"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// mostArchiveBytes is how much of an archive the ledger reads. A task file or digest above
// MostDocBytes is too large to work with and is not read at all.
const mostArchiveBytes = 16 << 20

// EntriesOf returns the entries of a document that must not be lost, in order, kind by kind. It
// returns nil for a document that the ledger does not watch. data may be only what was appended to
// an archive. Entries with the same words count once per document, because nobody could tell which
// of them is gone.
func (p *Workspace) EntriesOf(name string, data []byte) []ledger.Entry {
	titles, _ := p.Settings().Value("decisions.titles").([]string)
	return EntriesIn(name, data, titles)
}

// EntriesIn is EntriesOf without a project. titles are those of sections with decisions.
func EntriesIn(name string, data []byte, titles []string) []ledger.Entry {
	switch kind := DocKind(name); {
	case kind == DocTask && len(data) <= MostDocBytes:
		return taskEntries(data)
	case kind == DocTaskArchive:
		return archiveEntries(firstLines(data, mostArchiveBytes))
	case kind == DocArchive:
		return decisionArchiveEntries(firstLines(data, mostArchiveBytes), DigestForm(DocLayout(name)))
	case kind == DocStateArchive:
		return blockerArchiveEntries(firstLines(data, mostArchiveBytes))
	case kind != "" && kind != DocTask && len(data) <= MostDocBytes:
		return digestEntries(kind, data, titles)
	}
	return nil
}

// firstLines cuts a text after the last whole line within a number of bytes.
func firstLines(data []byte, most int) []byte {
	if len(data) <= most {
		return data
	}
	for most > 0 && data[most-1] != '\n' {
		most--
	}
	return data[:most]
}

// entryList collects the entries of one document.
type entryList struct {
	text    string // the document, shared by the entries
	entries []ledger.Entry
	seen    map[string]bool
	last    ledger.Entry // the previous entry, for After
}

func newEntryList(data []byte, room int) *entryList {
	return &entryList{text: string(data), entries: make([]ledger.Entry, 0, room), seen: make(map[string]bool, room)}
}

// add adds an entry with the key of text, and returns it, so that the caller can set what only some
// kinds have. Its label is the beginning of label, if that is not empty.
func (l *entryList) add(kind ledger.Kind, text, label string, span, section, head markdown.Span) *ledger.Entry {
	e := ledger.NewEntry(kind, text)
	if l.seen[e.Key] {
		return &e
	}
	l.seen[e.Key] = true
	if label = labelOf(label); label != "" {
		e.Label = label
	}
	e.Raw = l.text[span.Start:span.End]
	e.Section, e.Head = l.text[section.Start:section.End], l.text[head.Start:head.End]
	if l.last.Kind == kind {
		e.After = l.last.Key
	}
	l.last = e
	l.entries = append(l.entries, e)
	return &l.entries[len(l.entries)-1]
}

// labelOf makes a text suitable as an entry's label. A quick check shows that most texts already
// are.
func labelOf(text string) string {
	text = safetext.FirstRunes(text, 2*ledger.LabelLength) // enough of a long text
	before := byte(' ')
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f || text[i] == ' ' && before == ' ' {
			text = safetext.Line(text)
			break
		}
		before = text[i]
	}
	return strings.TrimRight(safetext.FirstRunes(text, ledger.LabelLength), " ")
}

func (l *entryList) held(kind ledger.Kind, list []task.Held) {
	for _, h := range list {
		e := l.add(kind, h.Text, h.Label, h.Span, h.Section, markdown.Span{})
		e.Number, e.Date = h.Number, h.Date
	}
}

func taskEntries(data []byte) []ledger.Entry {
	h := task.Hold(data)
	l := newEntryList(data, len(h.Criteria)+len(h.Sessions)+len(h.Outputs))
	l.held(ledger.Criterion, h.Criteria)
	l.held(ledger.Session, h.Sessions)
	l.held(ledger.Output, h.Outputs)
	return l.entries
}

func archiveEntries(data []byte) []ledger.Entry {
	sessions, removed := task.HoldArchive(data), task.HoldRemoved(data)
	l := newEntryList(data, len(sessions)+len(removed))
	l.held(ledger.Session, sessions)
	l.held(ledger.Criterion, removed)
	return l.entries
}

func (l *entryList) decisions(list []decision.Held) {
	for _, h := range list {
		e := l.add(ledger.Decision, h.Words, h.Text, h.Span, h.Section, h.Head)
		e.Scope, e.Date = h.Scope, h.Date
	}
}

func (l *entryList) blockers(list []gsd.Held) {
	for _, h := range list {
		l.add(ledger.Blocker, h.Text, h.Text, h.Span, h.Section, markdown.Span{})
	}
}

func decisionArchiveEntries(data []byte, form decision.Form) []ledger.Entry {
	list := decision.HoldArchive(data, form)
	l := newEntryList(data, len(list))
	l.decisions(list)
	return l.entries
}

func blockerArchiveEntries(data []byte) []ledger.Entry {
	list := gsd.HoldArchive(data)
	l := newEntryList(data, len(list))
	l.blockers(list)
	return l.entries
}

func digestEntries(layout string, data []byte, titles []string) []ledger.Entry {
	list := decision.Hold(data, DigestForm(layout), titles)
	l := newEntryList(data, len(list)+8)
	l.decisions(list)
	if layout == LayoutSpecflow {
		for _, h := range specflow.Hold(data) {
			l.add(ledger.Blocker, h.Text, h.Text, h.Span, h.Section, h.Head)
		}
		return l.entries
	}
	l.blockers(gsd.Hold(data))
	return l.entries
}

// DigestForm returns the form of the decisions in a layout's digest.
func DigestForm(layout string) decision.Form { return DigestPlace{Layout: layout}.Form() }

// The kinds of documents with entries, besides the layouts of digests.
const (
	DocTask         = "task"
	DocTaskArchive  = "task_archive"
	DocArchive      = "decision_archive"
	DocStateArchive = "state_archive"
)

// DocKind returns the kind of a document, by its name: the layout of a digest, one of the constants
// above, or "".
func DocKind(name string) string {
	base := path.Base(name)
	if _, ok := task.IDOfStateFile(base); ok {
		return DocTask
	}
	if _, ok := ArchiveID(base); ok {
		return DocTaskArchive
	}
	layout := DocLayout(name)
	switch {
	case layout == "":
	case base == "STATE.md":
		return layout
	case base == "DECISIONS_ARCHIVE.md":
		return DocArchive
	case base == "STATE-ARCHIVE.md" && layout != LayoutSpecflow:
		return DocStateArchive
	}
	return ""
}

// ArchiveID parses the name of a task's archive.
func ArchiveID(base string) (task.ID, bool) {
	text, archive := strings.CutSuffix(base, "-archive.md")
	text, named := strings.CutPrefix(text, "task-")
	id, err := task.ParseID(text)
	return id, archive && named && err == nil
}

// DocLayout returns the layout of the digest in whose folder a document is, or "".
func DocLayout(name string) string {
	for _, l := range DigestLayouts() {
		if strings.HasPrefix(name, l[1]+"/") {
			return l[0]
		}
	}
	return ""
}
