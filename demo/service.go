package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// detail is the part of the answer of "task show" that the demo checks.
type detail struct {
	Status   string `json:"status"`
	Path     string `json:"path"`
	Size     int    `json:"size_bytes"`
	Total    int    `json:"total_sessions"`
	Archived int    `json:"archived_sessions"`
	Criteria []struct {
		Text     string `json:"text"`
		Checked  bool   `json:"checked"`
		Verified bool   `json:"verified"`
	} `json:"criteria"`
	Inputs []struct {
		Task string `json:"task"`
		Text string `json:"text"`
	} `json:"chain_inputs"`
	Sessions []struct {
		Number int      `json:"number"`
		Did    []string `json:"did"`
	} `json:"sessions"`
}

// sessions is the number of sessions of the long task; each writes about 7 KB of notes.
const sessions = 14

// service shows task 101, which takes so long that its context fills up and is archived.
func service(s *stage) {
	s.act("Task 101 goes on for " + strconv.Itoa(sessions) + " sessions and fills its file")
	s.holder = "agent-3"
	s.show("session", "start", "101")
	s.write("jwt/jwt.go", jwtCode)
	s.write("jwt/jwt_test.go", jwtTest)
	s.commit("Sign and verify tokens")
	archived := 0
	for n := 1; n <= sessions; n++ {
		if n > 1 {
			s.holder = "agent-" + strconv.Itoa(n+10)
			if _, code, complaint := s.run([]string{"session", "start", "101"}, ""); code != 0 {
				s.fail("session start: %s", complaint)
			}
		}
		var answer struct {
			Session  int   `json:"session"`
			Size     int   `json:"size_bytes"`
			Archived []int `json:"archived_sessions"`
		}
		s.askWith(notes(n), &answer, "task", "log", "101", "--file", "-")
		if answer.Session != n {
			s.fail("session %d was logged as %d", n, answer.Session)
		}
		line := fmt.Sprintf("session %2d logged, file %5.1f KB", n, kb(answer.Size))
		if len(answer.Archived) > 0 {
			line += fmt.Sprintf(
				"   <- over 75 KB: sessions %d-%d moved to the archive", answer.Archived[0],
				answer.Archived[len(answer.Archived)-1],
			)
		}
		s.say("  %s", line)
		archived += len(answer.Archived)
		if kb(answer.Size) > 75 {
			s.fail("the file is over 75 KB")
		}
		if n < sessions {
			s.ask(&struct{}{}, "session", "end", "101")
		}
	}
	if archived == 0 {
		s.fail("nothing was archived")
	}
	s.say("Nothing is gone. The first session is in the archive, to the byte:")
	s.firstLines(s.text("task", "archive", "101", "--show", "1"), 6)
	s.finishService()
}

func (s *stage) finishService() {
	s.say("Its criteria are checked by running its tests:")
	for i, test := range []string{"TestSign", "TestChanged", "TestExpired"} {
		s.quiet("task", "check", "101", strconv.Itoa(i+1), "--run", "go test -run "+test+" ./jwt")
	}
	var d detail
	s.ask(&d, "task", "show", "101")
	for _, c := range d.Criteria {
		if !c.Verified {
			s.fail("criterion %q is not verified", c.Text)
		}
	}
	if d.Total != sessions {
		s.fail("task 101 has %d sessions, not %d", d.Total, sessions)
	}
	s.say("The output is written as Markdown and handed over on standard input:")
	s.command([]string{"task", "output", "101", "--file", "-"})
	out, code, complaint := s.run([]string{"task", "output", "101", "--file", "-"}, serviceOutput)
	if code != 0 {
		s.fail("task output: %s", complaint)
	}
	s.indent(out)
	s.show("task", "complete", "101")
	s.expectReady("102")
	s.expectInput("102", "101")
}

// steps has the work of the long task's sessions in a few words; notes adds the details.
var steps = [sessions]string{
	"Wrote the header and its encoding", "Signed the body with HMAC-SHA256", "Put the expiry into the body",
	"Verified the signature in constant time", "Refused bodies with a wrong number of parts", "Refused expired tokens",
	"Gave all refusals one error", "Read the subject back", "Tested a token that was changed",
	"Tested an expired token",
	"Tried keys of every length", "Measured: a token takes two " +
		"microseconds", "Documented both functions", "Read everything once more",
}

// notes returns a long session entry as JSON, as a thorough agent writes it.
func notes(n int) string {
	parts := [...]string{
		"the header", "the body", "the signature", "the clock", "the key", "the encoding", "the errors",
	}
	var detail strings.Builder
	detail.WriteString("Went through jwt/jwt.go line by line, what a caller has to know:")
	for i := range 52 {
		fmt.Fprintf(
			&detail,
			"\n%d.%d %s: compared with its test, tried the limits, noted the length and what happens with an "+
				"empty value",
			n, i+1, parts[(n+i)%len(parts)],
		)
	}
	entry := map[string]any{"did": []string{steps[n-
		1], detail.String()}, "next": "Continue with " + parts[n%len(parts)], "state": "Builds, tests pass"}
	if n%4 == 0 {
		entry["issues"] = "Two machines may disagree on the time by a second (seen in session " + strconv.Itoa(n) + ")"
	}
	data, err := json.Marshal(entry)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// expectInput checks that a task has the input of another one.
func (s *stage) expectInput(task, upstream string) {
	var d detail
	s.ask(&d, "task", "show", task)
	for _, in := range d.Inputs {
		if in.Task == upstream && strings.TrimSpace(in.Text) != "" {
			return
		}
	}
	s.fail("task %s has no input from task %s", task, upstream)
}

// text runs a command for its output.
func (s *stage) text(args ...string) string {
	s.command(args)
	out, code, complaint := s.run(args, "")
	if code != 0 {
		s.fail("baton %s: %s", quoted(args), complaint)
	}
	return out
}

func kb(size int) float64 { return float64(size) / 1024 }

func itoa(n int) string { return strconv.Itoa(n) }
