package project

import (
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// TestD8_TakingATaskReportsItsLosses checks that commands that take a task name the lost entries and the command that
// restores them, and say nothing if none are lost.
func TestD8_TakingATaskReportsItsLosses(t *testing.T) {
	t.Parallel()
	w := wideWorld(t)
	takes := map[string]func(p *Project, id string) []report.Finding{
		"session start": func(p *Project, id string) []report.Finding {
			return must(p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: id}))(t).Warnings
		},
		"claim": func(p *Project, id string) []report.Finding {
			return must(p.Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: id}))(t).Warnings
		},
	}
	for command, take := range takes {
		if got := take(w.as("b"), "3"); hasCode(got, "entries_lost") {
			t.Errorf("%s: %+v", command, got)
		}
	}
	w.wipeSession("3")
	w.wipe(statePath("3"), "- [ ] Number 3 holds\n")
	for command, take := range takes {
		w.pass(time.Minute)
		got := take(w.as("b"), "3")
		at := slices.IndexFunc(got, func(f report.Finding) bool { return f.Code == "entries_lost" })
		if at < 0 {
			t.Errorf("%s: %+v", command, got)
			continue
		}
		for _, want := range []string{"2 entries are gone", "session 1", `criterion "Number 3 holds"`, "`baton lost --restore`"} {
			if !strings.Contains(got[at].Text, want) || got[at].Path != statePath("3") {
				t.Errorf("%s: %q is not in %+v", command, want, got[at])
			}
		}
		if other := take(w.as("b"), "4"); hasCode(other, "entries_lost") {
			t.Errorf("%s: %+v of a task that lost nothing", command, other)
		}
	}
}
