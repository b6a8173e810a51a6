package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/store"
	"baton/internal/task"
)

// Limits of what a record remembers of a document.
const (
	mostDocEntries = 2000
	docLabel       = 60       // characters of an entry that are kept to name it
	mostDocBytes   = 4 << 20  // a document above it is known by its size only
	docArchiveTail = 64 << 10 // end of an archive in which an entry that left its document is looked for
	entryNameBytes = 13       // kind and hash in front of the label
)

// The kinds of documents that docEntries reads: layouts for digests, and task files.
const docTask = "task"

// docKind says by its name what sort of document a file is: the layout of a digest, docTask, or "" for any other.
func docKind(name string) string {
	dir, base := path.Split(name)
	if id, ok := task.IDOfFile(base); ok && base == task.StateName(id) {
		return docTask
	}
	if base != "STATE.md" {
		return ""
	}
	for _, l := range digestLayouts() {
		if dir == l[1]+"/" || strings.HasPrefix(dir, l[1]+"/") {
			return l[0]
		}
	}
	return ""
}

// docEntries gives what a document holds that must not get lost, at most 2,000 entries, each "k0123456789ab the beginning
// of its text": the letter of its kind (d decision, s session, c criterion, b blocker), 12 hex digits of the SHA-256 of the
// text with folded blanks, and what a message calls it. The same text gives the same entry wherever it stands. titles are
// further names of the section of decisions.
func docEntries(kind string, data []byte, titles ...string) []string {
	var out []string
	add := func(letter, text string) {
		if text = oneLine(neutral(text)); text != "" && len(out) < mostDocEntries {
			sum := sha256.Sum256([]byte(text))
			out = append(out, letter+hex.EncodeToString(sum[:])[:entryNameBytes-1]+" "+firstRunes(text, docLabel))
		}
	}
	if kind == docTask {
		s := task.Parse("0", data)
		for _, session := range s.Sessions {
			if session.Number > 0 { // its prose may be edited; that it was there is what counts
				add("s", "session "+strconv.Itoa(session.Number))
			}
		}
		for _, c := range s.Criteria {
			add("c", c.Text)
		}
		return out
	}
	form := decision.Own
	switch kind {
	case layoutGSD:
		form = decision.GSD
	case layoutSpecflow:
		form = decision.Specflow
	case layoutBaton:
	default:
		return nil
	}
	s := decision.DefaultSettings()
	s.Titles = titles
	for _, row := range decision.Read(data, form, s).Rows {
		add("d", row.Text)
	}
	if kind == layoutSpecflow {
		for _, text := range specflow.Parse(data).Model().Warnings {
			add("b", text)
		}
		return out
	}
	for _, b := range gsd.Parse(data).Model().Blockers {
		add("b", b.Text)
	}
	return out
}

// firstRunes cuts a text after so many characters.
func firstRunes(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}

// entryLabel is what a message calls an entry; entryWord the word for its kind.
func entryLabel(entry string) string { return entry[min(len(entry), entryNameBytes+1):] }

func entryWord(entry string) string {
	switch entry[:min(1, len(entry))] {
	case "d":
		return "decision"
	case "b":
		return "blocker"
	case "c":
		return "criterion"
	}
	return ""
}

// docOf is a document as the session knows it now.
func (p *Project) docOf(name string, doc store.Document) agentDoc {
	titles, _ := p.config().value("decisions.titles").([]string)
	return docOf(name, doc, titles...)
}

func docOf(name string, doc store.Document, titles ...string) agentDoc {
	sum := sha256.Sum256(doc.Data)
	d := agentDoc{Size: doc.Size, ModTime: doc.ModTime.UnixNano(), Hash: hex.EncodeToString(sum[:8])}
	if len(doc.Data) <= mostDocBytes {
		d.Entries = docEntries(docKind(name), doc.Data, titles...)
	}
	return d
}

