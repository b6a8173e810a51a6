package workspace

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/task"
)

// How many records of sessions, in all worktrees together, and how many worktrees are looked at to
// find the sessions at work.
const (
	MostNeighbourRecords  = 64
	MostNeighboursAtStart = 8
	MostAgents            = 1024
	mostNeighbourRoots    = 64
	mostNeighbourFile     = 300 // characters of a path
)

// Neighbour is a live session other than the caller's, in this worktree or in another one of the
// repository. It comes from the session's own record, so every text in it is somebody else's.
type Neighbour struct {
	Client  string  // the agent; "" for a session that commands started
	Session string  // the agent's id for it; without an agent, the holder
	Holder  string  // the name under which its commands write
	Task    task.ID // "" if it has none
	Root    string  // the project's root in its worktree
	Here    bool    // that is this worktree
	Files   []string
	At      string // its last event, RFC 3339 UTC; without an agent, the last write that renewed its claim
	Record  string // name of its record among the caches of its worktree

	Brief *agentsession.Record // beginning of the record; nil without an agent
}

// Neighbours returns the live sessions in all worktrees of the repository, except the caller's own,
// the last seen first. It reads records without a lock and writes nothing. It skips what it cannot
// read: a sandbox may hide other worktrees. At most so many of the newest records are read:
// MostNeighbourRecords, or eight when an agent's session starts, which must be quick (D30).
// fresh includes the agent's session that runs the command, as one that starts now finds it.
func (p *Workspace) Neighbours(ctx context.Context, fresh bool, most int) []Neighbour {
	want := p.isOther
	if fresh {
		want = func(rec *agentsession.Record, _ string) bool { return p.AgentLive(rec) }
	}
	return p.sessionsIn(ctx, p.sessionFiles(most), true, want)
}

// Agents returns the agents' sessions in all worktrees of the repository that did not say that they
// end, the last seen first, among so many records. Their processes may have ended. It reads like
// Neighbours, but not their files, and without tasks not what commands started.
func (p *Workspace) Agents(ctx context.Context, most int, tasks bool) []Neighbour {
	records := p.sessionFiles(most)
	if !tasks {
		records = slices.DeleteFunc(records, func(f recordFile) bool { return !f.agent })
	}
	open := func(rec *agentsession.Record, _ string) bool { return rec.Ended == "" }
	all := p.sessionsIn(ctx, records, false, open)
	return slices.DeleteFunc(all, func(n Neighbour) bool { return n.Brief == nil })
}

// sessionsIn reads records, those of agents only if they are wanted.
func (p *Workspace) sessionsIn(
	ctx context.Context, records []recordFile, files bool, want func(rec *agentsession.Record, root string) bool,
) []Neighbour {
	var found []Neighbour
	var begun []startedSession
	for _, f := range records {
		if ctx.Err() != nil {
			return nil
		}
		if !f.agent {
			begun = append(begun, f.started()...)
		} else if n, ok := p.neighbourIn(f, files, want); ok {
			found = append(found, n)
		}
	}
	return p.joined(ctx, found, begun)
}

// recordFile is the record of a session in one of the worktrees.
type recordFile struct {
	store *filestore.Store
	root  string
	name  string // below the runtime folder
	agent bool   // in agents/, else in sessions/
	info  disk.FileInfo
}

// sessionFiles lists the newest records of all worktrees.
func (p *Workspace) sessionFiles(most int) []recordFile {
	var out []recordFile
	list := func(s *filestore.Store, root string) {
		for _, dir := range [...]string{"agents", "sessions"} {
			var infos []disk.FileInfo
			var err error
			if dir == "agents" && s == p.Store {
				infos = p.AgentListing()
			} else if infos, err = s.ListCaches(dir); err != nil {
				return
			}
			for _, i := range infos {
				if strings.HasSuffix(i.Name, ".json") && i.Size > 0 && i.Size <= agentsession.MostBytes {
					out = append(out, recordFile{s, root, dir + "/" + i.Name, dir == "agents", i})
				}
			}
		}
	}
	list(p.Store, p.Root)
	for _, root := range p.otherRoots() {
		list(p.storeIn(root), root)
	}
	sorting.By(out, func(a, b recordFile) int { return laterFirst(a.info, b.info) })
	return out[:min(len(out), most)]
}

// otherRoots returns the root of this project in each of the other worktrees.
func (p *Workspace) otherRoots() []string {
	within, err := filepath.Rel(p.Git.Top, p.Root)
	if p.Git.Dir == "" || err != nil || !filepath.IsLocal(within) {
		return nil
	}
	var out []string
	for _, w := range p.Git.Worktrees(mostNeighbourRoots) {
		if w.Top != "" && w.Top != p.Git.Top && p.sameRepository(w.Top) {
			out = append(out, filepath.Join(w.Top, within))
		}
	}
	return out
}

// sameRepository reports whether a folder is in a worktree of this repository by its own account
// too. A repository from elsewhere may name any folder as a worktree of its own.
func (p *Workspace) sameRepository(dir string) bool {
	return p.Git.Dir != "" && gitrepo.Common(dir).Dir == p.Git.Dir
}

// storeIn returns the store for the caches of another worktree. Nothing is ever written through it.
func (p *Workspace) storeIn(root string) *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: root, Runtime: RuntimeDir, Command: p.O.Command, Env: p.Env, FS: p.O.FS, Wait: p.O.Wait,
	})
}

