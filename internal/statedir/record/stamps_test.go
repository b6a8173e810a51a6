package record

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"baton/internal/report"
)

// session returns a record in the middle of a session, in its second workflow.
func session() string {
	return "active: true\nphase: plan\nworkflow_type: dev\ncreated_at: \"2026-06-10T07:00:00.000Z\"\nworkflow_id: " + idTwo +
		"\nfirst_created_at: \"2026-06-10T05:00:00.000Z\"\noriginal_workflow_id: " + idOne + "\n" + historyLine(idOne, idTwo)
}

// historyLine returns the history as it is written.
func historyLine(ids ...string) string {
	return historyKey + ": " + quoteRecord(`["`+strings.Join(ids, `","`)+`"]`) + "\n"
}

// historyOf returns the ids of a record.
func historyOf(t *testing.T, r *Record) []string {
	t.Helper()
	held, ok := r.held(historyKey)
	var ids []string
	if ok && json.Unmarshal(held.json, &ids) != nil {
		t.Fatalf("no history of texts: %s", r.Bytes())
	}
	return ids
}

// SD-K19, 5.6.4 rule 1: the first activation writes start, id, both anchors and the history.
func TestSDK19_FirstActivationStamps(t *testing.T) {
	t.Parallel()
	u := updated(t, "", stamping(), "active=true", "workflow_type=dev", "phase=context_init")
	wantText(t, u, "active: true\nphase: context_init\ntier: null\niteration: 0\nworkflow_type: dev\ncreated_at: "+
		"\"2026-06-10T09:00:00.000Z\"\nworkflow_id: new-1\n"+
		"first_created_at: \"2026-06-10T09:00:00.000Z\"\noriginal_workflow_id: new-1\n"+historyLine("new-1"))
	again := updated(t, string(u.Record.Bytes()), stamping(), "active=true", "workflow_type=dev")
	if again.Changed != nil {
		t.Errorf("a second activation changed %v", again.Changed)
	}
}

// SD-27: an existing id is kept. A start without anchors gets none.
func TestSD27_StartAndAnchors(t *testing.T) {
	t.Parallel()
	u := updated(t, "active: false\nworkflow_id: "+idThree+"\n", stamping(), "active=true")
	wantText(t, u, "active: true\nworkflow_id: "+idThree+"\ncreated_at: \"2026-06-10T09:00:00.000Z\"\nfirst_created_at: "+
		"\"2026-06-10T09:00:00.000Z\"\noriginal_workflow_id: "+idThree+"\n"+historyLine(idThree))

	src := "active: true\nphase: plan\ncreated_at: \"2026-06-10T07:00:00.000Z\"\nworkflow_id: " + idThree + "\n"
	u = updated(t, src, stamping(), "phase=test")
	wantText(t, u, strings.Replace(src, "plan", "test", 1)+historyLine(idThree))

	u = updated(t, "active: false\ncreated_at: null\nfirst_created_at: \"2026-06-01\"\noriginal_workflow_id: "+idOne+"\n", stamping(),
		"active=true")
	wantText(t, u, "active: true\ncreated_at: \"2026-06-10T09:00:00.000Z\"\nfirst_created_at: \"2026-06-01\"\noriginal_workflow_id: "+idOne+
		"\nworkflow_id: new-1\n"+historyLine(idOne, "new-1"))
}

// Only the value true activates a workflow; nothing else sets stamps (SD-K37).
func TestSDK37_NothingElseActivates(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"active: \"true\"\n", "active: yes\n", "active: false\n", "phase: plan\n", "active: null\n"} {
		u := updated(t, src, stamping(), "task=x")
		if _, ok := u.Record.Value("created_at"); ok || !reflect.DeepEqual(u.Changed, []string{"task"}) {
			t.Errorf("%q: %s", src, u.Record.Bytes())
		}
	}
}

