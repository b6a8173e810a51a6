package decision

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// realFiles calls f for every digest of the corpus, with an archive of the same project if there is one.
func realFiles(t *testing.T, f func(t *testing.T, doc, archive string, form Form)) {
	dir := corpus(t)
	archives := map[string]string{}
	specflow, err := filepath.Glob(filepath.Join(dir, "specflow", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range specflow {
		if owner, _, ok := strings.Cut(filepath.Base(path), "__specflow_DECISIONS_ARCHIVE.md"); ok {
			archives[owner] = read(t, path)
		}
	}
	gsd, _ := filepath.Glob(filepath.Join(dir, "gsd", "*"))
	for _, path := range append(specflow, gsd...) {
		owner, _, state := strings.Cut(filepath.Base(path), "_STATE.md__")
		if !state {
			continue
		}
		form := Specflow
		if filepath.Base(filepath.Dir(path)) == "gsd" {
			form = GSD
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			f(t, read(t, path), archives[strings.TrimSuffix(owner, "__specflow")], form)
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every real digest survives an addition, a rotation by the policy, and a rotation down to one decision. Each line is
// then in one of the two files, and all others are unchanged.
func TestCorpus_AddAndRotateLoseNothing(t *testing.T) {
	t.Parallel()
	realFiles(t, func(t *testing.T, doc, archive string, form Form) {
		s := DefaultSettings()
		before := Read([]byte(doc), form, s)
		e := Entry{Date: "2027-01-01", Text: "a new decision | with a pipe", Phase: newestPhase(before)}
		a := mustAdd(t, doc, archive, form, s, e, placeholders(doc, form)...)
		after := Read(a.Digest, form, s)
		if len(after.Rows) != len(before.Rows)+1 {
			t.Fatalf("%d rows after adding to %d", len(after.Rows), len(before.Rows))
		}
		rows := after.Chronological()
		if got := rows[len(rows)-1].Text; !strings.Contains(got, e.Text) {
			t.Errorf("the newest decision is %q", got)
		}
		r := mustRotate(t, string(a.Digest), archive, form, s)
		if n := len(Read(r.Digest, form, s).Rows); r.Result.Rotated && n > 7 {
			t.Errorf("%d rows are left after a rotation", n)
		}
		if r.Result.OverLimit && r.Result.Reason == WithinLimits {
			t.Error("over the limits and yet within them")
		}
		one := 1
		down := mustRotateWith(t, string(r.Digest), string(r.Archive), form, s, RotateOptions{Keep: &one})
		if left := Read(down.Digest, form, s).Rows; len(left) != 1 || !strings.Contains(left[0].Text, e.Text) {
			t.Errorf("down to one, these are left: %q", texts(left))
		}
		if n := len(ReadArchive(down.Archive, form).Rows); n != len(ReadArchive([]byte(archive), form).Rows)+len(before.Rows) {
			t.Errorf("the archive holds %d rows", n)
		}
	})
}

// newestPhase returns the phase of the newest decision. A number from another time could reverse the direction of the
// list.
func newestPhase(l List) string {
	rows := l.Chronological()
	if len(rows) == 0 {
		return "1"
	}
	return rows[len(rows)-1].Phase
}

// placeholders returns the lines that the first real decision replaces.
func placeholders(doc string, form Form) []string {
	sc := scanDigest([]byte(doc), form, nil)
	var out []string
	for i := range sc.holders {
		out = append(out, string(sc.text(&sc.holders[i])))
	}
	return out
}

func TestCorpus_FindingsNameRealTrouble(t *testing.T) {
	t.Parallel()
	realFiles(t, func(t *testing.T, doc, archive string, form Form) {
		var given []byte
		if archive != "" {
			given = []byte(archive)
		}
		s := DefaultSettings()
		over := s.Over(Rotation{}.Result.After) // never
		for _, f := range Findings([]byte(doc), given, form, s) {
			if f.Text == "" || f.Severity == "" {
				t.Errorf("finding without text or severity: %+v", f)
			}
			over = over || f.Code == "over_lines" || f.Code == "over_bytes"
		}
		r := mustRotate(t, doc, archive, form, s)
		if over != s.Over(r.Result.Before) {
			t.Errorf("findings say over: %v, the size is %+v", over, r.Result.Before)
		}
	})
}

// Every row that a project ever wrote, added one by one with a rotation after each, ends up in exactly one of the two
// files.
func TestCorpus_ReplayOfEveryRow(t *testing.T) {
	t.Parallel()
	dir := corpus(t)
	paths, err := filepath.Glob(filepath.Join(dir, "specflow", "*_STATE.md__*"))
	if err != nil {
		t.Fatal(err)
	}
	s := DefaultSettings()
	s.CellCap = 0
	seen := map[string]bool{}
	digest, archive := digestOf(92, twoColumns), ""
	for _, path := range paths {
		for _, row := range Read([]byte(read(t, path)), Specflow, s).Rows {
			text := row.Date + " " + row.Text
			if row.Text == "" || seen[text] {
				continue
			}
			seen[text] = true
			a := mustAdd(t, digest, archive, Specflow, s, Entry{Date: row.Date, Text: text})
			r := mustRotate(t, string(a.Digest), archive, Specflow, s)
			if digest, archive = string(r.Digest), string(r.Archive); r.Result.After.Lines > 100 {
				t.Fatalf("%d lines after %q", r.Result.After.Lines, text)
			}
		}
	}
	left := map[string]int{}
	for _, row := range append(Read([]byte(digest), Specflow, s).Rows, ReadArchive([]byte(archive), Specflow).Rows...) {
		left[row.Text]++
	}
	for text := range seen {
		if left[text] != 1 {
			t.Errorf("%q is in %d places", text, left[text])
		}
	}
	if len(left) != len(seen) || len(seen) < 40 {
		t.Errorf("%d rows came out of %d", len(left), len(seen))
	}
}

// SF-31, SF-34: if there is nothing to do, every real file and archive is returned unchanged.
func TestSF34_NothingToDoChangesNothing(t *testing.T) {
	t.Parallel()
	realFiles(t, func(t *testing.T, doc, archive string, form Form) {
		s := DefaultSettings()
		s.MaxLines, s.MaxBytes = 0, 0
		r, err := Rotate([]byte(doc), []byte(archive), archive != "", form, s, RotateOptions{})
		if err != nil || string(r.Digest) != doc || string(r.Archive) != archive || r.Result.Reason != WithinLimits {
			t.Errorf("%v: %+v", err, r.Result)
		}
	})
}
