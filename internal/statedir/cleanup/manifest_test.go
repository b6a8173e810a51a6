package cleanup

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

func TestShownName_SDD18(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"a": "a", "ä\n\"<": "ä\n\"<", "\uFFFD": "\uFFFD", "": ""} {
		if shown, raw := statedir.ShownName(name); shown != want || raw != nil {
			t.Errorf("%q: %q %q", name, shown, raw)
		}
	}
	for name, want := range map[string]string{
		"a\xff": `a\xFF`, "\xe2\x82": `\xE2\x82`, "\x80ä\x00\xc0": "\\x80ä\x00\\xC0", "\xed\xa0\x80": `\xED\xA0\x80`,
	} {
		if shown, raw := statedir.ShownName(name); shown != want || string(raw) != name {
			t.Errorf("%q: %q %q", name, shown, raw)
		}
	}
}

func TestAManifestAsItIsWritten(t *testing.T) {
	t.Parallel()
	f := holding(running(), statedir.Entry{Name: "a<b>", Kind: statedir.File, Size: 7, ModTime: moment().Add(-time.Nanosecond)},
		statedir.Entry{Name: "\xff", Kind: statedir.Link, ModTime: moment().Add(-statedir.Day)})
	p := PlanCleanup(declaration.Declared(), f, CleanupOptions{StaleDays: -1})
	f.Record = record.Read([]byte(strings.Replace(string(f.Record.Bytes()), "task: one", "task: <one & all>", 1)))
	got := string(NewManifest(p, ".baton/work", moment().Add(1_999_999), f.Record,
		map[string]string{"\xff": "../x\xfe", "a<b>": ""}).Encode())
	want := `{
  "version": 1,
  "kind": "cleanup",
  "moment": "2026-06-10T09:00:00.001Z",
  "folder": ".baton/work",
  "workflow_id": "b",
  "workflow_type": "dev",
  "task": "<one & all>",
  "phase": "implement",
  "complete": false,
  "entries": [
    {"name":"a<b>","kind":"file","size":7,"mtime":"2026-06-10T08:59:59.999999999Z","bucket":"ad_hoc","reason":"ad_hoc","state":"planned"},
    {"name":"\\xFF","name_bytes":"/w==","kind":"link","size":0,"mtime":"2026-06-09T09:00:00Z","link":"../x\\xFE","bucket":"ad_hoc",` +
		`"reason":"ad_hoc","state":"planned"}
  ]
}
`
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if empty := string(NewManifest(Plan{Sweep: statedir.SweepReset}, "w", moment(), nil, nil).Encode()); !strings.Contains(empty,
		`"entries": []`) || strings.Contains(empty, "workflow_id") {
		t.Error(empty)
	}
	if !strings.Contains(string(Manifest{}.Encode()), `"entries": []`) {
		t.Error("no entries are an empty list")
	}
}

