package merge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/task"
	"baton/internal/task/archive"
)

// commit is one version of a task file and its archive, with the commits before it.
type commit struct {
	at      int
	parents []*commit
	file    string
	archive string
}

// history is a repository in which several branches work on one task and merge each other, as git does it: several
// bases are merged with each other first.
type history struct {
	t      *testing.T
	random *rand.Rand
	count  int
	now    time.Time
	log    []string
}

// commit adds a commit.
func (h *history) commit(file, archived string, parents ...*commit) *commit {
	h.count++
	return &commit{at: h.count, parents: parents, file: file, archive: archived}
}

// above returns a commit and all commits before it.
func above(c *commit, seen map[*commit]bool) map[*commit]bool {
	if !seen[c] {
		seen[c] = true
		for _, p := range c.parents {
			above(p, seen)
		}
	}
	return seen
}

// bases returns the newest commits that both have, the oldest first.
func bases(a, b *commit) []*commit {
	inA, inB := above(a, map[*commit]bool{}), above(b, map[*commit]bool{})
	var common, out []*commit
	for c := range inA {
		if inB[c] {
			common = append(common, c)
		}
	}
	for _, c := range common {
		if !slices.ContainsFunc(common, func(d *commit) bool { return d != c && above(d, map[*commit]bool{})[c] }) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y *commit) int { return x.at - y.at })
	return out
}

// merge merges two commits.
func (h *history) merge(a, b *commit) *commit {
	all := bases(a, b)
	base := all[0]
	for _, next := range all[1:] {
		base = h.merge(base, next)
	}
	file, err := Merge("35", []byte(base.file), []byte(a.file), []byte(b.file))
	if err != nil || file.Conflicts > 0 {
		h.t.Fatalf("%v, %d conflicts\n%s\n%s\n=== base\n%s\n=== ours\n%s\n=== theirs\n%s", err, file.Conflicts,
			strings.Join(h.log, "\n"), file.Text, base.file, a.file, b.file)
	}
	archived := Archive([]byte(base.archive), []byte(a.archive), []byte(b.archive))
	if base.archive == "" && (a.archive == "" || b.archive == "") {
		archived.Text = []byte(a.archive + b.archive) // git adds a file that only one side has
	}
	return h.commit(string(file.Text), string(archived.Text), a, b)
}

// write logs an entry, which archives sessions if the file is large.
func (h *history) write(c *commit, text string) *commit {
	limits := task.DefaultLimits()
	limits.ArchiveKB, limits.KeepSessions = 1, 3
	done, err := archive.Log(task.Parse("35", []byte(c.file)), archive.LogRequest{
		Entry: task.Entry{Did: []string{text}}, Stamp: h.now, Now: h.now, Limits: limits, ArchivePath: "a.md",
		Archive: archive.Facts{Exists: c.archive != "", Tail: []byte(c.archive), Head: []byte(c.archive), Size: int64(len(c.archive))},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.commit(string(done.State.Bytes()), c.archive+string(done.Batch), c)
}

var word = regexp.MustCompile(`word[0-9]+x`)

// check reports what is wrong with a commit: sessions that are gone or there twice, and numbers that two sessions have.
func check(c *commit) []string {
	var out []string
	held := map[string]int{}
	numbers := map[int]bool{}
	for _, s := range task.Hold([]byte(c.file)).Sessions {
		held[word.FindString(s.Text)]++
		if numbers[s.Number] {
			out = append(out, "number "+strconv.Itoa(s.Number)+" twice")
		}
		numbers[s.Number] = true
	}
	for _, s := range task.HoldArchive([]byte(c.archive)) {
		held[word.FindString(s.Text)]++
	}
	for text, n := range held {
		if n > 1 {
			out = append(out, fmt.Sprintf("%s %d times", text, n))
		}
	}
	for c := range above(c, map[*commit]bool{}) {
		for _, text := range word.FindAllString(c.file, -1) {
			if held[text] == 0 {
				out = append(out, text+" is gone")
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestF1_BranchesThatMergeEachOtherKeepEverySessionOnce lets branches log in the same minutes, archive, and merge each
// other. BATON_SEED is the first seed, BATON_HISTORIES how many histories there are.
func TestF1_BranchesThatMergeEachOtherKeepEverySessionOnce(t *testing.T) {
	t.Parallel()
	first, count := 1, 20
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		first = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_HISTORIES")); err == nil {
		count = n
	}
	for seed := first; seed < first+count; seed++ {
		h := &history{
			t: t, random: rand.New(rand.NewPCG(uint64(seed), 0)), now: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC),
		}
		h.log = append(h.log, "seed "+strconv.Itoa(seed))
		start := h.commit(strings.Replace(mergeBase, "**Did:** a", "**Did:** word0x", 1), "")
		branches := []*commit{start, start, start, start}
		for step := range 60 {
			i, j := h.random.IntN(len(branches)), h.random.IntN(len(branches))
			switch n := h.random.IntN(10); {
			case n < 6:
				text := "word" + strconv.Itoa(step+1) + "x"
				h.log = append(h.log, fmt.Sprintf("%d logs %s", i, text))
				branches[i] = h.write(branches[i], text+strings.Repeat(" and more", h.random.IntN(40)))
			case i != j:
				h.log = append(h.log, fmt.Sprintf("%d merges %d", i, j))
				x, y := branches[i], branches[j]
				switch {
				case above(x, map[*commit]bool{})[y]:
				case above(y, map[*commit]bool{})[x]:
					branches[i] = y
				default:
					branches[i] = h.merge(x, y)
				}
			}
			h.now = h.now.Add(time.Duration(h.random.IntN(40)) * time.Second)
			if wrong := check(branches[i]); wrong != nil {
				h.story(branches[i], wrong)
			}
		}
	}
}

// story fails the test with what happened to the texts that are wrong.
func (h *history) story(c *commit, wrong []string) {
	var b strings.Builder
	var all []*commit
	for d := range above(c, map[*commit]bool{}) {
		all = append(all, d)
	}
	slices.SortFunc(all, func(x, y *commit) int { return x.at - y.at })
	for _, d := range all {
		fmt.Fprintf(&b, "\ncommit %d", d.at)
		for _, p := range d.parents {
			fmt.Fprintf(&b, " after %d", p.at)
		}
		for _, text := range word.FindAllString(strings.Join(wrong, " "), -1) {
			for _, s := range task.Hold([]byte(d.file)).Sessions {
				if strings.Contains(s.Text, text) {
					fmt.Fprintf(&b, "; %s is session %d%s of the file", text, s.Number, s.Note)
				}
			}
			for _, s := range task.HoldArchive([]byte(d.archive)) {
				if strings.Contains(s.Text, text) {
					fmt.Fprintf(&b, "; %s is session %d%s of the archive", text, s.Number, s.Note)
				}
			}
		}
	}
	h.t.Fatalf("%s\n%s\n%s", strings.Join(h.log, "\n"), strings.Join(wrong, "\n"), b.String())
}
