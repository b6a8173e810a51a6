package shared

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"

	"baton/internal/gitrepo"
	"baton/internal/sorting"
	"baton/internal/task"
)

// Empty reports whether a book has nothing yet.
func (b *Book) Empty() bool {
	return b.Fence == 0 && b.LastID == 0 && len(b.Claims)+len(b.Ended)+len(b.Marks)+len(b.Outboxes) == 0
}

// rebuild adds to a new book what the documents of several worktrees say: marks for the tasks that
// they do not agree about, and the highest id. Somebody may have removed the book, with `git clean
// -x` for example, and a task that was completed before would be done once more. Who claimed
// a task, no document says.
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
		texts[i], paths[i], _ = c.textIn(w, id)
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
