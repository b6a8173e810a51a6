package project

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func (w *world) lost(all bool) loss.LostList {
	w.t.Helper()
	return must(w.as("a").Loss.Lost(w.t.Context(), loss.LostRequest{All: all}))(w.t)
}

func labels(list []loss.LostEntry) []string {
	out := []string{}
	for _, e := range list {
		out = append(out, e.Kind+" "+e.Label)
	}
	return out
}

// TestD37_LostEntriesComeBackInPlace checks that a dry run changes nothing, and that a restore puts back everything at
// once.
func TestD37_LostEntriesComeBackInPlace(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain", "Name things")}}
	id := string(l.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand", "Rails hold")}))
	l.log("a", id, "Drove the piles")
	digest, file := l.read(keptState), l.taskFile(id)
	text := l.read(file)
	if got := l.lost(true); len(got.Lost) != 0 || got.Since == "" {
		t.Fatalf("before anybody wiped anything: %+v", got)
	}
	l.wipe("Use one lock", "Name things")
	l.write(file, strings.ReplaceAll(text, "- [ ] Rails hold\n", ""))
	got := l.lost(false)
	if len(got.Lost) != 3 || !slices.IsSortedFunc(
		got.Lost[:2], func(a, b loss.LostEntry) int { return strings.Index(digest, a.Text) - strings.Index(digest, b.Text) },
	) {
		t.Fatalf("%q", labels(got.Lost))
	}
	for _, e := range got.Lost {
		if len(e.ID) < loss.ShownLossID || !strings.HasPrefix(e.Key, e.ID) || e.Fate != "lost" || e.By !=
			map[string]string{"decision": "a", "criterion": "agent-1"}[e.Kind] || e.Seen == "" || !strings.Contains(digest+text, e.Text) {
			t.Errorf("%+v", e)
		}
	}
	before := l.files()
	dry := must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{DryRun: true}))(t)
	if dry.Applied || len(dry.Changes) != 2 || !strings.Contains(dry.Changes[0].Diff+dry.Changes[1].Diff, "\n+- [ ] Rails hold") ||
		!equalFiles(before, l.files()) {
		t.Fatalf("%+v", dry)
	}
	done := must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	if !done.Applied || len(done.Entries) != 3 || l.read(file) != text {
		t.Errorf("%+v\n%s", done, l.read(file))
	}
	if now := l.read(keptState); rowsOf(now) != rowsOf(digest) {
		t.Errorf("the rows are\n%s\nand were\n%s", rowsOf(now), rowsOf(digest))
	}
	if got := l.lost(true); len(got.Lost) != 0 {
		t.Errorf("afterwards: %q", labels(got.Lost))
	}
	if again := must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t); again.Applied || len(again.Entries) != 0 {
		t.Errorf("%+v", again)
	}
}

func (s *stage) taskFile(id string) string {
	s.t.Helper()
	return s.show(task.ID(id)).Path
}

func equalFiles(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return true
}

// rowsOf returns the lines of a digest's tables.
func rowsOf(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestD37_ARestoreTakesIDs checks ids and their beginnings.
func TestD37_ARestoreTakesIDs(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain")}}
	l.wipe("Use one lock", "Keep files plain")
	list := l.lost(false).Lost
	if len(list) != 2 {
		t.Fatalf("%q", labels(list))
	}
	done := must(
		l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{IDs: []string{strings.ToUpper(list[1].Key[:loss.LeastLossID])}}),
	)(t)
	if len(done.Entries) != 1 || done.Entries[0].Key != list[1].Key {
		t.Fatalf("%+v", done)
	}
	if got := l.lost(false).Lost; len(got) != 1 || got[0].Key != list[0].Key {
		t.Errorf("%q", labels(got))
	}
	for ids, code := range map[string]report.Code{
		"abc": "lost_invalid", "wxyz": "lost_invalid", "00000000": "lost_unknown", list[1].Key: "lost_unknown",
	} {
		_, err := l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{IDs: []string{ids}})
		if e := report.As(err); report.CodeOf(err) != code || e.Op != "lost" || e.Hint == "" {
			t.Errorf("%s: %+v", ids, e)
		}
	}
}

// TestIDsOfMissingEntriesAreUnambiguous checks ids as shown and as given.
func TestIDsOfMissingEntriesAreUnambiguous(t *testing.T) {
	t.Parallel()
	found := []loss.Entry{known("aaaaaaaa1111"), known("aaaaaaaa2222"), known("bbbb00000000"), known("bbbb00000000")}
	var ids []string
	for _, e := range loss.LostEntries(found, found) {
		ids = append(ids, e.ID)
	}
	if want := []string{"aaaaaaaa1", "aaaaaaaa2", "bbbb000", "bbbb000"}; !slices.Equal(ids, want) {
		t.Errorf("%q", ids)
	}
	_, err := loss.PickLosses(found, []string{"aaaa"})
	if e := wantError(t, err, report.Conflict, "lost_ambiguous"); !strings.Contains(e.Message, "aaaaaaaa2") {
		t.Error(e)
	}
	if got := must(loss.PickLosses(found, []string{"bbbb"}))(t); len(got) != 2 {
		t.Errorf("the same words in two documents are %d", len(got))
	}
}