// 5.6.4 rule 2, SD-K24: another type means another workflow of the same session. The anchors stay, so that the
// session's files do not become old.
func TestSDK24_AnotherTypeKeepsTheAnchors(t *testing.T) {
	t.Parallel()
	s := stamping()
	u := updated(t, session()+"lanes:\n  - id: a\n", s, "workflow_type=code_review")
	want := strings.NewReplacer("type: dev", "type: code_review", "2026-06-10T07:00", "2026-06-10T09:00", "workflow_id: "+idTwo,
		"workflow_id: new-1").Replace(session())
	want = strings.Replace(want, historyLine(idOne, idTwo), historyLine(idOne, idTwo, "new-1"), 1) + "lanes:\n  - id: a\n"
	wantText(t, u, want)

	back := updated(t, string(u.Record.Bytes()), s, "workflow_type=dev")
	if got := historyOf(t, back.Record); !reflect.DeepEqual(got, []string{idOne, idTwo, "new-1", "new-2"}) {
		t.Errorf("A to B and back: %v", got)
	}
	for _, c := range []struct{ src, word string }{
		{session(), "workflow_type=dev"},
		{session(), "workflow_type=null"},
		{strings.Replace(session(), "workflow_type: dev", "workflow_type: null", 1), "workflow_type=docs"},
		{strings.Replace(session(), "active: true", "active: false", 1), "workflow_type=docs"},
	} {
		if u := updated(t, c.src, stamping(), c.word); u.Record.Text("workflow_id") != idTwo ||
			u.Record.Text("created_at") != "2026-06-10T07:00:00.000Z" {
			t.Errorf("%s: %s", c.word, u.Record.Bytes())
		}
	}
}

// SD-28, SD-K25, SD-D12: nothing is removed from a history. A missing original id is added at the start, the current id
// at the end.
func TestSD28_SDD12_History(t *testing.T) {
	t.Parallel()
	head := strings.Split(session(), historyKey)[0]
	for _, c := range []struct{ name, history, want string }{
		{"missing", "", `["` + idOne + `","` + idTwo + `"]`},
		{"null", "null", `["` + idOne + `","` + idTwo + `"]`},
		{"empty list", `"[]"`, `["` + idOne + `","` + idTwo + `"]`},
		{"a text", "none", `["` + idOne + `","none","` + idTwo + `"]`},
		{"the current id as a text", idTwo, `["` + idOne + `","` + idTwo + `"]`},
		{"a list of YAML", "[" + idOne + ", x]", `["` + idOne + `","x","` + idTwo + `"]`},
		{"a list of YAML on lines", "\n  - " + idOne + "\n  - 'x y'", `["` + idOne + `","x y","` + idTwo + `"]`},
		{"out of order", `["` + idTwo + `","x","` + idOne + `"]`, `["` + idTwo + `","x","` + idOne + `"]`},
		{"the current one first", `["` + idTwo + `"]`, `["` + idOne + `","` + idTwo + `"]`},
		{"foreign ids and repeats", `["x","x",7,null,"` + idOne + `"]`, `["x","x",7,null,"` + idOne + `","` + idTwo + `"]`},
		{"an object", `{"a":1}`, `["` + idOne + `",{"a":1},"` + idTwo + `"]`},
		{"escapes", `["a\nb"]`, `["` + idOne + `","a\nb","` + idTwo + `"]`},
	} {
		src := head
		if c.history != "" {
			src += historyKey + ": " + c.history + "\n"
		}
		for _, active := range []string{"true", "false"} { // every update completes the seed
			src := strings.Replace(src, "active: true", "active: "+active, 1)
			u := updated(t, src, stamping(), "phase=test")
			if held, _ := u.Record.held(historyKey); string(held.json) != c.want {
				t.Errorf("%s: %s, want %s", c.name, held.shown(), c.want)
			}
			if again := updated(t, string(u.Record.Bytes()), stamping(), "phase=test"); again.Changed != nil {
				t.Errorf("%s: healed twice: %v", c.name, again.Changed)
			}
		}
	}
	u := updated(t, "phase: plan\n"+historyKey+": x\n", stamping(), "phase=test")
	wantText(t, u, "phase: test\n"+historyLine("x"))
	u = updated(t, "phase: plan\n", stamping(), "phase=test")
	wantText(t, u, "phase: test\n")
}

