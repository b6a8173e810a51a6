package shared

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/task"
)

// mostWorktrees is the most worktrees that are looked at (D41).
const mostWorktrees = 64

// Checkout is what the rules about marks need of one checkout.
type Checkout struct {
	Git     gitrepo.Repo
	Below   string                 // folder of the project below the top of the checkout, "." for the top itself
	Runtime string                 // runtime folder of the project, a slash path
	Files   func(task.ID) []string // where a task's file may be, slash paths below the project's root
	Here    bool                   // ignore other worktrees
	Cache   Cache
	Shared  Cache  // of all checkouts
	Prefix  string // of this project's caches in Shared
}

// Cache keeps git's answers.
type Cache interface {
	ReadCache(name string) ([]byte, error)
	WriteCache(name string, data []byte) error
}

// exists reports whether a mark's branch exists: as a reference, or as the unborn branch of a
// worktree. For a detached HEAD it is the worktree, even if it was moved by hand: as long as git
// lists its name, git keeps its commits.
func (c Checkout) exists(m Mark, trees []gitrepo.Worktree) bool {
	if _, exists := c.Git.BranchTip(m.Branch); exists {
		return true
	}
	return slices.ContainsFunc(trees, func(w gitrepo.Worktree) bool {
		return w.Name == m.Worktree && (m.Branch == "" || w.Top != "" && w.Working() == m.Branch)
	})
}

// folderOf returns the folder of a mark's worktree as seen from here; "" if it is not known, or if
// the branch is not checked out there any more.
func (c Checkout) folderOf(m Mark, trees []gitrepo.Worktree) string {
	for _, w := range trees {
		if w.Name == m.Worktree && w.Working() == m.Branch {
			return Folder(c.Git.Top, w.Top)
		}
	}
	return ""
}

// keptName is the cache of what git answered about marks.
const keptName = "marks.json"

// keptAnswers are git's answers: for a commit of HEAD, which others it contains; for a mark, the
// tip of its branch when its commit was looked for; and for a commit, a branch that lacks it.
type keptAnswers struct {
	Contains map[string]map[string]bool `json:"contains,omitempty"`
	Tips     map[string]string          `json:"tips,omitempty"`
	Lacks    map[string]lack            `json:"lacks,omitempty"`
}

// lack is a branch that lacked a commit when its tip was this one. Without a branch, git did not
// say, and the tip is that of HEAD.
type lack struct {
	Branch string `json:"branch,omitempty"`
	Tip    string `json:"tip"`
}

// mostTips is the most commits of HEAD whose answers are kept.
const mostTips = 8

func (c Checkout) keptAnswers() keptAnswers {
	var k keptAnswers
	if data, err := c.Cache.ReadCache(keptName); err == nil {
		_ = json.Unmarshal(data, &k)
	}
	if k.Contains == nil {
		k.Contains = map[string]map[string]bool{}
	}
	if k.Tips == nil {
		k.Tips = map[string]string{}
	}
	if k.Lacks == nil {
		k.Lacks = map[string]lack{}
	}
	return k
}

// keepAnswers saves git's answers. It is a cache, so a failure is ignored.
func (c Checkout) keepAnswers(k keptAnswers, head string) {
	for h := range k.Contains {
		if len(k.Contains) > mostTips && h != head {
			delete(k.Contains, h)
		}
	}
	for key := range k.Tips {
		if len(k.Tips) > Most {
			delete(k.Tips, key)
		}
	}
	for id := range k.Lacks {
		if len(k.Lacks) > Most {
			delete(k.Lacks, id)
		}
	}
	if data, err := json.Marshal(k); err == nil {
		_ = c.Cache.WriteCache(keptName, data)
	}
}

// contained returns whether a commit contains the commits of marks: from what was kept, else by
// asking git once. Answers never change, because a commit is never another one.
func (c Checkout) contained(
	ctx context.Context, head string, list []Mark, ask Asking,
) (map[string]Answer, error) {
	out := map[string]Answer{}
	var commits []string
	for _, m := range list {
		if m.Commit != "" && !slices.Contains(commits, m.Commit) {
			commits = append(commits, m.Commit)
		}
	}
	if len(commits) == 0 || head == "" {
		return out, nil
	}
	kept := c.keptAnswers()
	known := kept.Contains[head]
	var open []string
	for _, id := range commits {
		if yes, asked := known[id]; asked {
			out[id] = answer(yes)
		} else {
			open = append(open, id)
		}
	}
	if len(open) == 0 || ask == AskNever {
		return out, nil
	}
	limited, cancel := c.patience(ctx)
	defer cancel()
	got, err := c.Git.Contained(limited, head, open)
	if err != nil {
		return out, err
	}
	if known == nil {
		known = map[string]bool{}
		kept.Contains[head] = known
	}
	for id, yes := range got {
		out[id], known[id] = answer(yes), yes
	}
	if ask == AskKeep {
		c.keepAnswers(kept, head)
	}
	return out, nil
}

func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// documentIn returns what a task's document in a worktree says: its status and the hash of its
// output.
func (c Checkout) documentIn(w gitrepo.Worktree, id task.ID) (status task.Status, outputHash string) {
	if w.Top == "" {
		return "", ""
	}
	if text, _, ok := c.textIn(w, id); ok {
		s := c.over(context.Background(), w, task.Parse(id, text), AskNever)
		return s.Status(), HashOf(s)
	}
	return "", ""
}

// textIn returns a task's document in a worktree, and its path.
func (c Checkout) textIn(w gitrepo.Worktree, id task.ID) (text []byte, path string, ok bool) {
	for _, name := range c.Files(id) {
		path = filepath.Join(w.Top, c.Below, filepath.FromSlash(name))
		if text, ok = ReadPlain(path, report.MostBytes); ok {
			return text, path, true
		}
	}
	return nil, "", false
}

// patience limits how long git may take for all questions of one look.
func (c Checkout) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(c.Git.Patience, gitrepo.Limit))
}
