package shared

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/sorting"
	"baton/internal/task"
)

// sidecar is what was kept beside a task file that has no metadata, and by what a checkout knows
// whether it is true there (5.11.3). All worktrees of a repository share it, and it is never
// changed, so a merge makes it true and a reset makes it untrue.
type sidecar struct {
	Values   task.Aside `json:"values"`
	File     string     `json:"file"`               // hash of the file
	Session  string     `json:"session,omitempty"`  // hash of its newest session; "" without one
	Output   string     `json:"output,omitempty"`   // hash of its output; "" without one
	Worktree string     `json:"worktree,omitempty"` // where it was written, as in Mark
	Branch   string     `json:"branch,omitempty"`   // as in Mark
	Head     string     `json:"head,omitempty"`     // commit of HEAD at that time
	Only     bool       `json:"only,omitempty"`     // other worktrees or branches had another file
	Ahead    bool       `json:"ahead,omitempty"`    // no other worktree was at Head
	At       string     `json:"at"`
	Key      string     `json:"key"`            // identifies it
	Seen     []string   `json:"seen,omitempty"` // keys of those that it replaces where it is true
}

// mostSidecars is the most versions that are kept beside a file. Beyond it, the oldest go first.
const mostSidecars = 16

// sidecarName returns the name of the cache for a task.
func sidecarName(id task.ID) string { return "aside/task-" + string(id) + ".json" }

// sidecarOf describes a file as it is now.
func sidecarOf(s *task.State) sidecar {
	b := sidecar{Values: s.Aside(), File: task.BodyHash(string(s.Bytes())), Output: HashOf(s)}
	newest := 0
	for i := range s.Sessions {
		if s.Sessions[i].Number >= s.Sessions[newest].Number {
			newest = i
		}
	}
	if len(s.Sessions) > 0 {
		b.Session = sessionHash(s, s.Sessions[newest])
	}
	return b
}

// sessionHash returns the hash of a session without its heading, which a merge may renumber.
func sessionHash(s *task.State, entry task.Session) string {
	text := entry.Span.Of(s.Bytes())
	if _, body, _ := bytes.Cut(text, []byte("\n")); len(bytes.TrimSpace(body)) > 0 {
		text = body
	}
	return task.BodyHash(string(bytes.TrimSpace(text)))
}

// fits reports whether a file has the work that it had when this was written. It is the same work
// if the output is the same, too.
func (b sidecar) fits(s *task.State) (has, same bool) {
	if task.BodyHash(string(s.Bytes())) == b.File {
		return true, true
	}
	if b.Session != "" && !slices.ContainsFunc(s.Sessions, func(entry task.Session) bool {
		return sessionHash(s, entry) == b.Session
	}) {
		return false, false
	}
	output := HashOf(s)
	return b.Output == "" || output != "", b.Output == output && b.Session+b.Output != ""
}

// sidecars returns what was kept beside a task's file, the oldest first.
func (c Checkout) sidecars(id task.ID) []sidecar {
	var all []sidecar
	for _, place := range []struct {
		cache Cache
		name  string
	}{{c.Shared, c.Prefix + sidecarName(id)}, {c.Cache, sidecarName(id)}} {
		var list []sidecar
		if data, err := place.cache.ReadCache(place.name); err == nil && json.Unmarshal(data, &list) == nil {
			all = append(all, list...)
		}
	}
	sorting.By(all, func(a, b sidecar) int { return cmp.Compare(a.At, b.At) })
	return all
}

// Over returns a state with what is kept beside its file, as far as it is true in this checkout.
func (c Checkout) Over(ctx context.Context, s *task.State) *task.State {
	return c.over(ctx, c.here(), s, AskNow)
}

func (c Checkout) here() gitrepo.Worktree {
	return gitrepo.Worktree{Name: c.Git.Name(), Place: c.Git.Place}
}

// over is Over for the file of any worktree.
func (c Checkout) over(ctx context.Context, w gitrepo.Worktree, s *task.State, ask Asking) *task.State {
	if s.Meta.Present {
		return s
	}
	held, _ := c.held(ctx, w, s, ask)
	if len(held) == 0 {
		return s
	}
	values := held[0].Values
	for _, b := range held[1:] {
		// Two branches were merged. As in files, complete is more than any status of work (D44).
		switch task.Status(values["status"]) {
		case task.StatusComplete, task.StatusBlocked, task.StatusCancelled:
		default:
			if task.Status(b.Values["status"]) == task.StatusComplete {
				values = b.Values
			}
		}
	}
	return s.WithAside(values)
}

// held returns what is true for the file of a worktree, the newest first, and the keys of all that
// it replaces.
func (c Checkout) held(
	ctx context.Context, w gitrepo.Worktree, s *task.State, ask Asking,
) (list []sidecar, seen []string) {
	for _, b := range slices.Backward(c.sidecars(s.ID)) {
		if !slices.Contains(seen, b.Key) && c.holds(ctx, b, w, s, ask) {
			list, seen = append(list, b), append(seen, b.Seen...)
		}
	}
	return list, seen
}

