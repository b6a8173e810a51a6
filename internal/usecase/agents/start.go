package agents

import (
	"context"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// agentStart orients a session, and takes or renews the claim of its task (agents.md 2.3). It holds
// the record's lock while it records the event and while it records the outcome, but not in
// between: a second copy of the event waits only 200 ms for the lock, and git may take longer.
func (p Agents) agentStart(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	if e.SubAgent != "" {
		return agentsession.Answer{}, nil // a sub-agent gets its text at its own event
	}
	var rec *agentsession.Record
	twice, err := p.WithAgent(ctx, e, func(r *agentsession.Record) error {
		rec = r
		p.NoteClient(r)
		r.Alone = e.Alone || r.PID > 0 && len(e.AloneArgs) > 0 && e.AloneByArgs(p.argsOf(r.PID))
		return nil
	})
	if twice {
		return agentsession.Answer{}, nil
	}
	var log sessions.LogLine
	log.Add(err)
	if rec == nil {
		rec = p.AgentRecordOf(e.Session)
	}
	log.Say(p.DraftLeftovers(ctx))
	left := p.leftUnlogged(ctx, rec, e.Source)
	ask := sessions.FactsAsk{
		Session: e.Session, Source: e.Source, Git: true, Record: rec, WithNeighbours: true,
		Live: sessions.Of(p.Workspace).AskGit(ctx, true),
	}
	active := sessions.Of(p.Workspace).ActiveFor(ctx, rec, ask.Asking())
	ask.Active = &active
	if before := sessions.Of(p.Workspace).RecordBefore(ask); before != nil {
		ask.Ours = p.Active().Wrote(active.ID, before.LastSeen(e.Session))
	}
	began := slices.Concat(left, p.beginFor(ctx, &ask, &log), sessions.Of(p.Workspace).UnboundNotes())
	g, err := p.gatherShort(ctx, ask, &log)
	if err != nil {
		return agentsession.Answer{Log: log.String()}, err
	}
	if len(g.Found) > 0 { // alone, it writes no file (D30)
		p.keepNeighbours(e.Session, g.Found)
	}
	log.Add(sessions.Of(p.Workspace).LossFacts(ctx, &g, p.Observe(ctx, g.Docs, &log)))
	log.Doubts(g.Doubts)
	sessions.Warn(&g.Facts, began)
	title := ""
	text := protocol.Orientation(g.Facts, protocol.Limit{
		Target: sessions.OrientationTarget, Characters: sessions.OrientationMost,
	}).Text
	again := e
	again.Key = ""
	_, err = p.WithAgent(ctx, again, func(r *agentsession.Record) error {
		p.markFiles(ctx, r)
		noteKnown(r, &g, e.Source)
		if r.Stood == "" || r.Edits == 0 && e.Source != "compact" {
			r.Stood = p.stoodAt(ctx).hash
		}
		r.Tell(text)
		title = p.titleOf(ctx, r, e)
		return nil
	})
	log.Add(err)
	return agentsession.Answer{Context: text, Title: title, Log: log.String()}, nil
}

// noteKnown records the facts that the session received; changes are counted from them. A session
// that continues the same task keeps its work and its start.
func noteKnown(r *agentsession.Record, g *sessions.Gathered, source string) {
	r.Docs, r.Tools = g.Docs, g.Facts.Tools
	noteLost(r, g.Lost)
	r.Injected.State, r.Tip = stateText(g), g.Head
	fresh := r.Head == "" && r.Task == ""
	if g.Loaded != nil && !g.Facts.Proposed && r.Task != g.Loaded.ID {
		fresh = fresh || r.Task != ""
		r.Bind(g.Loaded.ID, g.Loaded.State.TotalSessions(), "")
	}
	if fresh || r.Head == "" {
		r.Head = g.Head
	}
	if source == "compact" { // the window is empty again (agents.md 6.3)
		r.Context = agentsession.ContextNotes{}
	}
}

// leftUnlogged tells a session that goes on after an interruption what it did and did not log
// (F-41).
func (p Agents) leftUnlogged(ctx context.Context, rec *agentsession.Record, source string) []string {
	if rec.LastSeen(rec.Session) == rec.Seen || source == "clear" || source == "compact" {
		return nil
	}
	w := p.agentWork(ctx, rec)
	seen := p.workOf(ctx, rec, w, time.Time{})
	words := seen.words(rec)
	if !seen.owes(rec) || len(words) == 0 || w.state != nil && !w.open() {
		return nil
	}
	return []string{"before the interruption, this session " + workspace.FactLine(strings.Join(words, "; ")) +
		", and logged nothing of it"}
}

// argsOf returns the command line of a process.
func (p Agents) argsOf(pid int) []string {
	if args := p.O.Process(pid).Args; args != nil {
		return args()
	}
	return nil
}

// hashBefore returns the hash of the task's file before its status and inputs are written, by the
// file's name.
func (p Agents) hashBefore(ctx context.Context, active sessions.ActiveTask) map[string]string {
	l, err := p.LoadTask(ctx, p.Store, active.ID)
	if err != nil {
		return nil
	}
	return map[string]string{l.Name: workspace.DocOf(l.Doc).Hash}
}

// beginFor takes or renews the claim of the active task, and returns notes for the session. It does
// not claim a task that is only proposed.
func (p Agents) beginFor(ctx context.Context, ask *sessions.FactsAsk, log *sessions.LogLine) []string {
	active := *ask.Active
	if active.ID == "" || active.Proposed {
		return nil
	}
	hold, doubts := p.ClaimOf(ctx, active.ID)
	if hold.Claim != nil && hold.Mine && p.Session(active.ID, p.Holder()) != nil {
		p.goOn(ctx, active.ID) // without a wait for the disk
		return nil
	}
	ask.Before = p.hashBefore(ctx, active)
	var out []string
	if notice, err := sessions.Of(p.Workspace).TakeUp(ctx, active); err != nil {
		log.Add(err)
	} else if notice != "" {
		out = append(out, notice)
	}
	started, err := sessions.Of(p.Workspace).BeginSession(ctx, sessions.SessionStartRequest{ID: string(active.ID)})
	if err != nil {
		log.Add(err)
		if ctx.Err() == nil && report.CodeOf(err) != report.CodeClaimHeld { // the facts name the holder
			out = append(out, "the task could not be claimed: "+workspace.FactLine(report.As(err).Error()))
		}
		return out
	}
	for _, f := range started.Warnings {
		if f.Code == report.CodeClaimsUnavailable && len(doubts) == 0 { // otherwise the facts say so
			out = append(out, workspace.FactLine(f.Text))
		}
	}
	return out
}

// goOn renews the claim of a task that the holder is working on. It records the active task only if
// it is not recorded yet, because a session start does not count as a command that wrote the task.
func (p Agents) goOn(ctx context.Context, id task.ID) {
	fence := p.Extend(ctx, id)
	if p.Active().Holders[p.Holder()].Task != id {
		p.SetActive(id, fence)
	}
}

// mostClientSeek is how many parent processes are searched for the client of a session.
const mostClientSeek = 8

// NoteClient records the client's process of a session that starts: the nearest ancestor of this
// process that is not a shell. It records nothing if the system does not report processes, or if
// the process that started the hook has already ended.
func (p Agents) NoteClient(rec *agentsession.Record) {
	rec.PID, rec.StartID = 0, ""
	process := p.O.Process(p.Env.PID)
	for range mostClientSeek {
		pid := process.Parent
		process = p.O.Process(pid)
		switch {
		case pid <= 0 || process.StartID == "" || isCaretaker(process.Name):
			return
		case !isShell(process.Name):
			rec.PID, rec.StartID = pid, process.StartID
			return
		}
	}
}

// isShell reports whether a process is a shell that clients put between themselves and a hook. An
// interpreter such as node is the client itself.
func isShell(name string) bool {
	return slices.Contains(
		[]string{"sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "busybox", "env", "timeout"}, name,
	)
}

// isCaretaker reports whether a process adopts orphans or runs people's shells. Its child process
// was not started by an agent.
func isCaretaker(name string) bool {
	name, _, _ = strings.Cut(name, ":") // "tmux: server"
	return slices.Contains([]string{
		"init", "systemd", "tini", "dumb-init", "docker-init", "containerd-shim", "sshd", "login", "su", "sudo",
		"tmux", "screen",
	}, name)
}