// TestD37_WhatIsAcceptedIsNeverReportedAgain checks accepting one entry by id, and all of them.
func TestD37_WhatIsAcceptedIsNeverReportedAgain(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain", "Name things")}}
	l.wipe("Use one lock", "Keep files plain", "Name things")
	list := l.lost(false).Lost
	got := must(l.as("a").Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{IDs: []string{list[0].ID}}))(t)
	if len(got.Entries) != 1 || len(l.lost(false).Lost) != 2 {
		t.Fatalf("%+v", got)
	}
	if got := must(l.as("a").Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{}))(t); len(got.Entries) != 2 {
		t.Fatalf("%+v", got)
	}
	reported := func() (out []loss.LostEntry) {
		for _, e := range l.lost(true).Lost {
			if e.Fate != "accepted" {
				out = append(out, e)
			}
		}
		return append(out, l.lost(false).Lost...)
	}
	if got := reported(); len(got) != 0 {
		t.Errorf("%q", labels(got))
	}
	l.decide("Go on")
	if got := reported(); len(got) != 0 {
		t.Errorf("after another change: %q", labels(got))
	}
}

// TestD37_ADeletedDocumentComesBack checks that it comes back as baton last wrote it, together with entries that baton
// saw later.
func TestD37_ADeletedDocumentComesBack(t *testing.T) {
	t.Parallel()
	for _, empty := range []bool{false, true} {
		l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain")}}
		whole := l.read(keptState)
		must0(t, os.Remove(l.path(keptState)))
		if empty {
			l.write(keptState, "\n")
		}
		if got := l.lost(false).Lost; len(got) != 2 {
			t.Fatalf("%q", labels(got))
		}
		must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
		if got := l.read(keptState); got != whole {
			t.Errorf("empty %v:\n%s", empty, got)
		}
	}
}

// TestD33_WhatComesBackMayRotate checks that if a restore makes a digest too long, its oldest decisions move, as after
// every change.
func TestD33_WhatComesBackMayRotate(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t)}}
	var texts []string
	for n := range 6 {
		texts = append(texts, fmt.Sprintf("Decision number %d of %s", n, strings.Repeat("x", n+1)))
		l.decide(texts[n])
	}
	l.wipe(texts[:3]...)
	l.write(keptState, l.read(keptState)+strings.Repeat("\nmore and more\n", 60))
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	both := l.read(keptState) + l.read(".specflow/DECISIONS_ARCHIVE.md")
	for _, text := range texts {
		if strings.Count(both, text) != 1 {
			t.Errorf("%q stands %d times", text, strings.Count(both, text))
		}
	}
	if got := l.lost(true).Lost; len(got) != 0 {
		t.Errorf("%q", labels(got))
	}
}

// TestWhatMovedOrWasRewordedIsNotLost checks that --all lists reworded entries, but never moved ones. Equal words that
// were elsewhere all the time do not count as a move.
func TestWhatMovedOrWasRewordedIsNotLost(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one := string(s.create(
		tasks.NewTask{Title: "Pier", Criteria: criteria("The piles of the pier stand straight in the water", "Tests pass", "Rails hold")},
	))
	two := string(s.create(tasks.NewTask{Title: "Quay", Criteria: criteria("Tests pass", "Stones lie")}))
	a, b := s.taskFile(one), s.taskFile(two)
	s.pass(time.Minute)
	text := strings.Replace(s.read(a), "stand straight in the water", "stand straight in deep water", 1)
	text = strings.Replace(strings.Replace(text, "- [ ] Tests pass\n", "", 1), "- [ ] Rails hold\n", "", 1)
	s.write(a, text)
	s.write(b, strings.Replace(s.read(b), "- [ ] Stones lie\n", "- [ ] Stones lie\n- [ ] Rails hold\n", 1))
	if got := labels(s.lost(false).Lost); !slices.Equal(got, []string{"criterion Tests pass"}) {
		t.Errorf("%q", got)
	}
	all := s.lost(true).Lost
	at := slices.IndexFunc(all, func(e loss.LostEntry) bool { return e.Fate == "reworded" })
	if len(all) != 2 || at < 0 || !strings.Contains(all[at].Became, "deep water") {
		t.Errorf("%+v", all)
	}
	must(s.as("a").Kept.Observe(t.Context(), []string{a, b}))(t)
	if got := s.lost(true).Lost; len(got) != 2 {
		t.Errorf("once it is recorded: %q", labels(got))
	}
}

