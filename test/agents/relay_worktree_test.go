//go:build agents && linux

package agents

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// A session works on the task in a worktree, and the next one in the main checkout. After a merge, the entries of
// both are in the task.
func TestRelayWorktree(t *testing.T) {
	t.Parallel()
	for _, h := range daily() {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("-short: only the relay of Claude Code runs; make test-agents runs all")
			}
			r := newRelay(t, h)
			r.baton("merge", "install") // both checkouts change the task's file
			side := filepath.Join(filepath.Dir(r.project), "side")
			r.git("worktree", "add", "-q", "-b", "side", side)
			inside := r.leg("1 in a worktree", h)
			inside.project = side
			h.setUp(inside.world)
			inside.start("", h.edit, flat(
				inside.edit(taskFile, "### Requirements\n", "### Requirements\n\nKeep the old interface.\n"),
				inside.edit("parser.go", "var depth = 3\n", "var depth = 3\nvar unrolled = true\n"), inside.says("The loop is unrolled"),
			)...)
			inside.ends()
			inside.startsWith(title, criterion, second)

			neighbour := r.leg("2 in the main checkout", h)
			h.setUp(neighbour.world) // some clients trust only the folder that was named last
			neighbour.start("", h.edit, flat(
				neighbour.edit("tokens.go", "var kinds = 7\n", "var kinds = 7\nvar names = 8\n"), neighbour.says("There are more tokens"),
			)...)
			neighbour.ends()
			if inside.reportedItsEnd() {
				neighbour.startsWith(title, "nobody holds it")
			} else { // as far as a checkout can know, the session in the other one still works on it
				neighbour.startsWith("Held by other sessions: #1 by " + inside.id)
			}
			r.finish()

			again := r.leg("3 in the worktree", h)
			again.project = side
			h.setUp(again.world)
			again.start("", nil, again.says("I only look")...)
			again.ends()
			again.startsWith("parser.go", inside.said())

			inside.git("commit", "-qam", "parser: unrolled")
			r.git("commit", "-qam", "tokens: names")
			r.git("merge", "-q", "side")
			for s, file := range map[*leg]string{inside: "parser.go", neighbour: "tokens.go"} {
				log := strings.Join(r.entry(s.id), "\n")
				for _, fact := range []string{"Files edited: ", file, s.said()} {
					if !strings.Contains(log, fact) {
						t.Errorf("the entry of session %s does not say %q:\n%s", s.name, fact, log)
					}
				}
			}
			r.quietHooks()
		})
	}
}

// adopts moves the work that belongs to no task into the task, as a person does whom the next session tells about it.
func (s *leg) adopts() {
	s.t.Helper()
	var list struct {
		Unbound []struct{ ID, Session string }
	}
	s.must(json.Unmarshal([]byte(s.baton("session", "adopt", "--json")), &list))
	for _, u := range list.Unbound {
		s.baton("session", "adopt", u.ID, "1")
	}
}

// entry returns what the task's log says about a session.
func (r *relay) entry(id string) []string {
	r.t.Helper()
	var task shown
	r.must(json.Unmarshal([]byte(r.baton("task", "show", "1", "--json")), &task))
	for _, entry := range task.Sessions {
		if strings.Contains(entry.Did[0], id) {
			return entry.Did
		}
	}
	return nil
}
