package loss

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// MostLossNames is how many missing entries a message names.
const MostLossNames = 3

const mostLossName = 36 // characters of an entry's name

// LostIn reports whether entries are missing from a document. git says whether git may be asked
// which branch they belong to (D9).
func (p Loss) LostIn(ctx context.Context, name string, git bool) bool {
	list, err := p.Losses(ctx, Query{Families: []string{name}, Git: git})
	return err == nil && slices.ContainsFunc(list, func(l Entry) bool { return l.Doc == name })
}

// NoteLosses adds to the answer of a change what documents lost, once for each document: those that
// the change read or wrote, the digest, and those that the caller's session knows. It does not
// report problems of git or the ledger; `baton lost` does, and they must not keep anybody from the
// work. Hooks, repairs and the doctor say themselves what is lost.
func NoteLosses(ctx context.Context, w *workspace.Workspace, c *workspace.Change) {
	command, _, _ := strings.Cut(w.O.Command, " ")
	if c.Refills || command == "hook" || command == "doctor" || w.Git.Busy() {
		return
	}
	p := Of(w)
	var others, names []string
	for _, place := range workspace.LookDigests(w.Root, w.Env.Getenv) {
		others = append(others, place.State)
	}
	others = append(others, workspace.SortedKeys(w.AgentRecordOf(w.Holder()).Docs)...)
	// A log entry has its budget of reads (D7). So it looks only at its task's file, and only if
	// what baton knows of documents is read anyway.
	for _, name := range c.Documents() {
		if id, _ := task.IDOfStateFile(path.Base(name)); c.Logged == "" || len(others) > 0 && id == c.Logged {
			names = append(names, name)
		}
	}
	families, _ := w.FamiliesOf(append(names, others...))
	families = p.lacking(ctx, families[:min(len(families), mostNarrow)])
	if len(families) == 0 {
		return
	}
	got, err := p.FindAndCache(ctx, Query{Families: families, Git: true, Cached: true})
	if err == nil {
		c.Note(lossFindings(got.Found)...)
	}
}

// lacking returns the families with missing entries, and those with a known document that changed
// or is gone. It reads no document. An archive that changed does not count, because the cost of a
// write must not depend on the length of an archive (D7); hooks and `baton lost` look at it.
func (p Loss) lacking(ctx context.Context, families []string) []string {
	if len(families) == 0 {
		return nil
	}
	scan, err := p.narrowScan(ctx, families)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(families, func(family string) bool {
		return !slices.ContainsFunc(p.FamilyDocs(family), func(name string) bool {
			was, known := scan.Known[name]
			if !known || was.Missing > 0 {
				return known
			}
			info, there, err := scan.File(ctx, name)
			if err != nil || !there {
				return err == nil && was.Size >= 0
			}
			kind := workspace.DocKind(name)
			archive := kind == workspace.DocTaskArchive || kind == workspace.DocArchive ||
				kind == workspace.DocStateArchive
			return !archive && !SameFile(info, was)
		})
	})
}

// lossFindings warns of missing entries, once for each document.
func lossFindings(found []Entry) []report.Finding {
	var out []report.Finding
	names, lists := ByDocument(found)
	for _, doc := range names {
		back := "it"
		if len(lists[doc]) > 1 {
			back = "them"
		}
		out = append(out, report.CodeEntriesLost.Finding(doc, 0,
			GoneText(lists[doc])+"; `baton lost --restore` puts "+back+" back"))
	}
	return out
}

// LostWork describes the criteria and sessions that the documents of a task lost. It returns "" if
// none is lost. doubts warns of entries about which git gave no answer.
func (p Loss) LostWork(ctx context.Context, name string) (words string, doubts []report.Finding) {
	family, ok := p.FamilyOf(name)
	if !ok {
		return "", nil
	}
	got, err := p.Find(ctx, Query{Families: []string{family}, Git: true})
	if err != nil {
		return "", nil
	}
	lost := slices.DeleteFunc(got.Found, func(l Entry) bool { return !l.IsWork() })
	if len(lost) == 0 {
		return "", got.AllWarnings()
	}
	words = "1 entry is lost"
	if len(lost) > 1 {
		words = strconv.Itoa(len(lost)) + " entries are lost"
	}
	return words + NameList(lost, min(MostLossNames, len(lost))), got.AllWarnings()
}

// IsWork reports whether an entry says what a task needs or what was done on it. A task that lost
// such an entry is not complete.
func (l *Entry) IsWork() bool {
	return l.Known.Kind == ledger.Criterion || l.Known.Kind == ledger.Session
}

// GoneText describes the entries missing from a document.
func GoneText(lost []Entry) string {
	text := "1 entry is"
	if len(lost) > 1 {
		text = strconv.Itoa(len(lost)) + " entries are"
	}
	return text + " gone, and in no other document" + NameList(lost, min(MostLossNames, len(lost)))
}

// NameList names the first entries of a list and counts the others. It returns "" if most is 0.
func NameList(lost []Entry, most int) string {
	if most == 0 {
		return ""
	}
	names := make([]string, most)
	for i, l := range lost[:most] {
		names[i] = lossName(l.Known)
	}
	text := ": " + strings.Join(names, ", ")
	if more := len(lost) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// lossName is the name of an entry in messages.
func lossName(k *ledger.Known) string {
	kind := workspace.PlainWord(string(k.Kind), 16)
	if k.Kind == ledger.Session && k.Number > 0 {
		return kind + " " + strconv.Itoa(k.Number)
	}
	return kind + ` "` + workspace.PlainWord(LabelShown(k.Label), mostLossName) + `"`
}

// LabelShown returns a label for people, with "…" if it was cut.
func LabelShown(label string) string {
	label = safetext.Line(label)
	if utf8.RuneCountInString(label) >= ledger.LabelLength-1 { // a blank at the cut was removed
		label += "…"
	}
	return label
}

// About identifies a loss that a session was informed about.
func (l Entry) About() string {
	return "lost " + l.Family + " " + string(l.Known.Kind) + " " + l.Known.Key
}
