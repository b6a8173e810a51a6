package declaration

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// facts are what the contract says of names, writers, purposes, kinds, sets and orders. The file is
// a copy of what the machine-readable contract says; it is never written from the program.
type facts struct {
	Layouts   map[string]string `json:"layouts"`
	Defaults  map[string]int    `json:"defaults"`
	Canonical []struct {
		Name       string               `json:"name"`
		Type       string               `json:"type"`
		Kind       string               `json:"kind"`
		Exempt     bool                 `json:"reset_exempt"`
		Eviction   []statedir.EvictRule `json:"eviction"`
		Provenance string               `json:"provenance"`
		Declared   bool                 `json:"declared_by_reference"`
		Writers    []string             `json:"writers"`
		Purpose    string               `json:"purpose"`
		Statuses   []string             `json:"statuses"`
		Accepted   []string             `json:"accepted_by_baton"`
		Sidecar    string               `json:"sidecar"`
	} `json:"canonical"`
	Patterns []struct {
		Pattern         string               `json:"pattern"`
		Use             string               `json:"use"`
		Examples        []string             `json:"examples"`
		CounterExamples []string             `json:"counter_examples"`
		StaleDays       int                  `json:"stale_days"`
		Provenance      string               `json:"provenance"`
		Eviction        []statedir.EvictRule `json:"eviction"`
	} `json:"patterns"`
	Ephemeral []struct {
		Pattern         string   `json:"pattern"`
		Use             string   `json:"use"`
		Examples        []string `json:"examples"`
		CounterExamples []string `json:"counter_examples"`
	} `json:"ephemeral_patterns"`
	Sidecars []statedir.Sidecar  `json:"sidecars"`
	Eviction map[string][]string `json:"eviction"`
	Exempt   []string            `json:"reset_exempt"`
	Schemas  []string            `json:"schemas"`
	Fields   []struct {
		Name    string `json:"name"`
		Kind    string `json:"kind"`
		SetBy   string `json:"set_by"`
		Refused bool   `json:"update_refused"`
	} `json:"record_fields"`
	Types     []string          `json:"workflow_types"`
	Aliases   map[string]string `json:"workflow_type_aliases"`
	Tiers     []string          `json:"tiers"`
	Phases    []string          `json:"phases"`
	Artifacts [][2]string       `json:"phase_artifacts"`
	Gates     map[string]string `json:"gate_markers"`
	Lanes     []string          `json:"lane_statuses"`
	Later     []string          `json:"lane_statuses_of_later_releases"`
	Folders   map[string]string `json:"directories"`
	Refused   []string          `json:"not_accepted"`
	Slugs     [][2]string       `json:"lane_slugs"`
}

func readFacts(t *testing.T) facts {
	t.Helper()
	data, err := os.ReadFile("testdata/contract-facts.json")
	if err != nil {
		t.Fatal(err)
	}
	var f facts
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// equal reports what differs from the facts.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestSDD2_RowsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	want, got := readFacts(t).Canonical, Declared().Rows()
	if len(got) != len(want) || len(got) != 85 {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		equal(t, "row "+w.Name, []any{
			g.Name, g.Type, g.Kind, g.Exempt, g.Eviction, g.Provenance, g.Declared, g.Statuses, g.Accepted, g.Sidecar, g.Writers, g.Purpose,
		},
			[]any{
				w.Name, w.Type, w.Kind, w.Exempt, w.Eviction, w.Provenance, w.Declared, w.Statuses, w.Accepted, w.Sidecar, w.Writers,
				w.Purpose,
			})
	}
}

func TestSDD2_PatternsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	f, c := readFacts(t), Declared()
	got := c.Patterns()
	if len(got) != len(f.Patterns) || len(got) != 9 {
		t.Fatalf("%d patterns, want %d", len(got), len(f.Patterns))
	}
	for i, w := range f.Patterns {
		g := got[i]
		equal(t, w.Pattern, []any{
			g.Pattern, g.Use, g.Examples, g.CounterExamples, g.StaleDays, g.Provenance, append([]statedir.EvictRule{}, g.Eviction...),
			c.patterns[i].slug,
		},
			[]any{w.Pattern, w.Use, w.Examples, w.CounterExamples, w.StaleDays, w.Provenance, w.Eviction, len(w.Eviction) > 0})
	}
	left := c.Ephemerals()
	if len(left) != len(f.Ephemeral) || len(left) != 3 {
		t.Fatalf("%d patterns of left-overs, want %d", len(left), len(f.Ephemeral))
	}
	for i, w := range f.Ephemeral {
		g := left[i]
		equal(t, w.Pattern, []any{g.Pattern, g.Use, g.Examples, g.CounterExamples}, []any{w.Pattern, w.Use, w.Examples, w.CounterExamples})
	}
}

