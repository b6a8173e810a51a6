package decision

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"baton/internal/digest"
	"baton/internal/report"
)

// twoColumns is the header of a table of dates and decisions.
const twoColumns = "| Date | Decision |\n|------|----------|\n"

// digestOf returns a SpecFlow digest of exactly n lines with the given text in its Decisions section.
func digestOf(n int, decisions string) string {
	head := "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** none\n- **Status:** idle\n- **Next Step:** /sf:new\n\n"
	body := "## Decisions\n\n" + decisions + "\n## Notes\n\n"
	foot := "\n---\n*Last updated: 2026-01-01*\n"
	have := digest.SizeOf([]byte(head + body + foot)).Lines
	if n < have {
		panic(fmt.Sprintf("a digest of %d lines has no room for %d", n, have))
	}
	for i := range n - have {
		body += fmt.Sprintf("note %d\n", i)
	}
	return head + body + foot
}

// dates returns rows of consecutive days of 2026, oldest first: "| 2026-01-01 | decision 1 |".
func dates(from, n int) []string {
	rows := make([]string, n)
	for i := range n {
		k := from + i
		rows[i] = fmt.Sprintf("| 2026-%02d-%02d | decision %d |\n", 1+(k-1)/28, 1+(k-1)%28, k)
	}
	return rows
}

// reversed returns the rows in reverse order.
func reversed(rows []string) []string {
	out := slices.Clone(rows)
	slices.Reverse(out)
	return out
}

func tableOf(rows []string) string { return twoColumns + strings.Join(rows, "") }

// texts returns the texts of rows.
func texts(rows []Row) []string {
	out := []string{}
	for _, r := range rows {
		out = append(out, r.Text)
	}
	return out
}

// mustRotate rotates and checks what must hold for every rotation.
func mustRotate(t testing.TB, doc, archive string, form Form, s Settings) Rotation {
	t.Helper()
	return mustRotateWith(t, doc, archive, form, s, RotateOptions{})
}

func mustRotateWith(t testing.TB, doc, archive string, form Form, s Settings, o RotateOptions) Rotation {
	t.Helper()
	var given []byte
	if archive != "" {
		given = []byte(archive)
	}
	r, err := Rotate([]byte(doc), given, given != nil, form, s, o)
	if err != nil {
		t.Fatalf("Rotate: %v", err)
	}
	if why := conserved([]byte(doc), given, r); why != "" {
		t.Fatalf("Rotate: %s\ndigest:\n%s\narchive:\n%s", why, r.Digest, r.Archive)
	}
	if o.Keep != nil {
		return r
	}
	again, err := Rotate(r.Digest, r.Archive, r.Archive != nil, form, s, o)
	if err != nil || again.Result.Rotated || !bytes.Equal(again.Digest, r.Digest) || !bytes.Equal(again.Archive, r.Archive) {
		t.Fatalf("a second rotation changes something (%v):\n%s", err, again.Digest)
	}
	return r
}

// conserved returns what a rotation did to lines that it should not have done, or "". Lines that are gone from the
// digest must be those of its moves, the archive must have gained them, and every other line must be unchanged and in
// order.
func conserved(doc, archive []byte, r Rotation) string {
	count := map[string]int{}
	size := len(r.Digest)
	for _, line := range bytes.SplitAfter(doc, []byte("\n")) {
		count[string(line)]++
	}
	for _, line := range bytes.SplitAfter(r.Digest, []byte("\n")) {
		count[string(line)]--
	}
	for _, m := range r.Moves {
		size += len(m.Lost)
		for _, line := range bytes.SplitAfter(m.Lost, []byte("\n")) {
			count[string(line)]--
		}
	}
	delete(count, "")
	for line, n := range count {
		if n != 0 {
			return fmt.Sprintf("%q is %d times too few in what the digest keeps and loses", line, n)
		}
	}
	if size != len(doc) || !subsequence(lines(r.Digest), lines(doc)) {
		return "the digest is not the old one without the rows that moved"
	}
	want := slices.DeleteFunc(lines(archive), func(l string) bool { return len(r.Moves) > 0 && isHolder(l) })
	for _, m := range r.Moves {
		if !bytes.Contains(r.Archive, m.Gained) {
			return fmt.Sprintf("the archive does not hold %q", m.Gained)
		}
	}
	if !subsequence(want, lines(r.Archive)) {
		return "lines of the archive are gone, changed or in another order"
	}
	return ""
}

// lines returns the lines of a document without line ends.
func lines(doc []byte) []string {
	if len(doc) == 0 {
		return nil
	}
	out := strings.Split(strings.TrimSuffix(string(doc), "\n"), "\n")
	for i := range out {
		out[i] = strings.TrimSuffix(out[i], "\r")
	}
	return out
}

// subsequence reports whether all elements of part are in whole in the same order.
func subsequence(part, whole []string) bool {
	for _, line := range whole {
		if len(part) > 0 && part[0] == line {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// mustAdd adds a decision and checks that all lines are still there except the placeholders in gone.
func mustAdd(t testing.TB, doc, archive string, form Form, s Settings, e Entry, gone ...string) Addition {
	t.Helper()
	a, err := Add([]byte(doc), []byte(archive), form, s, e)
	if err != nil {
		t.Fatalf("Add: %v", err)
	}
	var want []string
	for _, line := range lines([]byte(doc)) {
		if !slices.Contains(gone, line) {
			want = append(want, line)
		}
	}
	if !subsequence(want, lines(a.Digest)) {
		t.Fatalf("Add lost or changed a line:\n%s", a.Digest)
	}
	return a
}

// refused checks the kind and code of an error.
func refused(t testing.TB, err error, kind report.Kind, code report.Code) {
	t.Helper()
	if report.KindOf(err) != kind || report.CodeOf(err) != code {
		t.Fatalf("error %v (%s, %s), want %s, %s", err, report.KindOf(err), report.CodeOf(err), kind, code)
	}
}

// corpus returns the folder of real files, or skips the test if there is none.
func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BATON_CORPUS")
	if dir == "" {
		dir = "../../../../shared/corpus"
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the corpus of real files is not here: set BATON_CORPUS")
	}
	return dir
}

// isHolder reports whether a line is a row of dashes and blanks, which the first real row replaces.
func isHolder(line string) bool {
	return strings.Contains(line, "|") && strings.Trim(line, "|-–— \t\r\n") == ""
}
