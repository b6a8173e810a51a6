package sessions

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/protocol"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/claimscope"
	"baton/internal/workspace"
)

// Limits of the text about other sessions at work.
const (
	MostNeighbours     = 8
	mostNeighbourFiles = 3  // in one line
	mostNeighbourPath  = 80 // characters of one path
)

// NeighbourRow is another live session, in this worktree or in another one of the repository.
type NeighbourRow struct {
	Agent    string   `json:"agent,omitempty"` // its client; "" for a session that commands started
	Session  string   `json:"session"`         // the agent's id for it, or the holder
	Task     task.ID  `json:"task,omitempty"`
	Worktree string   `json:"worktree"` // path from the project's root; "." is this worktree
	Files    []string `json:"files"`    // that it edited, newest last
	At       string   `json:"at"`       // its last event
	Overlaps []string `json:"overlaps"` // of the files, those that concern the caller

	Text string `json:"-"` // the row in one line
}

// Neighbours lists the other sessions at work.
type Neighbours struct {
	Rows []NeighbourRow `json:"neighbours"`                // at most eight, those with overlaps first
	More int            `json:"more_neighbours,omitempty"` // how many more there are
}

// neighbours returns the other sessions at work, and which of their files are in the scope of the
// caller's claims or not committed here. It asks git for uncommitted files only if somebody else
// edited anything.
func (p Sessions) neighbours(ctx context.Context, dirty func() []string) Neighbours {
	return p.neighboursOf(ctx, p.Neighbours(ctx, false, workspace.MostNeighbourRecords), dirty)
}

// neighboursOf is neighbours for sessions that were found already.
func (p Sessions) neighboursOf(ctx context.Context, found []workspace.Neighbour, dirty func() []string) Neighbours {
	if len(found) == 0 {
		return Neighbours{Rows: []NeighbourRow{}}
	}
	var changed, scope []string
	if slices.ContainsFunc(found, func(n workspace.Neighbour) bool { return len(n.Files) > 0 }) {
		changed, scope = dirty(), p.ownScope(ctx)
	}
	rows := make([]NeighbourRow, len(found))
	for i, n := range found {
		rows[i] = p.neighbourRow(n, func(file string) bool { return inScopes(scope, file) || isDirty(changed, file) })
	}
	sorting.By(rows, func(a, b NeighbourRow) int { // the last seen first, as before
		return min(len(b.Overlaps), 1) - min(len(a.Overlaps), 1)
	})
	shown := rows[:min(len(rows), MostNeighbours)]
	return Neighbours{Rows: shown, More: len(rows) - len(shown)}
}

// dirtyFiles returns the uncommitted files here, or none if git does not answer in time.
func (p Sessions) dirtyFiles(ctx context.Context) func() []string {
	return func() []string { return p.Git.Live(ctx, p.Undirty()...).Dirty }
}

// neighbourFacts adds the other sessions at work to the facts of a session.
func (p Sessions) neighbourFacts(ctx context.Context, ask FactsAsk, live gitrepo.Live, g *Gathered) {
	g.neighbours.Rows = []NeighbourRow{}
	if !ask.WithNeighbours {
		return
	}
	most := workspace.MostNeighbourRecords
	if ask.Source != "" {
		most = workspace.MostNeighboursAtStart
	}
	g.Found = p.Neighbours(ctx, ask.Record == nil && ask.Source != "", most)
	g.neighbours = p.neighboursOf(ctx, g.Found, func() []string { return live.Dirty })
	for _, r := range g.neighbours.Rows {
		g.Facts.Neighbours = append(g.Facts.Neighbours, protocol.Neighbour{Text: r.Text, Overlaps: len(r.Overlaps) > 0})
	}
	g.Facts.MoreNeighbours = g.neighbours.More
}