func TestSDD2_SetsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	f, d := readFacts(t), Declared().Describe()
	equal(t, "layouts", d.Layouts, f.Layouts)
	for key, days := range f.Defaults {
		equal(t, key, d.Defaults[key], days)
	}
	equal(t, "sidecars", d.Sidecars, f.Sidecars)
	equal(t, "eviction", d.Eviction, f.Eviction)
	equal(t, "exempt", d.Exempt, f.Exempt)
	equal(t, "schemas", d.Schemas, f.Schemas)
	equal(t, "types", d.WorkflowTypes, f.Types)
	equal(t, "aliases", d.Aliases, f.Aliases)
	equal(t, "tiers", d.Tiers, f.Tiers)
	equal(t, "phases", d.Phases, f.Phases)
	equal(t, "artefacts", d.PhaseArtifacts, f.Artifacts)
	equal(t, "gate marks", d.GateMarkers, f.Gates)
	equal(t, "statuses of lanes", [][]string{d.LaneStatuses, d.LaterStatuses}, [][]string{f.Lanes, f.Later})
	for key, text := range f.Folders {
		equal(t, key, d.Directories[key], text)
	}
	if len(d.RecordFields) != len(f.Fields) {
		t.Fatalf("%d fields, want %d", len(d.RecordFields), len(f.Fields))
	}
	for i, w := range f.Fields {
		g := d.RecordFields[i]
		equal(t, "field "+w.Name, []any{g.Name, g.Kind, g.SetBy, g.Refused}, []any{w.Name, w.Kind, w.SetBy, w.Refused})
	}
}

// The rules of evict have one name each, in the rows as in the lists.
func TestSDD2_OneVocabularyOfEvictRules(t *testing.T) {
	t.Parallel()
	d := Declared().Describe()
	for _, r := range d.Canonical {
		for _, rule := range r.Eviction {
			if !slices.Contains(d.Eviction[string(rule)], r.Name) {
				t.Errorf("%s: %s", r.Name, rule)
			}
		}
		if slices.Contains(d.Eviction["never"], r.Name) && (len(r.Eviction) > 0 || r.Exempt) {
			t.Errorf("%s is never evicted and not exempt", r.Name)
		}
	}
	known := map[string]bool{}
	for _, kind := range d.Kinds {
		known[kind[0]] = true
	}
	for _, r := range d.Canonical {
		if !known[r.Kind] {
			t.Errorf("%s: a kind without a heading: %s", r.Name, r.Kind)
		}
	}
}

// What a program reads from a list must be a list, also where it is empty.
func TestDescriptionHasNoNull(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(Declared().Describe())
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	noNull(t, "", v)
}

func noNull(t *testing.T, path string, v any) {
	t.Helper()
	switch v := v.(type) {
	case nil:
		t.Errorf("%s is null", path)
	case []any:
		for _, item := range v {
			noNull(t, path+"[]", item)
		}
	case map[string]any:
		for key, item := range v {
			noNull(t, path+"."+key, item)
		}
	}
}

func TestSDD3_BothNamesOfTheListOfFilesToReview(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, name := range []string{"review-scope.md", "code-review-input.md"} {
		class := c.Classify(name, false, false)
		if class.Bucket != statedir.Canonical || len(class.Row.Eviction) != 0 || c.SlugVariant(name) {
			t.Errorf("%s: %+v", name, class)
		}
	}
	if n := seedRows(c); n != 49 {
		t.Errorf("%d rows of the seed, want 49", n)
	}
}

func seedRows(c *Contract) int {
	n := 0
	for _, r := range c.Rows() {
		if r.Provenance == fromSeed {
			n++
		}
	}
	return n
}

// SD-K35: the log of the compressor was wiped, because one of two lists forgot it. SD-K39: files of
// the project, and logs of the tool itself, were archived on every run.
func TestSDD4_SDK35_SDK39_WhatSurvivesEverySweep(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, name := range []string{
		"static-compress.jsonl", "canonical-baseline.json", "gate-trace.jsonl", "claim-check-failures.jsonl", "threads/", "notes/",
		"project/",
		"hook-trace/", ".instances/", ".archive/", ".lock", "deferred.md", "graphify-impact-plan.json", "last-curator-run.txt",
	} {
		e := explained(t, c, name)
		if e.Bucket != statedir.Canonical || !e.Detail.Row.Exempt {
			t.Errorf("%s: %+v", name, e)
		}
		for sweep, words := range e.Sweeps {
			if words != "stays" && words != "stays: it is exempt" {
				t.Errorf("%s: %s: %s", name, sweep, words)
			}
		}
	}
}

func TestTheFileOfAPhaseIsCanonical(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, pair := range record.PhaseArtifacts() {
		if c.Classify(pair[1], false, false).Bucket != statedir.Canonical {
			t.Errorf("%s leaves %s", pair[0], pair[1])
		}
	}
}
