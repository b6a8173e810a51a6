package check

import (
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/statedir"
)

// clockGrain is how far in the future a file's time may be without a warning. Other programs go on
// writing between reading the clock and listing a folder, and clocks of file systems are coarse.
const clockGrain = 2 * time.Second

// times warns about a file that an earlier workflow left (SD-D21), and about one whose time is in
// the future, which no sweep regards as stale.
func (v *validation) times(e statedir.Entry) {
	if v.there[e.Name] == fromBefore {
		v.add(e.Name, statedir.Problem{Reason: report.CodeInherited},
			": is left over from an earlier workflow and is ignored")
	}
	if ahead := e.ModTime.Sub(v.facts.Now); ahead > clockGrain {
		v.add(e.Name, statedir.Problem{
			Reason: report.CodeFutureTime, Actual: statedir.Quotable(e.ModTime.UTC().Format(time.RFC3339)),
		},
			": has a modification time in the future, "+e.ModTime.UTC().Format(time.RFC3339)+
				"; it never becomes stale")
	}
}

// pairs warns about a Markdown file without its sidecar, and about the reverse. A file of an
// earlier workflow counts too, because it lacks its counterpart. A folder in the place of a sidecar
// has already been reported as unreadable.
func (v *validation) pairs() {
	for _, s := range v.contract.Sidecars() {
		markdown, sidecar := v.there[s.Markdown], v.there[s.JSON]
		switch {
		case markdown == asFolder:
			v.add(s.Markdown, statedir.Problem{Reason: report.CodeMissing},
				": is a folder, but people expect a Markdown file with that name")
		case sidecar == asFolder:
		case markdown.file() && !sidecar.file():
			v.add(s.JSON, statedir.Problem{Reason: report.CodeMissing},
				": is missing, but "+statedir.PlainName(s.Markdown)+
					" exists; programs read the status from the sidecar")
		case sidecar.file() && !markdown.file():
			v.add(s.Markdown, statedir.Problem{Reason: report.CodeMissing}, ": is missing, but its sidecar "+
				statedir.PlainName(s.JSON)+" exists; people read the Markdown")
		}
	}
}

// lanes warns about lanes that are marked as substantial but have no review (SD-K32), because a
// missing file has no substance.
func (v *validation) lanes() {
	if v.facts.Record == nil {
		return
	}
	for _, lane := range v.facts.Record.Lanes() {
		name, ok := inFolder(lane.Fields["review_file"])
		if lane.Fields["status"] != "substance_pass" || !ok || v.there[name] == fromNow ||
			v.contract.Classify(name, false, false).Bucket == statedir.AdHoc {
			continue
		}
		v.add(name, statedir.Problem{Reason: report.CodeMissing}, ": "+v.there[name].lack()+", and lane "+
			statedir.QuoteText(lane.ID)+" counts as passed in the record")
	}
}

// inFolder returns the name of a review file if its path leads into a state folder.
func inFolder(path string) (string, bool) {
	path = strings.TrimPrefix(path, "./")
	for _, folder := range statedir.FolderPrefixes() {
		path = strings.TrimPrefix(path, folder)
	}
	return path, path != "" && !strings.Contains(path, "/")
}
