package task_test

import (
	"testing"
	"time"

	"baton/internal/task"
)

func TestTS37_Stamps(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 2*3600)
	tests := []struct {
		text    string
		want    string // RFC 3339 in UTC, or "" if refused
		hasTime bool
	}{
		{"2025-03-04 09:10", "2025-03-04T07:10:00Z", true},
		{"2025-03-04 09:10:11", "2025-03-04T07:10:11Z", true},
		{"2025-03-04T09:10", "2025-03-04T07:10:00Z", true},
		{"2025-03-04T09:10:11.250Z", "2025-03-04T09:10:11Z", true},
		{"2025-03-04T09:10:11+05:30", "2025-03-04T03:40:11Z", true},
		{"2025-03-04 09:10 -0300", "2025-03-04T12:10:00Z", true},
		{"2025-03-04 09:10 UTC", "2025-03-04T09:10:00Z", true},
		{"2025-03-04", "2025-03-03T22:00:00Z", false},
		{"2024-02-29 00:00", "2024-02-28T22:00:00Z", true},
		{"2025-02-29 00:00", "", false},
		{"2025-13-01", "", false},
		{"25-03-04", "", false},
		{"2025-03-04 25:10", "", false},
		{"yesterday", "", false},
		{"", "", false},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			got, hasTime, ok := task.ParseStamp(test.text, east)
			if ok != (test.want != "") || hasTime != test.hasTime {
				t.Fatalf("ok %v, time %v", ok, hasTime)
			}
			if ok && task.JSONStamp(got) != test.want {
				t.Errorf("%s, want %s", task.JSONStamp(got), test.want)
			}
		})
	}
}

func TestTSD8_OneClockForDateAndTime(t *testing.T) {
	t.Parallel()
	// Half past eleven in the evening in UTC is already the next day further east. Date and time must come from the
	// same clock.
	at := time.Date(2025, 3, 4, 23, 30, 0, 0, time.UTC)
	if got := task.FormatStamp(at, time.FixedZone("east", 2*3600)); got != "2025-03-05 01:30" {
		t.Errorf("stamp %q", got)
	}
	if got := task.JSONStamp(at.In(time.FixedZone("east", 2*3600))); got != "2025-03-04T23:30:00Z" {
		t.Errorf("JSON %q", got)
	}
}

func TestSessionAt(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 2*3600)
	s := task.Parse("1", []byte("## Progress Log\n\n### Session 1 - 2025-03-04 09:10\n\n### Session 2 - 2025-03-04 09:10Z\n"))
	for i, want := range []string{"2025-03-04T07:10:00Z", "2025-03-04T09:10:00Z"} {
		if got := task.JSONStamp(s.Sessions[i].At(east)); got != want {
			t.Errorf("session %d at %s, want %s", i+1, got, want)
		}
	}
}
