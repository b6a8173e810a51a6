package cli

import (
	"strings"
	"testing"

	"baton/internal/workspace"
)

// wants checks that files contain words.
func (c *clinic) wants(files map[string]string) {
	c.t.Helper()
	for file, word := range files {
		if text := c.read(file); !strings.Contains(text, word) {
			c.t.Errorf("%s has no %q:\n%s", file, word, text)
		}
	}
}

// renumbered returns the messages about tasks that got another number.
func renumbered(r workspace.DoctorResult) string {
	var out []string
	for _, f := range r.Fixes {
		if f.Code == "task_renumbered" {
			out = append(out, f.Text)
		}
	}
	return strings.Join(out, "\n")
}

// A task from one side of a merge depends on that side's task, during the merge and after it. Without dates, the task
// that came with the merge gets another number.
func TestD40_ADependentTaskStaysWithItsSide(t *testing.T) {
	t.Parallel()
	for name, committed := range map[string]bool{"in the middle of the merge": false, "after the merge": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, p := clones(t, true)
			o.do(`task new "Rate limits"`, `task new "Uses limits" --after 3`)
			o.commit("limits")
			p.do(`task new "Mail server"`)
			p.commit("mail")
			p.pull(o)
			if committed {
				p.commit("merged as it is")
			}
			r := p.look("--fix")
			healthy(t, r)
			p.wants(map[string]string{
				".baton/tasks/task-3-state.md": "# Task #3: Mail server",
				".baton/tasks/task-5-state.md": "# Task #5: Rate limits",
				".baton/tasks/task-4-state.md": `"dependencies": [5]`,
			})
			if text := renumbered(r); strings.Contains(text, "older") || strings.Contains(text, "names") {
				t.Error(text)
			}
			want := "git add -- .baton/tasks/task-3-state.md .baton/tasks/task-4-state.md .baton/tasks/task-5-state.md, then git commit"
			if committed {
				want = ""
			}
			if r.Next != want {
				t.Errorf("%q", r.Next)
			}
			if !committed {
				p.shell("sh", "-c", strings.ReplaceAll(want, ", then git commit", " && git commit -q -m merged"))
			}
		})
	}
}

// Both sides created a task 3, and a task 4 that depends on it: each task 4 depends on its own task 3.
func TestD40_BothSidesMadeAChain(t *testing.T) {
	t.Parallel()
	o, p := clones(t, true)
	o.do(`task new "Rate limits" --accept "a flood is refused"`, `task new "Uses limits" --accept "used" --after 3`)
	o.commit("limits")
	p.do(`task new "Mail server" --accept "a letter arrives"`, `task new "Sends mail" --accept "sent" --after 3`)
	p.commit("mail")
	p.pull(o)
	healthy(t, p.look("--fix"))
	p.wants(map[string]string{
		".baton/tasks/task-3-state.md": "# Task #3: Mail server",
		".baton/tasks/task-4-state.md": `"dependencies": [3]`,
		".baton/tasks/task-5-state.md": "# Task #5: Rate limits",
		".baton/tasks/task-6-state.md": `"dependencies": [5]`,
	})
}

// If no file has a date, the task that was committed later counts as later, and the message says so.
func TestD40_GitKnowsTheLaterOne(t *testing.T) {
	t.Parallel()
	o, p := clones(t, true)
	at := func(c *clinic, when, message string) {
		c.shell("git", "add", "-A")
		c.shell("git", "commit", "-q", "-m", message, "--date", when)
	}
	o.do(`task new "Rate limits"`)
	at(o, "2026-03-15T10:00:00Z", "limits")
	p.do(`task new "Mail server"`, `task new "Sends mail" --after 3`)
	at(p, "2026-03-15T11:00:00Z", "mail")
	p.pull(o)
	r := p.look("--fix")
	healthy(t, r)
	if text := renumbered(r); text !=
		`task #3 "Mail server" is now task #5, and "Rate limits" keeps the number: its file was committed later` {
		t.Error(text)
	}
	p.wants(map[string]string{
		".baton/tasks/task-3-state.md": "# Task #3: Rate limits",
		".baton/tasks/task-4-state.md": `"dependencies": [5]`,
	})
}

// After a fix during a merge, the page ends with how to continue the merge. A single finding is in the singular.
func TestD40_ThePageAfterAFix(t *testing.T) {
	t.Parallel()
	o, p := clones(t, true)
	o.do(`task new "Rate limits"`)
	o.commit("limits")
	p.do(`task new "Mail server"`)
	p.commit("mail")
	p.pull(o)
	if out, code := p.run("doctor"); code != 6 ||
		!strings.HasSuffix(out, "\n1 error\n--fix repairs it; --dry-run shows the differences first\n") {
		t.Errorf("%d %s", code, out)
	}
	out, code := p.run("doctor", "--fix")
	if code != 0 ||
		!strings.HasSuffix(out, "\nNext: git add -- .baton/tasks/task-3-state.md .baton/tasks/task-4-state.md, then git commit\n") {
		t.Errorf("%d %s", code, out)
	}
	if !strings.Contains(
		out, `task #3 "Rate limits" is now task #4, and "Mail server" keeps the number: it came with the merge, and baton cannot tell`,
	) {
		t.Error(out)
	}
}
