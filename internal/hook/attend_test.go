package hook

import (
	"context"
	"errors"
	"strings"
	"testing"

	"baton/internal/agentsession"
)

// The command for a session that begins to wait is started after the client has its answer, and only then. If it cannot be
// started, only the log says so.
func TestD45_TheCommandStartsAfterTheAnswer(t *testing.T) {
	t.Parallel()
	const asks = `{"session_id":"s","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`
	for _, waits := range []bool{true, false} {
		f := &fake{fault: errors.New("no shell"), answer: func(context.Context, agentsession.Event) (agentsession.Answer, error) {
			return agentsession.Answer{Waits: waits}, nil
		}}
		if got := f.play(t.Context(), strings.NewReader(asks), nil, "--agent", "claude"); got != (said{}) {
			t.Errorf("%+v", got)
		}
		if waits != (len(f.attended) == 1) || waits != (len(f.notes) == 1) {
			t.Errorf("waits: %v, started for %v, log: %+v", waits, f.attended, f.notes)
		}
		if waits && (f.notes[0].Outcome != "failed" || f.notes[0].Text != "on_attention: no shell" || f.notes[0].Event != "permission") {
			t.Errorf("log: %+v", f.notes)
		}
	}
}