// TestStatusAndDoctorReportLosses checks that both name the command that restores them.
func TestStatusAndDoctorReportLosses(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain")}}
	if got := must(l.as("a").Sessions.Status(t.Context()))(t); got.Lost.Count != 0 || got.Lost.Documents == nil {
		t.Errorf("%+v", got.Lost)
	}
	l.wipe("Use one lock", "Keep files plain")
	if got := must(l.as("a").Sessions.Status(t.Context()))(t); got.Lost.Count != 2 || got.Lost.Documents[keptState] != 2 {
		t.Errorf("%+v", got.Lost)
	}
	found := must(l.as("a").Doctor.Doctor(t.Context(), workspace.DoctorRequest{}))(t).Findings
	at := slices.IndexFunc(found, func(f workspace.DoctorFinding) bool { return f.Code == "entries_lost" })
	if at < 0 || found[at].Path != keptState || found[at].Command != "baton lost --restore" ||
		!strings.Contains(found[at].Advice, "baton lost --accept") || !strings.Contains(found[at].Text, "2 entries") {
		t.Errorf("%+v", found)
	}
}

// TestAMissingLedgerIsNoError checks that the ledger starts over, and that the answer says when.
func TestAMissingLedgerIsNoError(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock")}}
	must0(t, os.RemoveAll(l.path(".baton/local/ledger")))
	l.wipe("Use one lock")
	if got := l.lost(true); len(got.Lost) != 0 || got.Since != "" {
		t.Errorf("%+v", got)
	}
	l.decide("Go on")
	if got := l.lost(true); len(got.Lost) != 0 || got.Since != workspace.Stamp(l.time) {
		t.Errorf("%+v", got)
	}
	_, err := newWorld(t).as("a").Loss.Lost(t.Context(), loss.LostRequest{})
	wantError(t, err, report.NotFound, "no_project")
}

// known returns a missing entry with a key.
func known(key string) loss.Entry {
	return loss.Entry{Family: "f", Doc: "f", Fate: loss.FateLost, Known: &ledger.Known{
		Sighting: ledger.Sighting{Entry: ledger.Entry{Kind: ledger.Decision, Key: key}},
	}}
}

// TestD9_RewordedEntriesAreNotAccepted checks that a reworded entry is not missed, and that the answer does not call it
// accepted.
func TestD9_RewordedEntriesAreNotAccepted(t *testing.T) {
	t.Parallel()
	l := newLosing(t)
	l.decide("Use one lock for all the files of a project")
	l.write(keptState, strings.Replace(l.read(keptState), "for all the files", "for all of the files", 1))
	list := must(l.as("a").Loss.Lost(t.Context(), loss.LostRequest{All: true}))(t).Lost
	if len(list) != 1 || list[0].Fate != string(loss.FateReworded) {
		t.Fatalf("%+v", list)
	}
	got := must(l.as("a").Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{IDs: []string{list[0].ID}}))(t)
	if len(got.Entries) > 0 || !hasCode(got.Warnings, "lost_not_accepted") {
		t.Errorf("%+v", got)
	}
}

// TestTheShortestIDIsStillUnambiguous checks that an id has seven digits, or more if others begin alike, for any number
// of keys.
func TestTheShortestIDIsStillUnambiguous(t *testing.T) {
	t.Parallel()
	var among []loss.Entry
	for _, key := range []string{
		"aaaaaaaaaaaa", "aaaaaaaab000", "aaaaaaaac000", "b00000000000", "b00000000000", "b00000000001", "c00000000000",
	} {
		among = append(among, loss.Entry{Known: &ledger.Known{Sighting: ledger.Sighting{Entry: ledger.Entry{Key: key}}}})
	}
	short := loss.ShortKeys(among)
	for key, want := range map[string]string{
		"aaaaaaaaaaaa": "aaaaaaaaa", "aaaaaaaab000": "aaaaaaaab", "b00000000000": "b00000000000", "b00000000001": "b00000000001",
		"c00000000000": "c000000",
		"dddddddddddd": "ddddddd", "aaaaaaaab999": "aaaaaaaab9",
	} {
		if got := short(key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

// TestD37_ABookAheadOfItsCommitHidesNoLoss checks the ledger after a power cut, which may leave the record of an
// archiving that was never made. What is then wiped from the task is lost, although the book says that it is in the
// archive.
func TestD37_ABookAheadOfItsCommitHidesNoLoss(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := string(s.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand")}))
	for _, did := range []string{"Drove the piles", "Laid the deck", "Bolted the rails"} {
		s.log("a", id, did)
	}
	file, before := s.taskFile(id), s.files()
	must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: id, Keep: 1}))(t)
	after := s.files()
	for name := range after { // everything except the books is as it was before
		text, was := before[name]
		switch {
		case strings.HasPrefix(name, ".baton/local/ledger/"):
		case was:
			s.write(name, text)
		default:
			if err := os.Remove(s.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := s.read(file)
	from, to := strings.Index(text, "### Session 1"), strings.Index(text, "### Session 3")
	s.write(file, text[:from]+text[to:])
	if got := labels(s.lost(false).Lost); len(got) != 2 {
		t.Errorf("lost: %q", got)
	}
}