// docLost gives the entries that a document had and that are nowhere now: not in it, not slightly reworded in it, and not
// at the end of one of its archives.
func docLost(before, now []string, archives ...[]byte) []string {
	var archived string
	var lost []string
	for _, entry := range before {
		if slices.Contains(now, entry) || reworded(entry, now, before) {
			continue
		}
		if archived == "" {
			archived = foldedText(archives)
		}
		if label := entryLabel(entry); label == "" || strings.Contains(archived, archivedAs(entry)) {
			continue
		}
		lost = append(lost, entry)
	}
	return lost
}

// reworded tells of an entry whether a new one of its kind begins like it, so that it was edited and is not lost.
func reworded(entry string, now, before []string) bool {
	const alike = 24
	label := entryLabel(entry)
	if entry[:1] == "s" {
		return false
	}
	begin := strings.ToLower(firstRunes(label, alike))
	for _, other := range now {
		if other[:1] == entry[:1] && strings.HasPrefix(strings.ToLower(entryLabel(other)), begin) && !slices.Contains(before, other) {
			return true
		}
	}
	return false
}

// foldedText is a text of archives as entries are compared with it.
func foldedText(archives [][]byte) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, a := range archives {
		b.WriteString(oneLine(neutral(strings.ReplaceAll(string(a), `\|`, "|"))))
		b.WriteByte(' ')
	}
	return b.String()
}

// archivedAs is what an archive holds of an entry: a session is known by its heading's number.
func archivedAs(entry string) string {
	label := entryLabel(entry)
	if number, ok := strings.CutPrefix(label, "session "); ok && entry[:1] == "s" {
		return " Session " + number + " "
	}
	return label
}

// docArchives reads the ends of the archives to which a document's entries may have moved.
func (p *Project) docArchives(ctx context.Context, name string) [][]byte {
	dir, base := path.Split(name)
	var out [][]byte
	names := []string{dir + "DECISIONS_ARCHIVE.md", dir + "STATE-ARCHIVE.md"}
	if docKind(name) == docTask {
		names = names[:0]
		if id, ok := task.IDOfFile(base); ok {
			if l, err := p.loadTask(ctx, p.store, id); err == nil && l.Outside == nil {
				names = append(names, l.Archive)
				out = append(out, summarised(l.State))
			}
		}
	}
	for _, name := range names {
		if part, err := p.store.Tail(ctx, name, docArchiveTail); err == nil && part.Exists {
			out = append(out, part.Data)
		}
	}
	return out
}

// summarised names the sessions that the summary of a task file stands for, as an archive does.
func summarised(s *task.State) []byte {
	var b strings.Builder
	if s.Summary != nil && s.Summary.First > 0 {
		for n := s.Summary.First; n <= s.Summary.Last && n < s.Summary.First+mostDocEntries; n++ {
			b.WriteString("## Session " + strconv.Itoa(n) + "\n")
		}
	}
	return []byte(b.String())
}

// lossWords says what is missing in one sentence; "" when nothing is.
func lossWords(name string, lost []string) string {
	if len(lost) == 0 {
		return ""
	}
	return name + " no longer has " + lossNames(lost, mostLossNames) + ", and no archive has it either; put it back unless it was taken out on purpose"
}

// mostLossNames is how many lost entries are named.
const mostLossNames = 3

// lossNames says what is missing, so much of it by name.
func lossNames(lost []string, most int) string {
	named := min(most, len(lost))
	if named == 0 {
		return plural(len(lost), "thing") + " that it had"
	}
	names := make([]string, named)
	for i, entry := range lost[:named] {
		names[i] = strings.TrimSpace(entryWord(entry) + " " + plainWord(quoteLabel(entry), docLabel+3))
	}
	text := strings.Join(names, ", ")
	if more := len(lost) - named; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

func quoteLabel(entry string) string {
	label := entryLabel(entry)
	if entry[:1] == "s" {
		return label
	}
	if len([]rune(label)) >= docLabel {
		label += "…"
	}
	return `"` + label + `"`
}
