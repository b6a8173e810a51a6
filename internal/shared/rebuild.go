package shared

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/sorting"
	"baton/internal/task"
)

// Empty reports whether a book has nothing yet.
func (b *Book) Empty() bool {
	return b.Fence == 0 && b.LastID == 0 && len(b.Claims)+len(b.Ended)+len(b.Marks)+len(b.Outboxes) == 0
}

// rebuild adds to a new book what several worktrees know: marks for the tasks about which their
// documents do not agree, the highest id, and the claims that holders remember. Somebody may have
// removed the book, with `git clean -x` for example, and tasks would be done twice.
func (c Checkout) rebuild(book *Book, trees []gitrepo.Worktree) {
	book.New = false
	trees = slices.DeleteFunc(slices.Clone(trees), func(w gitrepo.Worktree) bool { return w.Top == "" || w.Busy() })
	if len(trees) < 2 {
		return
	}
	for _, id := range c.idsIn(trees) {
		if n, ok := id.Number(); ok && n <= MaxID {
			book.LastID = max(book.LastID, IdCounter(n))
		}
		book.Marks = append(book.Marks, c.disagreeing(id, trees)...)
	}
	for _, w := range trees {
		c.reclaim(book, w)
	}
}

const (
	activeName  = "active.json"    // in which a checkout's holders remember their tasks (D24)
	renewed     = 30 * time.Minute // how long a claim lasts whose lease is not known any more
	mostClaimed = 1 << 40          // a fence beyond it is made up
)

// reclaim adds the claims that the holders of a worktree remember on tasks that are in progress
// there. No new claim gets a fence that somebody remembers.
func (c Checkout) reclaim(book *Book, w gitrepo.Worktree) {
	var known struct {
		Holders map[string]struct {
			Task   task.ID           `json:"task"`
			Fence  int64             `json:"fence"`
			At     string            `json:"at"`
			Others map[task.ID]int64 `json:"others"`
		} `json:"holders"`
	}
	data, ok := ReadPlain(c.runtimePath(w, activeName), MostOutbox)
	if !ok || json.Unmarshal(data, &known) != nil {
		return
	}
	for by, e := range known.Holders {
		fences := Remember(maps.Clone(e.Others), e.Task, e.Fence)
		for id, fence := range fences {
			if fence <= 0 || fence > mostClaimed {
				continue
			}
			book.Fence = max(book.Fence, fence)
			at := ParseStamp(e.At)
			if status, _ := c.documentIn(w, id); status != task.StatusInProgress || at.IsZero() ||
				book.Claims[id].Fence >= fence {
				continue
			}
			book.Claims[id] = Claim{
				By: by, Since: e.At, Until: Stamp(at.Add(renewed)), Lease: renewed.String(), Fence: fence,
			}
		}
	}
}

// idsIn returns the ids of the tasks in worktrees, in their order.
func (c Checkout) idsIn(trees []gitrepo.Worktree) []task.ID {
	seen := map[task.ID]bool{}
	var out []task.ID
	for _, w := range trees {
		for _, name := range c.Files("1") { // any id shows the folders
			entries, err := os.ReadDir(filepath.Join(w.Top, c.Below, filepath.FromSlash(path.Dir(name))))
			if err != nil {
				continue
			}
			for _, e := range entries {
				if id, ok := task.IDOfStateFile(e.Name()); ok && !seen[id] {
					seen[id] = true
					out = append(out, id)
				}
			}
		}
	}
	sorting.By(out, task.CompareIDs)
	return out
}

// disagreeing returns the marks of a task whose documents differ.
func (c Checkout) disagreeing(id task.ID, trees []gitrepo.Worktree) []Mark {
	texts, paths, same := make([][]byte, len(trees)), make([]string, len(trees)), true
	for i, w := range trees {
		texts[i], paths[i], _ = c.textIn(w, id) // nil if the worktree has none
		same = same && bytes.Equal(texts[i], texts[0])
	}
	if same {
		return nil
	}
	var out []Mark
	for i, w := range trees {
		info, err := os.Lstat(paths[i])
		if err != nil {
			continue
		}
		s := task.Parse(id, texts[i])
		m := Mark{
			Task: id, Status: s.Status(), Branch: w.Working(), Worktree: w.Name, OutputHash: HashOf(s),
			At: Stamp(info.ModTime()),
		}
		if m.Closes() || m.Open() {
			out = append(out, m)
		}
	}
	return out
}
