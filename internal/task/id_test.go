package task_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

func TestTSD27_Ids(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]task.ID{
		"101": "101", "#101": "101", "PROJ-42": "PROJ-42", "a.b_c-d": "a.b_c-d", strings.Repeat("x", 64): task.ID(strings.Repeat("x", 64)),
		"": "", "#": "", "-a": "", ".a": "", "_a": "", "a/b": "", `a\b`: "", "a..b": "", "..": "", "a b": "", "a\nb": "", "a\x00": "",
		"é": "", strings.Repeat("x", 65): "",
	} {
		got, err := task.ParseID(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
		if failure := report.As(err); err != nil && (failure.Kind != report.Usage || failure.Code != "id_invalid" || failure.Hint == "") {
			t.Errorf("%q: %+v", text, failure)
		}
	}
}

func TestD21_NumbersAndTexts(t *testing.T) {
	t.Parallel()
	for id, want := range map[task.ID][2]string{
		"101": {"101", "#101"}, "0": {"0", "#0"}, "007": {`"007"`, "007"}, "PROJ-42": {`"PROJ-42"`, "PROJ-42"}, "101a": {`"101a"`, "101a"},
		"999999999999999": {"999999999999999", "#999999999999999"}, "1000000000000000": {`"1000000000000000"`, "1000000000000000"},
	} {
		if written := task.JSONID(string(id)); written != want[0] || id.Ref() != want[1] {
			t.Errorf("%s: in a file %s, heading %s", id, written, id.Ref())
		}
		text, err := json.Marshal(id)
		if err != nil || string(text) != strconv.Quote(string(id)) {
			t.Errorf("D52: %s: JSON %s", id, text)
		}
		for _, written := range []string{string(text), want[0]} {
			var back task.ID
			if err := json.Unmarshal([]byte(written), &back); err != nil || back != id {
				t.Errorf("%s came back as %s from %s", id, back, written)
			}
		}
	}
}

func TestD17_Order(t *testing.T) {
	t.Parallel()
	ids := []task.ID{"b", "10", "a", "9", "007", "100"}
	slices.SortFunc(ids, task.CompareIDs)
	if want := []task.ID{"9", "10", "100", "007", "a", "b"}; !slices.Equal(ids, want) {
		t.Errorf("order %v", ids)
	}
}

func TestFileNames(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]task.ID{
		task.StateName("101"): "101", task.ArchiveName("PROJ-42"): "PROJ-42", task.EvidenceName("a.b"): "a.b",
		"task--state.md": "", "task-a..b-state.md": "", "task-#1-state.md": "", "task-1-state.md~": "", ".task-1-state.md.swp": "",
		"notes.md": "", "task-1.md": "",
	} {
		if got, ok := task.IDOfAnyFile(base); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", base, got, ok)
		}
		state := want != "" && base == task.StateName(want)
		if got, ok := task.IDOfStateFile(base); ok != state || ok && got != want {
			t.Errorf("%s as a state file: %q, %v", base, got, ok)
		}
	}
}

func TestClipKeepsCharactersWhole(t *testing.T) {
	t.Parallel()
	if got := safetext.Runes("aéé", 2); got != "a…" {
		t.Errorf("got %q", got)
	}
}
