package agents

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/cli/app"
	"baton/internal/safetext"
	"baton/internal/usecase/setup"
)

// nothingOf returns why there is nothing to do. The lines below it name the entries that are not
// correct.
func nothingOf(r setup.AgentsResult, ask setup.AgentsRequest) string {
	if ask.Mode == setup.AgentsRemove {
		return "there are no entries of baton"
	}
	if !allFine(r) {
		return "baton leaves these entries to you"
	}
	return "everything is set up correctly"
}

// correctOf returns what a check says that found nothing wrong. An item that baton cannot see is
// pending, and may be wrong.
func correctOf(r setup.AgentsResult) string {
	for _, i := range r.Checks {
		if string(i.Status) == agentPending {
			return "Everything that baton can check is set up correctly."
		}
	}
	return "Everything is set up correctly."
}

// allFine reports whether every item of every file is there as it should be.
func allFine(r setup.AgentsResult) bool {
	for _, f := range r.Files {
		for _, i := range f.Items {
			if i.Status != agentFine {
				return false
			}
		}
	}
	return true
}

// plainlyFine reports whether an item is as it should be and needs no remark.
func plainlyFine(status, text string) bool { return status == agentFine && text == "" }

// fineOf counts the entries that are there, and says for which agents.
func fineOf(r setup.AgentsResult) string {
	entries, files := 0, 0
	for _, f := range r.Files {
		there := 0
		for _, i := range f.Items {
			if plainlyFine(string(i.Status), i.Text) {
				there++
			}
		}
		entries += there
		files += min(there, 1)
	}
	var names []string
	for _, a := range r.Agents {
		if a.Selected {
			names = append(names, a.Name)
		}
	}
	of := ""
	if len(names) > 0 {
		of = " for " + strings.Join(names, ", ")
	}
	return app.EntryCount(entries) + of + " in " + safetext.Count(files, "file")
}

// notPlainlyFine returns the files with only those items that need a remark.
func notPlainlyFine(files []setup.AgentFile) []setup.AgentFile {
	out := slices.Clone(files)
	for n, f := range out {
		kept := f.Items[:0:0]
		for _, i := range f.Items {
			if !plainlyFine(string(i.Status), i.Text) {
				kept = append(kept, i)
			}
		}
		out[n].Items = kept
	}
	return out
}

// widestItem returns the width of the longest name of an item, in columns.
func widestItem(r setup.AgentsResult) int {
	widest := 0
	for _, f := range r.Files {
		for _, i := range f.Items {
			widest = max(widest, displaywidth.String(i.Name))
		}
	}
	for _, i := range r.Checks {
		widest = max(widest, displaywidth.String(i.Name))
	}
	return widest
}