// NeighbourAgain reads the record of a session that was a neighbour before. It returns false if the
// session is over or not one of this repository.
func (p *Workspace) NeighbourAgain(root, record string) (Neighbour, bool) {
	name, ok := strings.CutPrefix(record, "agents/")
	if !ok || strings.Contains(name, "/") || !strings.HasSuffix(name, ".json") {
		return Neighbour{}, false
	}
	switch {
	case root == p.Root:
		return p.neighbourIn(recordFile{store: p.Store, root: root, name: record}, true, p.isOther)
	case !filepath.IsAbs(root) || !p.sameRepository(root):
		return Neighbour{}, false
	}
	return p.neighbourIn(recordFile{store: p.storeIn(root), root: root, name: record}, true, p.isOther)
}

// isOther reports whether a session lives and is not the caller's.
func (p *Workspace) isOther(rec *agentsession.Record, root string) bool {
	return p.AgentLive(rec) && !p.isSelf(rec, root)
}

// neighbourIn reads the record of an agent's session, all of it only if its files are asked for,
// and reports whether it is wanted.
func (p *Workspace) neighbourIn(
	f recordFile, files bool, want func(rec *agentsession.Record, root string) bool,
) (Neighbour, bool) {
	var read recordRead
	if f.store == p.Store {
		read = p.recordedIn(f.name)
	} else {
		read = readRecord(f.store, f.name)
	}
	rec := read.brief // most records are of sessions that are over, and need no more than this
	if rec == nil || !want(rec, f.root) {
		return Neighbour{}, false
	}
	brief, whole := rec, &agentsession.Record{}
	if files && json.Unmarshal(read.data, whole) == nil {
		rec = whole
	}
	n := Neighbour{
		Client: safetext.Line(rec.Client), Session: FactLine(rec.Session), Holder: safetext.Line(rec.Holder()),
		Root: f.root, Here: f.root == p.Root, At: rec.Seen, Record: f.name, Brief: brief,
	}
	if id, err := task.ParseID(string(rec.Task)); err == nil {
		n.Task = id
	}
	for _, file := range rec.Files[max(0, len(rec.Files)-agentsession.MostFiles):] {
		if file = safetext.FirstRunes(safetext.Line(file), mostNeighbourFile); file != "" {
			n.Files = append(n.Files, file)
		}
	}
	return n, true
}

// isSelf reports whether a record is that of the caller's session. If no session of an agent is
// known to run this command, it is the session in this worktree that has the caller's name. A
// client that went on with another session has two records. Once the older one was not seen for the
// length of a lease, it counts as the caller's.
func (p *Workspace) isSelf(rec *agentsession.Record, root string) bool {
	_, self := p.AgentWriting()
	if self == "" {
		return root == p.Root && rec.Holder() == p.Holder()
	}
	if rec.Session == self {
		return true
	}
	if rec.PID == 0 || root != p.Root || !p.AgentLapsed(rec) {
		return false
	}
	own := p.AgentRecordOf(self)
	return own.PID == rec.PID && own.StartID == rec.StartID
}

// startedSession is a session that a command started.
type startedSession struct {
	SessionRecord
	recordFile
}

// started reads the record of a session that a command started.
func (f recordFile) started() []startedSession {
	data, err := f.store.ReadCache(f.name)
	s := startedSession{recordFile: f}
	if err != nil || len(data) > agentsession.MostBytes || json.Unmarshal(data, &s.SessionRecord) != nil {
		return nil
	}
	id, err := task.ParseID(string(s.Task))
	if s.Task = id; err != nil || s.As == "" {
		return nil
	}
	return []startedSession{s}
}

// joined gives agents the tasks that their commands started, and adds the sessions of people and
// programs without hooks, which live as long as their claim does.
func (p *Workspace) joined(ctx context.Context, found []Neighbour, begun []startedSession) []Neighbour {
	book := &ClaimBook{}
	if len(begun) > 0 {
		book, _ = p.ClaimsNow(ctx)
	}
	tasked := map[string]bool{} // agents whose task is known; the most recently written record decides
	for _, s := range begun {
		c, live := book.Live(s.Task, p.Now())
		if !live || c.By != s.As {
			continue
		}
		i := slices.IndexFunc(found, func(n Neighbour) bool { return n.Root == s.root && n.Holder == s.As })
		switch {
		case i >= 0:
			if who := found[i].Record; !tasked[who] {
				tasked[who], found[i].Task = true, s.Task
			}
		case s.As != p.Holder() && !s.ofAgent():
			found = append(found, Neighbour{
				Session: safetext.Line(s.As), Holder: safetext.Line(s.As), Task: s.Task, Root: s.root,
				Here: s.root == p.Root, At: max(s.Started, lastWrite(c)), Record: s.name,
			})
			tasked[s.name] = true
		}
	}
	sorting.By(found, func(a, b Neighbour) int {
		if c := strings.Compare(b.At, a.At); c != 0 {
			return c
		}
		return strings.Compare(a.Root+"\x00"+a.Session, b.Root+"\x00"+b.Session)
	})
	return found
}

// ofAgent reports whether the holder of a session is an agent's session with a record of its own,
// which has told already whether the agent is at work.
func (s startedSession) ofAgent() bool {
	if !agentsession.IsSession(s.As) {
		return false
	}
	data, err := s.store.ReadCache(agentsession.RecordFile(s.As))
	return err == nil && len(data) > 0
}

// lastWrite returns when the holder of a claim wrote last: every write renews the claim.
func lastWrite(c ClaimRecord) string {
	lease, err := time.ParseDuration(c.Lease)
	until := ParseStamp(c.Until)
	if err != nil || until.IsZero() {
		return c.Since
	}
	return Stamp(until.Add(-lease))
}
