package agents

import (
	"context"
	"path"
	"strings"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// gatherShort is Gather after documents over their limits were rotated and archived.
func (p Agents) gatherShort(
	ctx context.Context, ask sessions.FactsAsk, log *sessions.LogLine,
) (sessions.Gathered, error) {
	g, err := sessions.Of(p.Workspace).Gather(ctx, ask)
	if err != nil || len(g.Over) == 0 {
		return g, err
	}
	moved := p.shorten(ctx, log)
	if len(moved) == 0 {
		return g, nil
	}
	g, err = sessions.Of(p.Workspace).Gather(ctx, ask)
	g.Facts.Moved = moved
	return g, err
}

// shorten rotates the digest and archives sessions of the holder's active task if they are over
// their limits. It returns descriptions of what moved. Text that an agent wrote by hand waits until
// its session starts, compacts or stops (D38).
func (p Agents) shorten(ctx context.Context, log *sessions.LogLine) (moved []string) {
	if name := p.digestOver(ctx); name != "" {
		done, err := digests.Of(p.Workspace).StateRotate(ctx, digests.RotateRequest{})
		log.Add(inDocument(err, name))
		if err == nil {
			moved = append(moved, rotatedWords(name, done.Rotation)...)
		}
	}
	name := p.taskOver(ctx)
	if id, ok := task.IDOfAnyFile(path.Base(name)); ok {
		done, err := tasks.Of(p.Workspace).Archive(ctx, tasks.ArchiveRequest{ID: string(id), Keep: -1})
		log.Add(inDocument(err, name))
		if n := len(done.Archived); err == nil && n > 0 {
			moved = append(
				moved,
				safetext.Count(n, "older session")+" of task "+workspace.RefOf(id)+" to "+workspace.FactLine(done.Path),
			)
		}
	}
	if len(moved) > 0 {
		log.Say("documents over their limits were shortened: " + strings.Join(moved, ", "))
	}
	return moved
}

// rotatedWords describes what a rotation moved out of a digest.
func rotatedWords(name string, r decision.Result) []string {
	var what []string
	if r.Moved > 0 {
		what = append(what, safetext.Count(r.Moved, "older decision"))
	}
	if r.OtherMoved > 0 {
		what = append(what, safetext.Count(r.OtherMoved, "other older item"))
	}
	if len(what) == 0 {
		return nil
	}
	return []string{
		strings.Join(what, " and ") + " from " + workspace.FactLine(name) + " to " + workspace.FactLine(r.Archive),
	}
}

// digestOver returns the name of the digest if it is over its limits.
func (p Agents) digestOver(ctx context.Context) string {
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return ""
	}
	place, others := digests.Of(at).ShownDigest("hook", places)
	doc, err := at.Store.Read(ctx, place.State)
	if err != nil || len(others) > 0 || !digests.Of(at).Policy(place).Over(digest.SizeOf(doc.Data)) {
		return ""
	}
	return place.State
}

// taskOver returns the file of the holder's active task if it has sessions to archive and nobody
// else holds it.
func (p Agents) taskOver(ctx context.Context) string {
	id, err := task.ParseID(string(p.Active().Holders[p.Holder()].Task))
	if err != nil {
		return ""
	}
	h := p.HeadNow(ctx, id)
	if h == nil || h.Fault != nil || h.Size <= int64(p.Limits().ArchiveKB)<<10 {
		return ""
	}
	if hold, _ := p.ClaimOf(ctx, id); hold.Foreign() {
		return ""
	}
	return h.Name
}

// inDocument adds the name of a document to an error.
func inDocument(err error, name string) error {
	if err == nil {
		return nil
	}
	e := *report.As(err)
	if e.Path == "" {
		e.Path = name
	}
	return &e
}