// SD-K25: ids that only the trace has are inserted before the current one. Lines that are not calls of this session are
// ignored.
func TestSDK25_IdsOfTheTrace(t *testing.T) {
	t.Parallel()
	s := stamping()
	s.Trace = []byte(strings.Join([]string{
		`{"workflow_id":"early","ts":"2026-06-10T04:59:59.999Z"}`,
		`{"workflow_id":"b","ts":"2026-06-10T06:00:00Z","x":{"y":[1]}}`,
		`{"workflow_id":"a","ts":"2026-06-10T05:00:00.000Z"}`,
		`{"workflow_id":"b","ts":"2026-06-10T06:30:00Z"}`,
		`{"workflow_id":"` + idTwo + `","ts":"2026-06-10T07:00:00Z"}`,
		`{"workflow_id":7,"ts":"2026-06-10T06:00:00Z"}`, `{"workflow_id":"c","ts":6}`, `{"workflow_id":"c"}`,
		`{"workflow_id":"","ts":"2026-06-10T06:00:00Z"}`,
		`{"workflow_id":"c","ts":"soon"}`, `broken`, `[]`, ``,
	}, "\n"))
	u := updated(t, session(), s, "phase=test")
	if got := historyOf(t, u.Record); !reflect.DeepEqual(got, []string{idOne, "b", "a", idTwo}) {
		t.Errorf("%v", got)
	}
	again := updated(t, string(u.Record.Bytes()), s, "phase=test")
	if again.Changed != nil {
		t.Errorf("a second update changed %v", again.Changed)
	}
	first := strings.NewReplacer(idTwo, idOne, historyLine(idOne, idTwo), historyLine(idOne)).Replace(session())
	if got := historyOf(t, updated(t, first, s, "phase=test").Record); !reflect.DeepEqual(got, []string{idOne, "b", "a", idTwo}) {
		t.Errorf("nothing comes before the original: %v", got)
	}
	bare := strings.Replace(session(), "workflow_id: "+idTwo+"\n", "", 1)
	if got := historyOf(t, updated(t, bare, s, "phase=test").Record); !reflect.DeepEqual(got, []string{idOne, idTwo, "b", "a"}) {
		t.Errorf("no current id: %v", got)
	}
	unanchored := strings.Replace(session(), "first_created_at: \"2026-06-10T05:00:00.000Z\"\n", "", 1)
	if u := updated(t, unanchored, s, "phase=test"); !reflect.DeepEqual(historyOf(t, u.Record), []string{idOne, idTwo}) {
		t.Errorf("without an anchor the trace says nothing: %v", historyOf(t, u.Record))
	}
}

// Only the last 5,000 lines of the trace count.
func TestTrace_LastLines(t *testing.T) {
	t.Parallel()
	s := stamping()
	line := func(id string) string {
		return fmt.Sprintf("{\"workflow_id\":%q,\"ts\":\"2026-06-10T06:00:00Z\"}\n", id)
	}
	s.Trace = []byte(line("out") + line("in") + strings.Repeat("{}\n", 4999))
	if got := historyOf(t, updated(t, session(), s, "phase=test").Record); !reflect.DeepEqual(got, []string{idOne, "in", idTwo}) {
		t.Errorf("%v", got)
	}
}

// SD-K28, SD-K31: repeated updates and activations keep the id and do not extend the history.
func TestSDK28_SDK31_RepeatedUpdatesKeepTheID(t *testing.T) {
	t.Parallel()
	s := stamping()
	u := updated(t, "", s, "active=true", "workflow_type=dev")
	for i := range 50 {
		u = updated(t, string(u.Record.Bytes()), s, "active=true", "workflow_type=dev", fmt.Sprintf("iteration=%d", i))
	}
	if got := historyOf(t, u.Record); !reflect.DeepEqual(got, []string{"new-1"}) || u.Record.Text("workflow_id") != "new-1" {
		t.Errorf("%v: %s", got, u.Record.Bytes())
	}
}

