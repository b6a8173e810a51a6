package protocol

import (
	"slices"
	"strings"

	"baton/internal/safetext"
)

func (w wording) git() section {
	g := w.Git
	s := section{name: "git", command: "git status"}
	if !g.Known {
		return s
	}
	line := "Git: no branch is checked out"
	if g.Branch != "" {
		line = "Git: branch " + short(g.Branch, 80)
	}
	if g.Head != "" {
		line += " at " + short(g.Head, 16)
	}
	switch {
	case len(g.Dirty) > 0:
		line += "; uncommitted: " + names(g.Dirty, g.More)
	case !g.Late:
		line += "; nothing uncommitted outside the state folders"
	}
	switch {
	case g.Missing:
		line += "; git is not installed, or not in PATH, so commits and uncommitted files are missing here"
	case g.Late:
		line += "; git did not answer in time, so commits or uncommitted files may be missing here (`git status`)"
	}
	s.units = []unit{{rank: w.rank(2, 4), lines: []string{"", line + "."}}}
	return s
}

// neighbours returns the section on other sessions at work. Their edits are not committed yet, so a
// session that does not know about them may undo them.
func (w wording) neighbours() section {
	s := section{
		name: "neighbours", title: "Also at work:", what: "neighbour", many: "neighbours", command: "baton status",
		beyond: w.MoreNeighbours,
	}
	for i, n := range w.Neighbours {
		rank := w.rank(3, 4)
		if n.Overlaps && i < 2 {
			rank = 2
		}
		s.units = append(s.units, items([]string{n.Text}, plain, 300, 1, rank, rank)...)
	}
	return s
}

// commits returns the section on the last commits, without those that are named as changes.
func (w wording) commits() section {
	changes, _ := limited(w.Since.Commits, 8)
	older := slices.DeleteFunc(slices.Clone(w.Git.Commits), func(c string) bool { return slices.Contains(changes, c) })
	kept, beyond := limited(older, 10)
	return section{
		name: "commits", title: "Last commits:", what: "commit", many: "commits", command: "git log --oneline -10",
		units: list(kept, 120, 5, 5, 7), beyond: beyond,
	}
}

// since returns the section on changes outside the session: commits, edits by hand, or commands of
// baton by others.
func (w wording) since() section {
	kept, beyond := limited(w.Since.Commits, 8)
	s := section{
		name: "changes", title: "Changed since a session was last seen here:", what: "change", many: "changes",
		command: "git log --oneline", beyond: beyond,
	}
	if when := short(w.Since.When, 40); when != "" {
		s.title = "Changed since a session was last seen here (" + when + "):"
	}
	if len(w.Since.Files) > 0 {
		s.units = append(s.units, one(2, "- files: %s", names(w.Since.Files, 0)))
	}
	s.units = append(s.units, list(kept, 120, 3, 2, 6)...)
	return s
}

// names lists paths, at most eight, and the number of further ones.
func names(paths []string, beyond int) string {
	kept, cut := limited(paths, 8)
	beyond += cut
	out := make([]string, 0, len(kept))
	for _, path := range kept {
		out = append(out, short(path, 100))
	}
	if beyond > 0 {
		return strings.Join(out, ", ") + " and " + safetext.CountOf(beyond, "more", "more")
	}
	return strings.Join(out, ", ")
}
