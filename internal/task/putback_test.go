package task_test

import (
	"strings"
	"testing"

	"baton/internal/task"
)

func TestRoomMakesTheSectionsThatAreMissing(t *testing.T) {
	bare := task.Parse("7", []byte("# Task #7: Sign\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 7\n}\n```\n"))
	room := bare.Room(true, true, true, true)
	for _, want := range [...]string{"### Acceptance Criteria", "\"features\": []", "Progress Log", "Chain Output"} {
		if !strings.Contains(string(room.Bytes()), want) {
			t.Errorf("no %s in:\n%s", want, room.Bytes())
		}
	}
	if !strings.HasPrefix(string(room.Bytes()), string(bare.Bytes())) {
		t.Errorf("what was there changed:\n%s", room.Bytes())
	}
	if again := room.Room(true, true, true, true); string(again.Bytes()) != string(room.Bytes()) {
		t.Errorf("the second time:\n%s", again.Bytes())
	}
	pos, empty, ok := room.FeaturePlace()
	if !ok || !empty || string(room.Bytes()[pos-1:pos+1]) != "[]" {
		t.Errorf("the place of a feature is %d, %v, %v", pos, empty, ok)
	}
	if none := bare.Room(false, false, false, false); none != bare {
		t.Error("nothing was asked for, and it changed")
	}
}

func TestRecountWritesCountersAndNoTime(t *testing.T) {
	text := "# Task #7: Sign - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7,\n  \"updated_at\": \"2026-01-01T00:00:00Z\",\n  " +
		"\"total_sessions\": 9,\n  \"recent_sessions\": 9\n}\n```\n\n" +
		"## 3. Feature Checklist\n\n```json\n{\"features\": [{\"id\": \"a\", \"description\": \"A\", \"passes\": true}, {\"id\": \"b\", " +
		"\"description\": \"B\", \"passes\": false}], \"overall_progress\": \"0%\"}\n```\n\n" +
		"## 4. Progress Log\n\n### Session 1 - 2026-01-02 09:00\n\n**Did:**\n- A\n"
	want := strings.NewReplacer(`"total_sessions": 9`, `"total_sessions": 1`, `"recent_sessions": 9`, `"recent_sessions": 1`, `"0%"`,
		`"50%"`).Replace(text)
	got := task.Parse("7", []byte(text)).Recount()
	if string(got.Bytes()) != want {
		t.Errorf("got:\n%s", got.Bytes())
	}
	if again := got.Recount(); string(again.Bytes()) != want {
		t.Errorf("the second time:\n%s", again.Bytes())
	}
}

func TestSaysNothingKnowsPlaceholders(t *testing.T) {
	for line, want := range map[string]bool{
		"(No sessions yet)": true, " (To be completed) ": true, "(Nobody knows)": false, "None": false,
	} {
		if task.SaysNothing(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
