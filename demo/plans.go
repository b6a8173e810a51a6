package main

import (
	"path/filepath"
	"strings"
)

// checklist is a plan as somebody writes it down.
const checklist = `- [ ] Sketch the data model
  - [ ] Every entity has a key
- [ ] Write the schema (after: Sketch the data model)
  - [ ] Migrations run twice
- [ ] Write the API (after #2)
  - [ ] Every route has a test
- [ ] Write the web page (after #3)
- [ ] Write the mobile app (after #3)
- [ ] Release (after #4, #5)
  - [ ] The tag is signed
`

// plans shows somebody who plans from a checklist, changes their mind, and finishes, without
// opening a file.
func plans(s *stage) {
	s.act("A plan: from a checklist to the last task, and what changes on the way")
	s.dir = filepath.Join(s.dir, "planner")
	s.write("plan.md", checklist)
	s.git("init", "-q")
	s.quiet("init")
	s.show("task", "new", "--from", "plan.md")
	s.say("Three tasks change, one is given up, and its dependant no longer waits for it:")
	s.show("task", "edit", "3", "--title", "Write the HTTP API", "--accept", "Errors are JSON")
	s.show("task", "edit", "4", "--accept", "It works without JavaScript", "--priority", "high")
	s.show("task", "edit", "6", "--not-after", "5")
	s.show("task", "cancel", "5", "--reason", "phones show the web page")
	s.say("While you work on the first one, you find a seventh:")
	s.show("task", "new", "Migrate the old data", "--accept", "Nothing is missing", "--from-task", "1", "--after", "2")
	s.show("task", "list")
	s.say("Then one task after the other, in the order in which baton offers them:")
	for _, want := range []string{"1", "2", "3", "4", "6", "7"} {
		s.plannedTask(want)
	}
	if page := s.show("status"); s.err == nil && !strings.Contains(page, "6 complete, 1 cancelled") {
		s.fail("the status is\n%s", page)
	}
	s.dir = filepath.Dir(s.dir)
}

// plannedTask does the task that is offered next.
func (s *stage) plannedTask(want string) {
	var claimed struct {
		Task string `json:"task"`
	}
	s.ask(&claimed, "task", "claim", "--next")
	if s.err == nil && claimed.Task != want {
		s.fail("task %s is offered, not task %s", claimed.Task, want)
	}
	var shown struct {
		Criteria []struct{} `json:"criteria"`
	}
	s.ask(&shown, "task", "show", want)
	for n := range shown.Criteria {
		s.text("task", "check", want, itoa(n+1), "--evidence", "seen")
	}
	s.text("task", "output", want, "--summary", "what #"+want+" left")
	s.text("task", "log", want, "--did", "all of it", "--next", "the next task")
	s.firstLines(s.text("task", "complete", want), 1)
}
