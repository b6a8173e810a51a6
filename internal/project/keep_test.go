package project

import (
	"context"
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/workspace"
)

const keepDigest = "# Project State\n\n## Accumulated Context\n\n### Decisions\n\n" +
	"- [Phase 1]: use RS256 keys\n- [Phase 1]: rotate monthly\n"

const keepTask = "# Task #1: Pier\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 1,\n  \"status\": \"in_progress\",\n" +
	"  \"archived_sessions\": 2,\n  \"total_sessions\": 4\n}\n```\n\n## 1. Context\n\n### Acceptance Criteria\n- [ ] The piles stand\n\n" +
	"## 3. Progress Log\n\n### Archived Summary (Sessions 1-2)\n**Accomplishments:** laid the keel\n\n" +
	"### Session 3 - 2026-03-01 10:00\n**Did:** drove the piles\n\n### Session 4 - 2026-03-01 12:00\n**Did:** cut them\n\n" +
	"## 4. Chain Output\n\n(To be completed)\n"

const keepArchive = "# Task #1: Archived Sessions\n\n## Session 1 - 2026-02-01 10:00\n**Did:** laid the keel\n\n" +
	"## Session 2 - 2026-02-01 11:00\n**Did:** measured\n"

// TestD44_ARepairNeverLeavesLessThanItFound: what a repair would lose takes back that repair and nothing else.
func TestD44_ARepairNeverLeavesLessThanItFound(t *testing.T) {
	t.Parallel()
	const digest, decisions = ".baton/STATE.md", ".baton/DECISIONS_ARCHIVE.md"
	one, filed := statePath("1"), archivePath("1")
	replace := func(tx *store.Tx, name, old, with string) error {
		doc, err := tx.Read(name)
		if err == nil && !strings.Contains(string(doc.Data), old) {
			err = errors.New("the test is wrong: " + name + " has no " + old)
		}
		tx.Write(name, []byte(strings.Replace(string(doc.Data), old, with, 1)))
		return err
	}
	archived := "# Archive\n\n## Archived Decisions\n\n- [Phase 1]: use RS256 keys\n"
	for name, test := range map[string]struct {
		repair func(tx *store.Tx) error
		harm   string // part of the message; "" if the repair may be made
	}{
		"a decision is gone": {func(tx *store.Tx) error {
			return replace(tx, digest, "- [Phase 1]: use RS256 keys\n", "")
		}, `decision "use RS256 keys" would be gone`},
		"a decision moves to the archive": {func(tx *store.Tx) error {
			tx.Write(decisions, []byte(archived))
			return replace(tx, digest, "- [Phase 1]: use RS256 keys\n", "")
		}, ""},
		"a criterion is gone": {func(tx *store.Tx) error {
			return replace(tx, one, "- [ ] The piles stand\n", "")
		}, `criterion "The piles stand" would be gone`},
		"a session gets another number": {func(tx *store.Tx) error {
			return replace(tx, one, "### Session 3 -", "### Session 5 -")
		}, "session 3 would have another number"},
		"a session gets another number and a note": {func(tx *store.Tx) error {
			return replace(tx, one, "### Session 3 - 2026-03-01 10:00", "### Session 5 - 2026-03-01 10:00 (was session 3)")
		}, ""},
		"an archived session is gone": {func(tx *store.Tx) error {
			return replace(tx, filed, "## Session 2 - 2026-02-01 11:00\n**Did:** measured\n", "")
		}, `session "Session 2: measured" would be gone`},
		"sessions change places": {func(tx *store.Tx) error {
			return replace(tx, one, "### Session 3 - 2026-03-01 10:00", "### Session 3 - 2026-03-01 14:00")
		}, "session 4 would come after a newer one"},
		"an older decision comes after a newer one": {func(tx *store.Tx) error {
			tx.Write(decisions, []byte("# Archive\n\n## Archived Decisions\n\n- 2026-02-01: b\n- 2026-03-01: c\n- 2026-01-01: a\n"))
			return nil
		}, `decision "a" would not be where its date puts it`},
		"decisions begin with the newest": {func(tx *store.Tx) error {
			tx.Write(decisions, []byte("# Archive\n\n## Archived Decisions\n\n- 2026-03-01: c\n- 2026-02-01: b\n- 2026-01-01: a\n"))
			return nil
		}, ""},
		"the file is gone": {func(tx *store.Tx) error { tx.Discard("", one); return nil }, "would be gone"},
		"another error":    {func(*store.Tx) error { return errors.New("no") }, "no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.write(digest, keepDigest)
			s.write(one, keepTask)
			s.write(filed, keepArchive)
			p := s.as("a")
			var err error
			if _, failed := p.Update(context.Background(), func(c *workspace.Change) error {
				c.Tx.Write("notes.md", []byte("first\n"))
				err = p.Keep(context.Background(), c, "doctor", func() error {
					c.Tx.Write("notes.md", []byte("second\n"))
					return test.repair(c.Tx)
				})
				return nil
			}); failed != nil {
				t.Fatal(failed)
			}
			notes := "second\n"
			if test.harm != "" {
				notes = "first\n"
			}
			switch {
			case test.harm == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.harm != "" && (err == nil || !strings.Contains(err.Error(), test.harm)):
				t.Errorf("got %v, want %q", err, test.harm)
			case test.harm != "" && test.harm != "no" && report.CodeOf(err) != report.CodeRepairWouldLose:
				t.Errorf("code %s", report.CodeOf(err))
			}
			if got := s.read("notes.md"); got != notes {
				t.Errorf("the rest of the change left %q", got)
			}
			if test.harm != "" && (s.read(digest) != keepDigest || s.read(one) != keepTask || s.read(filed) != keepArchive) {
				t.Error("something of the refused repair was written")
			}
		})
	}
}

