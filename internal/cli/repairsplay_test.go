package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestD44_WhatBatonRecommendsDoesNoHarm plays histories with damage, and does what baton recommends. BATON_REPAIRS sets
// the number of histories, and BATON_SEED the first seed.
func TestD44_WhatBatonRecommendsDoesNoHarm(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to play histories")
	}
	seeds := []int{103} // the histories that failed once
	count, seed := 16, 1
	if n, err := strconv.Atoi(os.Getenv("BATON_REPAIRS")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		seed = n
	}
	for i := range count {
		seeds = append(seeds, seed+i)
	}
	slices.Sort(seeds)
	for _, seed := range slices.Compact(seeds) {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			newRepairHistory(t, seed).play()
		})
	}
}

// newRepairHistory returns a project with two tasks. The seed decides about its layout, about how git merges, and
// whether archives are committed.
func newRepairHistory(t *testing.T, seed int) *repairHistory {
	r := &repairHistory{
		branchHistory: branchHistory{
			t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(uint64(seed), 2)),
			now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		},
		layout: [...]string{"baton", "gsd", "specflow", "specflux"}[seed%4], older: map[string]string{}, hurt: map[string]bool{},
		after: map[string][]string{}, sorted: true,
	}
	r.driver, r.ignored = r.rand.IntN(4) > 0, r.rand.IntN(6) == 0
	r.git("init", "-q", "-b", "main")
	r.withoutLocks()
	r.baton("init", "--layout", r.layout)
	for _, title := range [...]string{"One", "Two"} {
		r.baton("task", "new", title, "--accept", "Alpha", "--accept", "Beta", "--accept", "Gamma")
	}
	if r.driver {
		r.baton("merge", "install")
	}
	if r.ignored {
		r.write(".gitignore", "archive/\narchives/\n")
	}
	if r.layout == "specflow" && r.rand.IntN(2) == 0 {
		r.bullets()
	}
	r.save()
	return r
}

// withoutLocks keeps the lock files that killed processes leave out of commits.
func (r *repairHistory) withoutLocks() { r.write(filepath.Join(".git", "info", "exclude"), "*.lock\n") }

func (r *repairHistory) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// bullets makes a list without dates of the table of decisions, as long as a digest may be.
func (r *repairHistory) bullets() {
	var list strings.Builder
	for range 60 {
		r.named++
		word := fmt.Sprintf("word-%d-end", r.named)
		fmt.Fprintf(&list, "- SPEC-00%d: %s\n", 1+r.named%2, word)
		r.decided(word)
	}
	name := filepath.Join(".specflow", "STATE.md")
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	table := "| Date | Decision |\n|------|----------|\n"
	if !strings.Contains(string(data), table) {
		r.t.Fatalf("no table of decisions in\n%s", data)
	}
	r.write(name, strings.Replace(string(data), table, list.String(), 1))
	r.baton("init") // reads the list
}

// play lets people and agents work, and then does what baton recommends.
func (r *repairHistory) play() {
	for range 12 {
		r.act()
		for path, text := range r.documents() {
			if r.rand.IntN(3) == 0 || r.older[path] == "" {
				r.older[path] = text
			}
		}
		switch r.rand.IntN(14) {
		case 0, 1, 2, 3:
			r.damage()
		case 4, 5:
			r.branch()
		case 6:
			r.move()
		}
	}
	r.follow()
	r.holds()
	r.ordered()
	r.inTime()
	r.tasks()
	r.quiet()
}

// inTime checks that no decision stands before one that was there when it was made, the archive being before the digest.
func (r *repairHistory) inTime() {
	r.t.Helper()
	at, n := map[string]int{}, 0
	for _, name := range [...]string{"DECISIONS_ARCHIVE.md", "STATE.md"} {
		for _, line := range r.lines(name) {
			if word := anyWord.FindString(line[1]); word != "" && strings.ContainsAny(line[1][:1], "-|") {
				n++
				at[word] = n
			}
		}
	}
	for word, before := range r.after {
		for _, earlier := range before {
			if r.sorted && at[earlier] > at[word] {
				r.t.Errorf("%s stands behind %s, which is newer\n%s", earlier, word, strings.Join(r.done, "\n"))
				return
			}
		}
		if at[word] == 0 {
			r.t.Errorf("the decision %s is gone\n%s", word, strings.Join(r.done, "\n"))
		}
	}
}

// tasks checks that each task that was created on the way is there once, and that nothing is there that a killed command
// did not get to write.
func (r *repairHistory) tasks() {
	r.t.Helper()
	found := map[string]int{}
	for path, text := range r.documents() {
		for line := range strings.Lines(text) {
			if _, title, ok := strings.Cut(line, ": word-"); ok && strings.HasPrefix(line, "# Task #") {
				found["word-"+strings.TrimSpace(title)]++
			}
		}
		for _, word := range r.never {
			if strings.Contains(text, word) {
				r.t.Errorf("%s has %s, which was never written\n%s", path, word, strings.Join(r.done, "\n"))
			}
		}
	}
	for _, title := range r.titles {
		if found[title] != 1 {
			r.t.Errorf("the task %s is there %d times\n%s", title, found[title], strings.Join(r.done, "\n"))
		}
	}
	if lost := slices.DeleteFunc(slices.Clone(r.titles), func(s string) bool { return found[s] == 1 }); len(lost) > 0 {
		r.t.Log(lost)
	}
}
