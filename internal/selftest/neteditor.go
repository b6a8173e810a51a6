package selftest

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// editor damages documents like somebody who rewrites them carelessly, between changes and in the
// middle of them. It ignores the lock.
type editor struct {
	g   *guarded
	rng *rand.Rand
}

// Between two damages so many changes are acknowledged.
const (
	fewestAcks = 2
	mostAcks   = 8
)

// damage continues until ctx ends. If an edit fails because the document is gone meanwhile, it does
// not count.
func (e *editor) damage(ctx context.Context) {
	for {
		for range fewestAcks + e.rng.IntN(mostAcks-fewestAcks+1) {
			select {
			case <-ctx.Done():
				return
			case <-e.g.beat:
			}
		}
		e.wait(ctx, 10*time.Millisecond)
		docs, err := documents(e.g.root)
		if err != nil || len(docs) == 0 {
			continue
		}
		if e.edit(ctx, docs[e.rng.IntN(len(docs))]) {
			e.g.edits.Add(1)
		}
	}
}

func (e *editor) wait(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(time.Duration(e.rng.Int64N(int64(limit))))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// edit damages a document once, and reports whether it did.
func (e *editor) edit(ctx context.Context, path string) bool {
	before, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	text := string(before)
	switch n := e.rng.IntN(20); {
	case n < 2:
		return os.Remove(path) == nil
	case n < 3:
		text = ""
	case n < 6:
		// Without half a character at the end, because baton writes into no such document.
		text = strings.ToValidUTF8(text[:e.rng.IntN(len(text)+1)], "")
	case n < 12:
		text = e.without(text)
	case n < 14:
		text = e.moved(text)
	default: // writes a text that was read a while ago
		e.wait(ctx, 40*time.Millisecond)
	}
	if e.rng.IntN(2) == 0 {
		return os.WriteFile(path, []byte(text), 0o666) == nil
	}
	other := path + ".edited"
	if os.WriteFile(other, []byte(text), 0o666) != nil {
		return false
	}
	if os.Rename(other, path) != nil {
		_ = os.Remove(other) // a process has the document open, which prevents this on some systems
		return false
	}
	return true
}

// without removes some lines.
func (e *editor) without(text string) string {
	lines := strings.SplitAfter(text, "\n")
	from := e.rng.IntN(len(lines))
	to := min(len(lines), from+1+e.rng.IntN(len(lines)/4+1))
	return strings.Join(append(lines[:from:from], lines[to:]...), "")
}

// moved moves one line.
func (e *editor) moved(text string) string {
	lines := strings.SplitAfter(text, "\n")
	from, to := e.rng.IntN(len(lines)), e.rng.IntN(len(lines))
	lines[from], lines[to] = lines[to], lines[from]
	return strings.Join(lines, "")
}

// documents lists the documents of a project, without those of its runtime folder.
func documents(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(filepath.Join(root, ".baton"), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // gone in the meantime
		case d.IsDir() && d.Name() == "local":
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, ".md") && !strings.HasPrefix(d.Name(), "."):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}