// ownScope returns the patterns of the caller's own live claims.
func (p Sessions) ownScope(ctx context.Context) []string {
	book, _ := p.ClaimsNow(ctx)
	var out []string
	for id, c := range book.Claims {
		if c.By != p.Holder() || len(c.Scope) == 0 {
			continue
		}
		if _, live := book.Live(id, p.Now()); live {
			out = append(out, c.Scope[:min(len(c.Scope), claimscope.Most)]...)
		}
	}
	return out
}

func inScopes(scope []string, file string) bool {
	return slices.ContainsFunc(scope, func(pattern string) bool {
		return len(pattern) <= claimscope.Longest && claimscope.Holds(pattern, file)
	})
}

// isDirty reports whether a file is one of git's uncommitted paths, or in a folder that git names
// instead of the new files in it.
func isDirty(dirty []string, file string) bool {
	return slices.ContainsFunc(dirty, func(path string) bool {
		return path == file || strings.HasSuffix(path, "/") && strings.HasPrefix(file, path)
	})
}

func (p Sessions) neighbourRow(n workspace.Neighbour, overlaps func(string) bool) NeighbourRow {
	r := NeighbourRow{
		Agent: n.Client, Session: n.Session, Task: n.Task, Worktree: p.PlaceOf(n), At: n.At,
		Files: append([]string{}, n.Files...), Overlaps: []string{},
	}
	for _, file := range n.Files {
		if overlaps(file) {
			r.Overlaps = append(r.Overlaps, file)
		}
	}
	if len(r.Overlaps) > 0 {
		r.Text = EditedBy(r.Overlaps, n, r.Worktree, p.Now())
	} else {
		r.Text = atWork(n, r.Worktree, p.Now())
	}
	return r
}

// PlaceOf returns the path from this root to that of a neighbour.
func (p Sessions) PlaceOf(n workspace.Neighbour) string {
	rel, err := filepath.Rel(p.Root, n.Root)
	if err != nil {
		rel = n.Root
	}
	return workspace.FactLine(filepath.ToSlash(rel))
}

// who returns how a line names a session and its place, such as "claude on #101 in ../wt2".
func who(n workspace.Neighbour, place string) string {
	name := n.Client
	switch {
	case name == "":
		name = n.Session
	case n.Here: // several sessions of the same agent are common in one worktree
		name += " session " + short(n.Session)
	}
	text := workspace.PlainWord(name, 48)
	if n.Task != "" {
		text += " on " + workspace.RefOf(n.Task)
	}
	if n.Here {
		return text + " in this worktree"
	}
	return text + " in " + workspace.PlainWord(place, mostNeighbourPath)
}

// short returns enough of a session's id to recognise it.
func short(session string) string {
	if len(session) > 12 {
		return safetext.Runes(session, 9)
	}
	return session
}

// EditedBy says that a session is editing files that the caller works on.
func EditedBy(files []string, n workspace.Neighbour, place string, now time.Time) string {
	verb, leave := "is", "leave it to that session"
	if len(files) > 1 {
		verb, leave = "are", "leave them to that session"
	}
	text := paths(files) + " " + verb + " being edited by " + who(n, place) + ", " + ago(n.At, now)
	if n.Here {
		text += "; " + leave
	}
	return text
}

// atWork says that a session is at work, and what it works on.
func atWork(n workspace.Neighbour, place string, now time.Time) string {
	text := who(n, place) + ", " + ago(n.At, now)
	if len(n.Files) > 0 {
		text += "; edited " + paths(n.Files)
	}
	return text
}

// paths names the newest few files.
func paths(files []string) string {
	newest := files[max(0, len(files)-mostNeighbourFiles):]
	words := make([]string, len(newest))
	for i, file := range newest {
		words[i] = "`" + workspace.PlainWord(file, mostNeighbourPath) + "`"
	}
	text := strings.Join(words, ", ")
	if more := len(files) - len(newest); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// ago returns how long ago a timestamp was, in words.
func ago(stamp string, now time.Time) string {
	at := workspace.ParseStamp(stamp)
	switch d := now.Sub(at); {
	case at.IsZero():
		return "last seen at an unknown time"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
}