// TestD44_WhatAnotherDocumentHasMayGo: a session that its archive has, too, is not lost with the one in the task file.
func TestD44_WhatAnotherDocumentHasMayGo(t *testing.T) {
	t.Parallel()
	const again = "### Session 2 - 2026-02-01 11:00\n**Did:** measured\n\n"
	for name, test := range map[string]struct {
		archive string
		code    report.Code
	}{
		"the archive has it": {keepArchive, ""},
		"nothing has it":     {"", report.CodeRepairWouldLose},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.write(statePath("1"), strings.Replace(keepTask, "### Session 3 -", again+"### Session 3 -", 1))
			s.write(archivePath("1"), test.archive)
			p := s.as("a")
			_, err := p.Update(context.Background(), func(c *workspace.Change) error {
				return p.Keep(context.Background(), c, "doctor", func() error {
					c.Tx.Write(statePath("1"), []byte(keepTask))
					return nil
				})
			})
			if report.CodeOf(err) != test.code {
				t.Errorf("got %v, want the code %q", err, test.code)
			}
		})
	}
}

// TestD44_WhatIsTakenBackMayGo: entries that came with a change that is taken back are named.
func TestD44_WhatIsTakenBackMayGo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".baton/STATE.md", keepDigest)
	p := s.as("a")
	if _, err := p.Update(context.Background(), func(c *workspace.Change) error {
		gone, err := p.KeepRest(context.Background(), c, "undo", func() error {
			c.Tx.Write(".baton/STATE.md", []byte(strings.Replace(keepDigest, "- [Phase 1]: rotate monthly\n", "", 1)))
			return nil
		})
		if err == nil && (len(gone) != 1 || gone[0].Label != "rotate monthly") {
			t.Errorf("%+v", gone)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestD44_ASummaryIsAllThatIsLeft: an archive that is not here leaves only the summary, which must not shrink.
func TestD44_ASummaryIsAllThatIsLeft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(statePath("1"), keepTask)
	p := s.as("a")
	_, err := p.Update(context.Background(), func(c *workspace.Change) error {
		return p.Keep(context.Background(), c, "doctor", func() error {
			c.Tx.Write(statePath("1"), []byte(strings.Replace(keepTask, "(Sessions 1-2)", "(Sessions 2-2)", 1)))
			return nil
		})
	})
	if report.CodeOf(err) != report.CodeRepairWouldLose || !strings.Contains(err.Error(), "no longer count session 1") {
		t.Error(err)
	}
}
