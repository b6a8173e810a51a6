package ledger

import (
	"slices"
	"testing"
)

// TestSimilarCountsTheWordsOfATextOnly: what all decisions of one day have in common, such as the
// date, makes none similar to another. It is worse to take a loss for a rewording than a rewording
// for a loss.
func TestSimilarCountsTheWordsOfATextOnly(t *testing.T) {
	t.Parallel()
	row := func(words string) string { return "| 2026-11-22 | — | " + words + " |\n" }
	spec := func(words string) string { return "| 2026-11-22 | SPEC-012 | " + words + " | Phase 3 |\n" }
	for _, c := range []struct {
		lost, now string
		want      bool
	}{
		{row("Cache: none"), row("Mail: none"), false},
		{row("Use Postgres"), row("Use Redis"), false},
		{row("Use one big lock everywhere"), row("Use one big key somewhere"), false},
		{row("Use one lock for all of it"), row("Use one lock for all of them"), true},
		{row("Use one lock"), row("Use one lock for everything"), true},
		{row("Use Redis"), row("Use Redis for the queue and Postgres for the rest"), false},
		{row("Use Redis"), "| 2026-11-23 | — | use Redis. |\n", true},
		{row("Redis"), row("Without Redis"), false},
		{row("—"), row("—"), false},
		{row("8080"), row("8080"), false},
		{row("Launch on 2027-01-15"), row("Mail on 2027-01-15"), false},
		{row("Backup runs at 17:00:30"), row("Restart comes at 17:00:30"), false},
		{row(`Left \| right`), row(`Left \| wrong`), false},
		{spec("Use Postgres"), spec("Use Redis"), false},
		{spec("Keep it all in plain files"), spec("Keep it all in some files"), true},
		{"- [Phase 3]: Use Postgres\n", "- [Phase 3]: Use Redis\n", false},
		{"- 2026-11-22: Use Postgres now\n", "- 2026-11-22: Use Redis later\n", false},
		{"- **2026-11-22**: Use Postgres now\n", "- **2026-11-22**: Use Redis later\n", false},
		{"- [x] Cache holds it\n", "- [x] Mail holds x\n", false},
		{"- [ ] The rails hold\n", "- [x] The rails hold fast\n", true},
		{"12. Cache is on\n", "12. Mail is off\n", false},
		{"  * Cache is on\n", "1) Cache is on again\n", true},
		{
			`{"id": "F001", "description": "Users log in", "passes": false}`,
			`{"id": "F001", "description": "Mails go out", "passes": false}`, false,
		},
		{
			`{"id": "F001", "description": "Users log in by name", "passes": false}`,
			`{"id": "F001", "description": "Users log in by mail", "passes": true}`, true,
		},
		{"{not JSON at all", "{not JSON at all, it is", true},
	} {
		lost, now := Entry{Kind: Decision, Raw: c.lost}, Entry{Kind: Decision, Raw: c.now}
		if got := Similar(lost, now); got != c.want {
			t.Errorf("%q %q: %v", c.lost, c.now, got)
		}
	}
}

// TestF30_RewordedWithinOneScopeAndDay: entries of different specifications or phases, or with
// different dates, are never rewordings of each other, also where many are compared. What an entry
// does not name does not count.
func TestF30_RewordedWithinOneScopeAndDay(t *testing.T) {
	t.Parallel()
	of := func(scope, date, words string) Entry {
		e := NewEntry(Decision, scope+date+words)
		e.Raw, e.Scope, e.Date = "- "+words+"\n", scope, date
		return e
	}
	lost := of("SPEC-039", "2026-02-08", "Approved. All 7 criteria verified against source.")
	const now = "Approved. All 9 criteria verified against source."
	for _, c := range []struct {
		now  Entry
		want bool
	}{
		{of("SPEC-039", "2026-02-08", now), true},
		{of("spec-039", "2026-02-08 10:00:00", now), true},
		{of("SPEC-044", "2026-02-08", now), false},
		{of("SPEC-039", "2026-02-10", now), false},
		{of("SPEC-039", "", now), true},
		{of("", "2026-02-08", now), true},
		{of("", "", now), true},
	} {
		if got := Similar(lost, c.now); got != c.want {
			t.Errorf("%q %q: %v", c.now.Scope, c.now.Date, got)
		}
		absent := []Absence{{Known: &Known{Sighting: Sighting{Entry: lost}}}}
		if pair(absent, []*Entry{&c.now}, mostCompared); (absent[0].Into != nil) != c.want {
			t.Errorf("%q %q: paired with %v", c.now.Scope, c.now.Date, absent[0].Into)
		}
	}
}

// TestWhatIsOneWord: numbers that are joined by a character are one word.
func TestWhatIsOneWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                              nil,
		"—":                             nil,
		"Use v1.2.3, at 17:00 (or so).": {"Use", "v1.2.3", "at", "17:00", "or", "so"},
		"2026-11-22T10:00Z - 3/4":       {"2026-11-22T10:00Z", "3/4"},
		"well-known, 12, 13. 14":        {"well", "known", "12", "13", "14"},
		"für 2-":                        {"für", "2"},
	} {
		if got := slices.Collect(wordsOf(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
