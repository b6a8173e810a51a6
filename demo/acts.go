package main

import (
	"strings"
)

// prepare creates the repository and the three tasks.
func prepare(s *stage) {
	s.say("A feature in three tasks, done by agents that forget everything between two sessions.")
	s.act("An empty repository")
	s.git("init", "-q")
	s.write("go.mod", "module relay.example\n\ngo 1.21\n")
	s.commit("Start the project")
	s.show("init")

	s.act("Three tasks that wait for each other")
	s.quiet("task", "new", "Database schema", "--id", "100", "--epic", "User authentication (#10)", "--repo", "backend",
		"--requirements",
		"Create the users table. Sign-in looks a user up by e-mail address, so that has to be unique.",
		"--accept", "users table with id, email and password_hash", "--accept", "email is unique")
	s.quiet(
		"task", "new", "JWT service", "--id", "101", "--epic", "User authentication (#10)", "--repo", "backend",
		"--after", "100", "--requirements",
		"Sign and verify tokens with HMAC-SHA256. A token that was changed or has expired is refused.", "--accept",
		"Sign returns a token", "--accept", "Verify refuses a token that was changed", "--accept",
		"Verify refuses an expired token",
	)
	s.quiet(
		"task", "new", "Auth endpoints", "--id", "102", "--epic", "User authentication (#10)", "--repo", "backend",
		"--after", "100", "--after", "101", "--requirements",
		"Sign users in with their e-mail address and password, and hand them a token.", "--accept",
		"a right password gives a token", "--accept", "a wrong password gives none",
	)
	s.show("task", "graph")
	s.show("task", "ready")
	s.expectReady("100")
}

// schema shows task 100: two sessions, a check that fails first, an output.
func schema(s *stage) {
	s.act("Task 100, first session")
	s.holder = "agent-1"
	s.show("session", "start", "100")
	s.write(
		"db/schema.sql",
		"CREATE TABLE users (\n  id            UUID PRIMARY KEY,\n  email         TEXT NOT NULL,\n"+
			"  password_hash TEXT NOT NULL\n);\n",
	)
	s.commit("Add the users table")
	s.show("task", "check", "100", "1", "--run", "grep -q password_hash db/schema.sql")
	s.say("The second criterion is not met yet, so its command fails and the box stays open:")
	s.refused(10, "task", "check", "100", "2", "--run", "grep -q 'email .*UNIQUE' db/schema.sql")
	s.show(
		"task", "log", "100", "--did", "Created the users table", "--issues", "email is not unique yet", "--next",
		"Make email unique, then write the output",
	)
	s.quiet("session", "end", "100")

	s.act("Task 100, second session: it starts where the first one stopped")
	s.holder = "agent-2"
	s.show("session", "start", "100")
	s.write(
		"db/schema.sql",
		"CREATE TABLE users (\n  id            UUID PRIMARY KEY,\n  email         TEXT NOT NULL UNIQUE,\n"+
			"  password_hash TEXT NOT NULL\n);\n",
	)
	s.commit("Make email unique")
	s.quiet("task", "check", "100", "2", "--run", "grep -q 'email .*UNIQUE' db/schema.sql")
	s.quiet("task", "log", "100", "--did", "Made email unique")
	s.quiet(
		"task", "output", "100", "--summary",
		"Table users: id (UUID), email (unique), password_hash. Passwords are never stored in the clear.", "--set",
		"files=- `db/schema.sql` - the users table",
	)
	s.say("Completing a task hands its output to everything downstream:")
	s.show("task", "complete", "100")
	s.expectReady("101")
	s.expectInput("102", "100")
}

// endpoints shows task 102, which receives two outputs and is refused once.
func endpoints(s *stage) {
	s.act("Task 102 receives what both tasks hand on")
	s.holder = "agent-5"
	s.show("session", "start", "102")
	s.write("auth/auth.go", authCode)
	s.write("auth/auth_test.go", authTest)
	s.commit("Sign users in with their password")
	s.quiet("task", "check", "102", "1", "--run", "go test -run TestRightPassword ./auth")
	s.say("A task with open criteria and no output cannot be completed:")
	s.refused(6, "task", "complete", "102")
	s.quiet("task", "check", "102", "a wrong password gives none", "--run", "go test -run TestWrongPassword ./auth")
	s.quiet("task", "log", "102", "--did", "SignIn with a constant-time comparison, both tests pass")
	s.quiet("session", "end", "102")
	s.act("Task 102, second session")
	s.holder = "agent-6"
	s.quiet("session", "start", "102")
	s.quiet("task", "log", "102", "--did", "Read the code once more and wrote the output")
	s.quiet(
		"task", "output", "102", "--summary",
		"`auth.SignIn(email, password)` gives a token for a right password and an error otherwise.",
	)
	s.show("task", "complete", "102")
}

// curtain shows the final state.
func curtain(s *stage) {
	s.act("How it ended")
	s.show("task", "graph")
	s.show("task", "list")
	s.show("task", "ready")
	s.expectReady("")
	for _, id := range []string{"100", "101", "102"} {
		s.file(id)
	}
	s.tidy()
}

// expectReady compares the ready queue with ids separated by blanks.
func (s *stage) expectReady(want string) {
	var list struct {
		Tasks []struct {
			ID string `json:"id"`
		} `json:"tasks"`
	}
	s.ask(&list, "task", "ready")
	var ids []string
	for _, task := range list.Tasks {
		ids = append(ids, task.ID)
	}
	if got := strings.Join(ids, " "); got != want {
		s.fail("ready is %q, not %q", got, want)
	}
}