// SD-35: raw dispatches since the start prevent a deactivation in the block mode.
func TestSD35_RawDispatches(t *testing.T) {
	t.Parallel()
	raw := func(ts string) string {
		return `{"ts":"` + ts + `","source":"raw_dispatch","agent":"devt:tester"}` + "\n"
	}
	others := "{bad\n{\"source\":\"raw_dispatch\",\"ts\":5}\n{\"source\":\"dispatch_scope\",\"ts\":\"2026-06-10T08:00:00Z\"}\n" +
		raw("2026-06-10T06:59:59.999Z")
	for _, c := range []struct {
		name, raw, mode, src string
		refused              bool
		notes                int
	}{
		{"before the start", others, "block", session(), false, 0},
		{"at the start", others + raw("2026-06-10T07:00:00Z"), "block", session(), true, 0},
		{"after it, no mode", others + raw("2026-06-10T08:00:00Z"), "", session(), true, 0},
		{"after it, warn", raw("2026-06-10T08:00:00Z"), "warn", session(), false, 1},
		{"after it, off", raw("2026-06-10T08:00:00Z"), "off", session(), false, 1},
		{"no log", "", "block", session(), false, 0},
		{"no start", raw("2026-06-10T08:00:00Z"), "block", "active: true\ncreated_at: soon\n", false, 0},
		{
			"it was not active", raw("2026-06-10T08:00:00Z"), "block", strings.Replace(session(), "active: true", "active: \"true\"", 1),
			false, 0,
		},
		{"an agent that is no text", `{"ts":"2026-06-10T08:00:00Z","source":"raw_dispatch","agent":[1]}`, "block", session(), true, 0},
	} {
		s := stamping()
		s.Raw, s.Raws = []byte(c.raw), c.mode
		u, err := Update(Read([]byte(c.src)), pairsOf("active=false", "status=DONE"), s, nil)
		if e := report.As(err); (err != nil) != c.refused || err != nil && (e.Kind != report.Violation || e.Code != "raw_dispatches" ||
			e.Hint == "") {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && (len(u.Notes) != c.notes || u.Record.Active() || u.Record.Text("status") != "DONE") {
			t.Errorf("%s: %+v\n%s", c.name, u.Notes, u.Record.Bytes())
		}
		if _, err := Update(Read([]byte(c.src)), pairsOf("phase=docs"), s, nil); err != nil {
			t.Errorf("%s: an update of something else: %v", c.name, err)
		}
	}
	s := stamping()
	s.Raw = []byte(raw("2026-06-10T08:00:00Z") + strings.ReplaceAll(raw("2026-06-10T08:00:00Z"), "devt:tester", `\u001b[2J`))
	if e := refused(t, session(), s, "active=false"); !strings.Contains(e.Message, "2 raw dispatches (devt:tester, \"\\x1b[2J\")") {
		t.Error(e.Message)
	}
}

// SD-36, 5.6.4 rule 6: the mark is written together with the update. It counts the errors of the new record and is
// removed if there are none.
func TestSD36_ConsistencyMark(t *testing.T) {
	t.Parallel()
	marking := func(src string, count int) Updated {
		t.Helper()
		mark := func(r *Record) int {
			if r.Text("phase") != "docs" {
				t.Errorf("asked about the old record: %s", r.Bytes())
			}
			return count
		}
		if count < 0 {
			mark = nil
		}
		u, err := Update(recordFrom(src), pairsOf("phase=docs"), stamping(), mark)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	u := marking("phase: plan\n", 2)
	wantText(t, u, "phase: docs\nvalidation_status: warned\nvalidation_warnings: 2\n")
	if !reflect.DeepEqual(u.Changed, []string{"phase", "validation_status", "validation_warnings"}) {
		t.Errorf("changed: %v", u.Changed)
	}
	warned := string(u.Record.Bytes())
	if u := marking(warned, 2); u.Changed != nil || string(u.Record.Bytes()) != warned {
		t.Errorf("marked twice: %v", u.Changed)
	}
	wantText(t, marking(warned, 3), strings.Replace(warned, "2", "3", 1))
	u = marking(warned, 0)
	wantText(t, u, "phase: docs\n")
	if !reflect.DeepEqual(u.Changed, []string{"validation_status", "validation_warnings"}) {
		t.Errorf("changed: %v", u.Changed)
	}
	wantText(t, marking(warned, -1), "phase: docs\n") // DEVT_VALIDATE_SHADOW=0
}

// SD-22: a start in the future is reported.
func TestSD22_ClockSkewIsNoted(t *testing.T) {
	t.Parallel()
	u := updated(t, strings.Replace(session(), "2026-06-10T07", "2026-06-11T07", 1), stamping(), "phase=docs")
	if len(u.Notes) != 1 || u.Notes[0].Code != "clock_skew" || !strings.Contains(u.Notes[0].Text, "created_at") {
		t.Errorf("%+v", u.Notes)
	}
	if u.Record.Text("created_at") != "2026-06-11T07:00:00.000Z" {
		t.Error("a start in the future was replaced")
	}
	if u := updated(t, session(), stamping(), "phase=docs"); u.Notes != nil {
		t.Errorf("%+v", u.Notes)
	}
}
