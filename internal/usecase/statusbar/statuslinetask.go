package statusbar

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/safetext"
	"baton/internal/statusline"
	"baton/internal/store/filestore"
	"baton/internal/task"
	"baton/internal/workspace"
)

// mostActiveBytes limits how much of the cache of active tasks is read.
const mostActiveBytes = 1 << 20

// activeTask returns the task of the session, or else of BATON_AS, or else the most recently
// started one (D24). It opens only that task's file.
func (g *glance) activeTask(session string) *statusline.Task {
	found := workspace.Look(g.tasks)
	root := workspace.LinkedRoot(g.tasks, found)
	id := g.activeID(root, session)
	if id == "" {
		return nil
	}
	dirs := found.Dirs
	if given := g.env.Getenv("BATON_TASKS_DIR"); given != "" {
		if s := g.taskState(id, workspace.AbsoluteIn(g.env.Dir, given)); s != nil {
			return g.lineTask(root, s)
		}
	}
	for _, d := range append(dirs, workspace.WorktreeDir(id)) {
		if s := g.taskState(id, filepath.Join(root, filepath.FromSlash(d.Dir))); s != nil {
			return g.lineTask(root, s)
		}
	}
	return nil
}

// activeID returns the id in the cache, or "".
func (g *glance) activeID(root, session string) task.ID {
	var book workspace.ActiveBook
	_ = json.Unmarshal(g.whole(
		filepath.Join(root, filepath.FromSlash(workspace.RuntimeDir), workspace.ActiveName), mostActiveBytes,
	), &book)
	var id task.ID
	for _, name := range [...]string{session, g.env.Getenv("BATON_AS")} {
		if e, ok := book.Holders[safetext.Line(name)]; ok && id == "" && name != "" {
			id = e.Task
		}
	}
	if id == "" {
		id = newest(book)
	}
	if checked, err := task.ParseID(string(id)); err == nil {
		return checked
	}
	return ""
}

// taskState reads a task file as far as the line needs it: up to its progress log, or completely if
// the metadata do not count the sessions.
func (g *glance) taskState(id task.ID, dir string) *task.State {
	var s *task.State
	data := g.beginning(filepath.Join(dir, task.StateName(id)), LineFirst, func(head []byte) bool {
		s = task.ParseHead(id, head)
		if s.HeadComplete() && s.Meta.Total >= 0 {
			return true
		}
		s = nil
		return false
	})
	if s == nil && len(data) > 0 {
		s = task.Parse(id, data)
	}
	return s
}

// lineTask returns what the line shows of a task. Only if the task is finished, it reads which one
// is next, from what commands prepared (D49).
func (g *glance) lineTask(root string, s *task.State) *statusline.Task {
	t := &statusline.Task{
		ID: s.ID, Title: s.Title, Criteria: len(s.Criteria), Sessions: s.Meta.Total, Status: s.Status(),
	}
	if t.Status == task.StatusComplete || t.Status == task.StatusCancelled {
		if ready := g.prepared(root); ready.Next != nil && ready.Next.ID != s.ID {
			t.Next = ready.Next
		}
	}
	if t.Sessions < 0 {
		t.Sessions = s.TotalSessions()
	}
	for _, c := range s.Criteria {
		if c.Checked {
			t.Checked++
		}
	}
	return t
}

// records returns the folder with baton's records: that of the tasks, or else that of the digest.
func (g *glance) records() string {
	if g.tasks != "" {
		return workspace.LinkedRoot(g.tasks, workspace.Look(g.tasks))
	}
	return g.root
}

// injected reads from the session's record how much text was added to its context, or returns nil
// if nothing was.
func (g *glance) injected(root, session string) *statusline.Agent {
	path := filepath.Join(
		root, filepath.FromSlash(workspace.RuntimeDir), filepath.FromSlash(agentsession.RecordFile(session)),
	)
	rec := agentsession.Brief(g.beginning(path, agentsession.BriefBytes, func([]byte) bool { return true }))
	if rec == nil || rec.Session != session || rec.Injected.Times == 0 {
		return nil
	}
	return &statusline.Agent{
		Times: rec.Injected.Times, Characters: rec.Injected.Characters, Tokens: rec.Injected.Tokens,
	}
}

// losses reads the number of lost entries from the cache. It does not ask git, so the number is
// valid only while HEAD is unchanged (D9). HEAD is looked up only if something is lost.
func (g *glance) losses(root string) int {
	path := filepath.Join(root, filepath.FromSlash(workspace.RuntimeDir), workspace.LossMemoryName)
	count, head := lossCount(g.beginning(path, lossCountBytes, func([]byte) bool { return true }))
	if count == 0 {
		return 0
	}
	place := gitrepo.Common(root)
	if place.Dir != "" && !IsFile(filepath.Join(place.GitDir, "HEAD")) || place.Head() != head {
		return 0
	}
	return count
}

// SensorReading is how full an agent's context is. It is for hooks that do not get this information
// (agents.md 6.3).
type SensorReading struct {
	Session   string  `json:"session_id"`
	Used      float64 `json:"used_percentage"`
	Remaining float64 `json:"remaining_percentage"`
	Window    int     `json:"context_window_size"`
	At        int64   `json:"ts"` // seconds since 1970
}

// SensorName returns the cache file of a session's reading. A session's id may contain any
// characters, so the name is a hash.
func SensorName(session string) string {
	sum := sha256.Sum256([]byte(session))
	return "sensor/" + hex.EncodeToString(sum[:16]) + ".json"
}

// sense stores the reading of the session in the runtime folder, or removes it while the agent has
// none. Failures are ignored, because it is only a cache.
func (g *glance) sense(in statusline.Input) {
	if in.Session == "" || g.env.Now == nil {
		return
	}
	store := filestore.Open(
		filestore.Options{Root: g.root, Runtime: workspace.RuntimeDir, Command: "statusline", Env: g.env},
	)
	defer store.Close()
	if in.Remaining == nil {
		_ = store.RemoveCache(SensorName(in.Session))
		return
	}
	reading := SensorReading{Session: in.Session, Remaining: *in.Remaining, Used: 100 -
		*in.Remaining, Window: in.Window, At: g.env.Now().Unix()}
	if in.Used != nil {
		reading.Used = *in.Used
	}
	if data, err := json.Marshal(reading); err == nil {
		_ = store.WriteCache(SensorName(in.Session), append(data, '\n'))
	}
}