func TestCompleteSetsTheOutcomeOfEachEntry(t *testing.T) {
	t.Parallel()
	m := Manifest{Version: 1, Kind: statedir.SweepReset}
	for _, name := range []string{"a", "b", "c\xff", "d", "e"} {
		e := ManifestEntry{Kind: statedir.File, State: StatePlanned}
		e.Name, e.NameBytes = statedir.ShownName(name)
		m.Entries = append(m.Entries, e)
	}
	outcomes := []Outcome{
		{"a", StateMoved, ""},
		{"a", StateVanished, ""},
		{"c\xff", StateMoved, ""},
		{"b", StateFailed, "no space\xff"},
		{`c\xFF`, StateFailed, "another file"},
		{"zz", StateMoved, ""},
		{"a", StateFailed, "only the first counts"},
		{"e", "exploded", ""},
	}
	once := CompleteManifest(m.Encode(), outcomes)
	got, err := ReadManifest("m", once)
	if err != nil || !got.Complete {
		t.Fatal(err, got.Complete)
	}
	var states []string
	for _, e := range got.Entries {
		states = append(states, e.RawName()+" "+e.State+" "+e.Error)
	}
	if diff := gocmp.Diff([]string{"a moved ", "b failed no space\uFFFD", "c\xff moved ", "d planned ", "e planned "}, states); diff != "" {
		t.Error(diff)
	}
	if !bytes.Equal(CompleteManifest(once, outcomes), once) {
		t.Error("a second time gives something else")
	}
	later := CompleteManifest(once, []Outcome{{"b", StateMoved, "x"}})
	if got, _ = ReadManifest("m", later); got.Entries[1].State != StateMoved || got.Entries[1].Error != "" {
		t.Errorf("%+v", got.Entries[1])
	}
	for _, text := range []string{"", "{", "null", `{"version":2,"kind":"reset"}`} {
		if got := CompleteManifest([]byte(text), outcomes); string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestSD9_AManifestThatIsNone(t *testing.T) {
	t.Parallel()
	entry := func(fields string) string { return `{"version":1,"kind":"reset","entries":[{` + fields + `}]}` }
	for text, want := range map[string]string{
		"": "", "null": "version", "[]": "", "{}": "version", "{\n\"version\": 1,\n}": "", `{"version":1}`: "kind",
		`{"version":1,"kind":"sweep"}`: "kind",
		`{"version":2,"kind":"reset"}`: "version 1", "{\"version\":1,\n\n\"kind\":7}": "",
		entry(`"name":"../x","kind":"file","state":"moved"`): "entry 1", entry(`"name":"..","kind":"file","state":"moved"`): "entry 1",
		entry(`"name":"","kind":"file","state":"moved"`): "entry 1", entry(`"name":"a\u0000","kind":"file","state":"moved"`): "entry 1",
		// ".." in an encoded form
		entry(
			`"name":"x","name_bytes":"Li4=","kind":"file","state":"moved"`,
		): "name_bytes",
		entry(
			`"name":"..","name_bytes":"Li4=","kind":"file","state":"moved"`,
		): "name_bytes",
		entry(
			`"name":"x","name_bytes":"","kind":"file","state":"moved"`,
		): "",
		entry(
			`"name":"x","kind":"file","state":"moved"},{"name":"x","kind":"dir","state":"moved"`,
		): "occurs twice",
		entry(
			`"name":"\\xFF","name_bytes":"/w==","kind":"file","state":"moved"},{"name":"\\xFF","name_bytes":"/w==","kind":"file",` +
				`"state":"moved"`,
		): "entry 2",
		entry(`"name":"x","kind":"disk","state":"moved"`): "kind", entry(`"name":"x","kind":"file","state":"would_move"`): "state",
	} {
		m, err := ReadManifest("s.manifest.json", []byte(text))
		e := report.As(err)
		if err == nil || e.Kind != report.Corrupt || e.Code != "manifest_invalid" || e.Path != "s.manifest.json" || e.Hint == "" ||
			!strings.Contains(e.Message, want) || len(m.Entries) > 0 {
			t.Errorf("%s: %+v", text, e)
		}
	}
	_, err := ReadManifest("m", []byte("{\n\"version\": 1,\n}"))
	if report.As(err).Line != 3 {
		t.Errorf("line %d", report.As(err).Line)
	}
	if _, err = ReadManifest("m", []byte("{\"version\":1,\n\n\"kind\":7}")); report.As(err).Line != 3 {
		t.Errorf("line %d", report.As(err).Line)
	}
}

// drawManifest draws a manifest of a folder with names of arbitrary bytes.
func drawManifest(t *rapid.T) Manifest {
	p := Plan{
		Sweep: rapid.SampledFrom([]statedir.Sweep{
			statedir.SweepCleanup, statedir.SweepReset, statedir.SweepEvict, statedir.SweepBegin, statedir.SweepPrune,
			statedir.SweepRestore,
		}).Draw(t, "sweep"),
	}
	links, known := map[string]string{}, map[string]bool{}
	for range rapid.IntRange(0, 6).Draw(t, "entries") {
		name := string(rapid.SliceOfN(rapid.ByteRange(1, 255), 1, 12).Draw(t, "name"))
		name = strings.ReplaceAll(name, "/", "_")
		if name == "." || name == ".." {
			name = "x"
		}
		if known[name] {
			continue
		}
		known[name] = true
		e := statedir.Entry{
			Name: name, Kind: rapid.SampledFrom([]statedir.Kind{statedir.File, statedir.Dir, statedir.Link, statedir.Other}).Draw(t,
				"kind"), Size: rapid.Int64Min(0).Draw(t, "size"),
		}
		e.ModTime = time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		links[name] = string(rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "link"))
		p.Moves = append(p.Moves, Planned{Entry: e, Class: statedir.Class{Bucket: statedir.AdHoc}, Reason: ReasonAdHoc})
	}
	rec := record.Read([]byte("task: " + rapid.String().Draw(t, "task") + "\n"))
	return NewManifest(p, rapid.StringMatching(`[a-z./]{0,12}`).Draw(t, "folder"), moment(), rec, links)
}

func TestProperty_AManifestIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawManifest(t)
		back, err := ReadManifest("m", m.Encode())
		if err != nil || gocmp.Diff(m, back) != "" {
			t.Fatalf("%v %s", err, gocmp.Diff(m, back))
		}
		var outcomes []Outcome
		for _, e := range m.Entries {
			outcomes = append(outcomes, Outcome{
				Name: e.RawName(), State: rapid.SampledFrom([]string{StateMoved, StateVanished, StateChanged, StateFailed}).Draw(t,
					"state"), Error: "why",
			})
		}
		settled, err := ReadManifest("m", CompleteManifest(m.Encode(), outcomes))
		if err != nil || !settled.Complete {
			t.Fatal(err)
		}
		for i, e := range settled.Entries {
			if e.State != outcomes[i].State || (e.Error != "") != (e.State == StateFailed) {
				t.Fatalf("%+v of %+v", e, outcomes[i])
			}
			e.State, e.Error = StatePlanned, ""
			if diff := gocmp.Diff(m.Entries[i], e); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"kind":"reset","entries":[{"name":"a","kind":"file","state":"planned"}]}`), "a", "moved")
	f.Add([]byte(
		`{"version":1,"kind":"cleanup","entries":[{"name":"\\xFF","name_bytes":"/w==","kind":"link","state":"moved","link":"x"}]}`,
	), "\xff", "failed")
	f.Add([]byte("{\"version\":1,\n\"kind\":[]}"), "", "")
	f.Add([]byte(`[[[[`), "..", "planned")
	f.Fuzz(func(t *testing.T, src []byte, name, state string) {
		settled := CompleteManifest(src, []Outcome{{name, state, name}, {name, state, state}})
		m, err := ReadManifest(name, src)
		if err != nil {
			if e := report.As(err); e.Code != "manifest_invalid" || !bytes.Equal(settled, src) {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, e := range m.Entries {
			if raw := e.RawName(); raw == "" || raw == "." || raw == ".." || strings.ContainsAny(raw, "/\x00") {
				t.Fatalf("%q leads somewhere else", raw)
			}
		}
		again, err := ReadManifest(name, m.Encode())
		if err != nil || !slices.EqualFunc(m.Entries, again.Entries, func(a, b ManifestEntry) bool { return gocmp.Equal(a, b) }) {
			t.Fatalf("%v", err)
		}
		if !json.Valid(settled) || !bytes.Equal(CompleteManifest(settled, []Outcome{{name, state, name}, {name, state, state}}), settled) {
			t.Fatalf("%s", settled)
		}
	})
}