// holds reports whether what was kept is true for the file of a worktree: it was written there, or
// the work was merged. A file that other worktrees did not have says so itself; otherwise HEAD must
// contain the change.
func (c Checkout) holds(ctx context.Context, b sidecar, w gitrepo.Worktree, s *task.State, ask Asking) bool {
	has, same := b.fits(s)
	if !has || c.Git.Dir == "" {
		return has
	}
	if b.Worktree == w.Name && b.Branch == w.Working() || same && b.Only {
		return true
	}
	head := w.Head()
	commit := c.sidecarCommit(ctx, b, head, ask)
	if commit == "" || head == "" || commit == head {
		return commit == head && head != ""
	}
	answers, err := c.contained(ctx, head, []Mark{{Commit: commit}}, ask)
	return err == nil && answers[commit] == Yes
}

// sidecarCommit returns the commit that a checkout has once it has the work: HEAD of that time or,
// if other worktrees had that already, the next one on the branch. It is "" if there is none yet.
func (c Checkout) sidecarCommit(ctx context.Context, b sidecar, head string, ask Asking) string {
	if b.Ahead {
		return b.Head
	}
	tip, exists := c.Git.BranchTip(b.Branch)
	switch {
	case !exists && head != b.Head:
		return b.Head // the branch was removed, as one does after a merge
	case !exists, tip == b.Head, ask == AskNever:
		return ""
	}
	ctx, cancel := c.patience(ctx)
	defer cancel()
	next, _ := c.Git.FirstAfter(ctx, b.Head, tip)
	return next
}

// sidecarMark returns the commit with the change of a mark, for a file without metadata as the
// newest commit of its branch has it; "" if it is not committed.
func (c Checkout) sidecarMark(ctx context.Context, m Mark, tip, commit string, s *task.State) string {
	for _, b := range slices.Backward(c.sidecars(m.Task)) {
		if b.Worktree != m.Worktree || b.Branch != m.Branch {
			continue
		}
		if _, same := b.fits(s); same && b.Only {
			return commit
		}
		return c.sidecarCommit(ctx, b, tip, AskNow)
	}
	if m.Says(s.Status(), HashOf(s)) {
		return commit
	}
	return ""
}

// KeepSidecar writes what a change put beside a task's file. If the shared folder cannot be
// written, only this checkout knows of it.
func (c Checkout) KeepSidecar(ctx context.Context, was, is *task.State, now time.Time) error {
	unchanged := maps.Equal(was.Aside(), is.Aside())
	if is.Meta.Present || unchanged && len(is.Aside()) == 0 {
		return nil
	}
	if _, same := sidecarOf(was).fits(is); unchanged && same {
		return nil
	}
	b := sidecarOf(is)
	b.At = now.UTC().Format(time.RFC3339Nano)
	if c.Git.Dir != "" {
		b.Worktree, b.Branch, b.Head = c.Git.Name(), c.Git.Working(), c.Git.Place.Head()
		others := slices.DeleteFunc(c.Git.Worktrees(mostWorktrees), func(w gitrepo.Worktree) bool {
			return w.Name == b.Worktree || w.Top == ""
		})
		b.Ahead, b.Only = b.Head != "", len(others) > 0 || c.onlyHere(ctx, b, is)
		for _, w := range others {
			text, _, _ := c.textIn(w, is.ID) // a worktree that cannot be read has no such file
			_, same := b.fits(task.Parse(is.ID, text))
			b.Only, b.Ahead = b.Only && !same, b.Ahead && w.Head() != b.Head
		}
	}
	replaced, seen := c.held(ctx, c.here(), was, AskNow)
	for _, old := range replaced {
		seen = append(seen, old.Key)
	}
	b.Seen = seen[max(0, len(seen)-2*mostSidecars):]
	err := appendSidecar(c.Shared, c.Prefix+sidecarName(is.ID), b)
	if err != nil {
		err = appendSidecar(c.Cache, sidecarName(is.ID), b)
	}
	return err
}

// onlyHere reports whether no other branch has the same work. A squash merge, which git does not
// know as one, then shows where the work went.
func (c Checkout) onlyHere(ctx context.Context, b sidecar, s *task.State) bool {
	if b.Branch == "" {
		return false
	}
	for _, name := range c.Files(s.ID) {
		versions, err := c.Git.OnOthers(ctx, b.Branch, name)
		if err != nil || slices.ContainsFunc(versions, func(text []byte) bool {
			_, same := b.fits(task.Parse(s.ID, text))
			return same
		}) {
			return false
		}
	}
	return true
}

// appendSidecar adds to a cache what is kept beside a file.
func appendSidecar(cache Cache, name string, b sidecar) error {
	var list []sidecar
	if data, err := cache.ReadCache(name); err != nil || json.Unmarshal(data, &list) != nil {
		list = nil
	}
	var last string
	if len(list) > 0 {
		last = list[len(list)-1].Key
	}
	b.Key = task.BodyHash(fmt.Sprint(last, b))
	list = append(list, b)
	data, err := json.Marshal(list[max(0, len(list)-mostSidecars):])
	if err != nil {
		return err
	}
	return cache.WriteCache(name, data)
}
