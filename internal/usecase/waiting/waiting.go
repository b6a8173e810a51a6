// Package waiting says which agents' sessions wait for a person, and starts the command that tells
// that person.
package waiting

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/workspace"
)

// Waiting has the use cases of this package for one open workspace. It has no state of its own.
type Waiting struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Waiting { return Waiting{w} }

// Row is one session of an agent.
type Row struct {
	Agent    string             `json:"agent"` // its client
	Session  string             `json:"session"`
	Task     task.ID            `json:"task,omitempty"`
	Worktree string             `json:"worktree"` // path from the project's root; "." is this worktree
	State    agentsession.State `json:"state"`
	Waits    bool               `json:"waits"`           // for a person
	Since    string             `json:"since"`           // when the state began; dead, silent: the last event
	About    string             `json:"about,omitempty"` // what it asks for, or why it stopped
	Until    string             `json:"until,omitempty"` // end of a limit, if known
	Seen     string             `json:"seen"`            // the last event
}

// Result lists sessions.
type Result struct {
	Waiting  int              `json:"waiting"` // how many wait for a person
	Sessions []Row            `json:"sessions"`
	Warnings []report.Finding `json:"warnings"`
}

// shownFor is how long after its last event a session is listed whose process is gone or unknown.
const shownFor = 24 * time.Hour

// List returns the sessions of agents in all worktrees of the repository: first those that wait for
// a person, the longest first, and then the others, the last seen first. It writes nothing. It
// fails with NotFound where there is no project.
func (p Waiting) List(ctx context.Context) (Result, error) {
	root := p.AnyRoot()
	switch {
	case root == "":
		return Result{}, p.NoProject("waiting")
	case !p.Found && root != p.Root:
		o := p.O
		o.FixedRoot = root
		at, err := workspace.Open(ctx, o)
		if err != nil {
			return Result{}, err
		}
		p.Workspace = at
	}
	out := Result{Sessions: p.rows(ctx, workspace.MostAgents, true), Warnings: []report.Finding{}}
	for _, r := range out.Sessions {
		if r.Waits {
			out.Waiting++
		}
	}
	return out, ctx.Err()
}

// Count returns how many sessions wait for a person.
func (p Waiting) Count(ctx context.Context) int { return p.count(ctx, workspace.MostAgents) }

func (p Waiting) count(ctx context.Context, most int) int {
	n := 0
	for _, r := range p.rows(ctx, most, false) {
		if r.Waits {
			n++
		}
	}
	return n
}

func (p Waiting) rows(ctx context.Context, most int, tasks bool) []Row {
	found := p.Agents(ctx, most, tasks)
	rows := []Row{}
	for _, n := range found {
		if row, ok := p.row(n); ok && !isFormer(n.Brief, found) {
			rows = append(rows, row)
		}
	}
	sorting.By(rows, func(a, b Row) int {
		switch {
		case a.Waits != b.Waits && a.Waits:
			return -1
		case a.Waits != b.Waits:
			return 1
		case a.Waits:
			return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.Session, b.Session))
		}
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Session, b.Session))
	})
	return rows
}

// row returns what a session is doing; false if it is over.
func (p Waiting) row(n workspace.Neighbour) (Row, bool) {
	rec, life := n.Brief, agentsession.LifeUnknown
	switch lives, known := p.ClientLives(rec); {
	case known && lives:
		life = agentsession.LifeOn
	case known:
		life = agentsession.LifeGone
	}
	old := p.Now().Sub(workspace.ParseStamp(rec.Seen)) > shownFor
	if life != agentsession.LifeOn && old || life == agentsession.LifeGone && rec.Settled {
		return Row{}, false
	}
	state, since := rec.Doing(life, p.Now(), p.Settings().Lease())
	row := Row{
		Agent: n.Client, Session: n.Session, Task: n.Task, Worktree: p.placeOf(n.Root), State: state,
		Waits: state.Waits(), Since: clean(since), Seen: clean(rec.Seen),
	}
	if state != agentsession.Dead && state != agentsession.Silent {
		row.About, row.Until = clean(rec.Wait.About), clean(rec.Wait.Until)
	}
	return row, true
}

// clean makes a text of a record safe, because the file may contain anything.
func clean(text string) string { return safetext.Runes(safetext.Line(text), agentsession.MostAbout) }

// placeOf returns the path from this root to another one.
func (p Waiting) placeOf(root string) string {
	rel, err := filepath.Rel(p.Root, root)
	if err != nil {
		rel = root
	}
	return workspace.FactLine(filepath.ToSlash(rel))
}

// isFormer reports whether the client of a session went on with another one. Not every client says
// when a session ends, but these have only one at a time.
func isFormer(rec *agentsession.Record, found []workspace.Neighbour) bool {
	if !slices.Contains([]string{"claude", "copilot", "gemini", "qwen"}, rec.Client) || rec.PID == 0 {
		return false
	}
	return slices.ContainsFunc(found, func(n workspace.Neighbour) bool {
		next := n.Brief
		return next.Session != rec.Session && next.PID == rec.PID && next.StartID == rec.StartID &&
			next.Started >= rec.Seen && next.Seen > rec.Seen
	})
}
