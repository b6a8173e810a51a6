package main

import (
	"encoding/json"
	"strings"
	"time"
)

// agent sends to baton's hooks what a coding agent sends in a session, and shows the answers.
func agent(s *stage) {
	s.act("A coding agent: every session starts oriented and ends handed off")
	s.holder = "" // an agent is identified by its session
	var made struct {
		Created []struct {
			ID json.Number `json:"id"`
		} `json:"tasks"`
	}
	s.ask(
		&made, "task", "new", "Rate limits", "--accept", "429 after 100 requests a minute", "--accept",
		"the limit is in the configuration",
	)
	if s.err == nil && len(made.Created) != 1 {
		s.fail("the task was not created")
	}
	if s.err != nil {
		return
	}
	id := made.Created[0].ID.String()
	s.show("init", "--agent", "claude")
	s.say("From now on the agent starts this at every session; the first request of the model has it:")
	reported := s.event("demo-1", "SessionStart", object{"source": "startup"})
	s.indent(reported.Specific.Context)
	s.expectText(reported.Specific.Context, "Rate limits", "429 after 100 requests a minute",
		"`task_claim` (id: "+id+")")

	s.say("It takes the task and works. A direct write to what only baton may change is refused:")
	s.holder = "demo-1"
	s.show("session", "start", id)
	s.holder = ""
	denied := s.event("demo-1", "PreToolUse", object{
		"tool_name": "Write", "tool_use_id": "t1", "tool_input": object{"file_path": s.dir +
			"/.baton/archive/task-101-archive.md", "content": "tidied up"},
	})
	s.indent(denied.Specific.Decision + ": " + denied.Specific.Reason)
	s.expectText(denied.Specific.Decision, "deny")

	s.write("limits.go", "package limits\n")
	s.event("demo-1", "PostToolBatch", object{"tool_calls": []object{{
		"tool_name": "Write", "tool_use_id": "t2", "tool_input": object{"file_path": s.dir +
			"/limits.go", "content": "package limits\n"}, "tool_response": "ok",
	}}})
	s.say("It wants to stop without a word. Nobody answers it, so it is asked now:")
	held := s.event(
		"demo-1", "Stop", object{"stop_hook_active": false, "prompt_id": "p1", "background_tasks": []string{}},
	)
	s.indent(held.Decision + ": " + held.Reason)
	s.expectText(held.Decision+held.Reason, "block", "baton task log "+id)
	if again := s.event(
		"demo-1", "Stop", object{"stop_hook_active": true, "prompt_id": "p1", "background_tasks": []string{}},
	); again.Decision != "" {
		s.fail("a stop was held twice")
	}
	s.say("It goes without one, so facts have to do. The next session is told what is known:")
	s.event("demo-1", "SessionEnd", object{"reason": "other"})
	reported = s.event("demo-2", "SessionStart", object{"source": "startup"})
	s.indent(reported.Specific.Context)
	s.expectText(reported.Specific.Context, "limits.go")
	s.event("demo-2", "SessionEnd", object{"reason": "other"})
	s.show("init", "--agent", "claude", "--remove")
}

type object = map[string]any

// heard is the answer of a hook, in Claude Code's form.
type heard struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Specific struct {
		Context  string `json:"additionalContext"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

// event prints that an agent calls the hook, and returns the hook's answer.
func (s *stage) event(session, name string, more object) heard {
	s.say("%s", s.bold("$ baton hook --agent claude     # "+name))
	answer := s.send(session, name, more)
	if s.live && s.err == nil {
		time.Sleep(pause)
	}
	return answer
}

// send sends one event to the hook and returns the answer.
func (s *stage) send(session, name string, more object) (answer heard) {
	payload := object{"session_id": session, "transcript_path": "/nowhere", "cwd": s.dir, "hook_event_name": name}
	for key, value := range more {
		payload[key] = value
	}
	data, err := json.Marshal(payload)
	if err != nil {
		s.fail("%w", err)
		return answer
	}
	out, code, complaint := s.run([]string{"hook", "--agent", "claude"}, string(data))
	if s.err == nil && (code != 0 || complaint != "") {
		s.fail("the hook ended with %d: %s", code, complaint)
	}
	if s.err == nil && strings.TrimSpace(out) != "" {
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			s.fail("the hook answered %q: %w", out, err)
		}
	}
	return answer
}

// expectText checks what a text contains.
func (s *stage) expectText(text string, parts ...string) {
	for _, part := range parts {
		if s.err == nil && !strings.Contains(text, part) {
			s.fail("%q is not in:\n%s", part, text)
		}
	}
}
