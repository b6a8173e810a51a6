package main

import (
	"os"
	"path/filepath"
	"slices"
)

// shortColumns is the width of the short demo.
const shortColumns = 80

// runShort shows eight scenes in one small project. The most useful one comes first.
func runShort(s *stage) error {
	s.columns = shortColumns
	s.home = filepath.Join(s.dir, "home")
	s.dir = filepath.Join(s.dir, "shop")
	for _, dir := range []string{s.home, s.dir} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	defer s.leave()
	for _, scene := range []func(*stage){
		oriented, proven, handedOver, continued, restored, neighbours, merged, yourTurn,
	} {
		scene(s)
	}
	return s.err
}

// oriented shows the first session, which knows its task from the start.
func oriented(s *stage) {
	s.say("baton in eight scenes. Every line that begins with $ is a real command.")
	s.act("1. A session starts and already knows what it needs")
	s.holder = "you"
	s.git("init", "-q")
	s.write("limits.conf", "limit: 10\n")
	s.write("test.sh", "grep -qx 'limit: 100' limits.conf\n")
	s.say("You set up a project and write down a task and a few decisions:")
	s.quiet("init", "--agent", "claude")
	s.quiet("task", "new", "Rate limit", "--accept", "100 requests a minute", "--accept", "429 above that")
	s.quiet("decision", "add", "Limits live in limits.conf")
	for _, text := range []string{"Count per client, not per address", "A minute is a sliding window"} {
		s.ask(&object{}, "decision", "add", text)
	}
	s.commit("Plan the rate limit")
	s.say("On Monday you start your agent. Before its first word, baton's hook tells it:")
	context := s.open("monday")
	s.excerpt(context, "Task #1", "Open criteria", "- 1.", "- 2.", "Git:", "Decided", "- ", "- ", "- ")
	s.expectText(context, "`task_claim` (id: 1)")
}

// proven shows a criterion that counts only once its command succeeds.
func proven(s *stage) {
	s.act("2. A check fails, then passes with evidence")
	s.say("The agent starts on the task and says that criterion 1 is met. It is not:")
	s.quiet("session", "start", "1")
	s.refused(10, "task", "check", "1", "1", "--run", "sh test.sh")
	s.say("It corrects the limit and commits. Now the check passes, with evidence:")
	s.write("limits.conf", "limit: 100\n")
	s.commit("Allow 100 requests a minute")
	s.show("task", "check", "1", "1", "--run", "sh test.sh")
}

// handedOver shows an agent that is asked for a hand-off, and one that is killed before it writes
// one.
func handedOver(s *stage) {
	s.act("3. No session ends without a hand-off")
	s.say("The agent wants to stop, but has not written down what it did. baton asks, once:")
	held := s.send("monday", "Stop", object{
		"stop_hook_active": false, "prompt_id": "p1", "background_tasks": []string{},
	})
	s.expectText(held.Decision, "block")
	s.indent(held.Reason)
	s.quiet("task", "log", "1", "--did", "Set the limit", "--next", "Answer 429 in handler.sh")
	s.send("monday", "SessionEnd", object{"reason": "other"})
	s.leave()
	s.say("On Tuesday another agent commits handler.sh, edits retry.sh, and is killed.")
	s.say("It left no hand-off, so baton drafts one from its commits and edits.")
	s.open("tuesday")
	s.write("handler.sh", "echo 429\n")
	s.commit("Answer 429")
	const retry = "echo 'Retry-After: 60'\n"
	s.write("retry.sh", retry)
	s.send("tuesday", "PostToolBatch", object{"tool_calls": []object{{
		"tool_name": "Write", "tool_use_id": "t1", "tool_response": "ok",
		"tool_input": object{"file_path": filepath.Join(s.dir, "retry.sh"), "content": retry},
	}}})
	if !seesProcesses { // otherwise the agent has to say that it ends
		s.send("tuesday", "SessionEnd", object{"reason": "other"})
	}
	s.leave()
}

// continued shows the session after the killed one.
func continued(s *stage) {
	s.act("4. The next session knows what happened")
	s.say("On Wednesday a new agent starts, and the hook tells it:")
	context := s.open("wednesday")
	s.excerpt(context, "This session holds it", "Next,", "- ", "- ", "Git:", "The last session did", "- ", "- ")
	s.expectText(context, "Files edited: retry.sh", "Answer 429 in handler.sh", " Answer 429”")
}

// restored shows an agent that deletes decisions, and how they come back.
func restored(s *stage) {
	s.act("5. An agent wipes decisions, and they come back")
	before := s.decided()
	wiped := s.wipe(".baton/STATE.md")
	s.say("The agent tidies STATE.md in its editor. %d decisions are gone, without an error:", wiped)
	s.excerpt(s.text("lost"), ".baton/STATE.md", "ID", "", "", "")
	s.excerpt(s.text("lost", "--restore"), "Restored")
	if after := s.decided(); s.err == nil && (wiped < 3 || !slices.Equal(before, after)) {
		s.fail("the decisions are %q, and were %q", after, before)
	}
	s.send("wednesday", "SessionEnd", object{"reason": "other"})
	s.leave()
}

// neighbours shows two agents in two worktrees, of which the second learns what the first does.
func neighbours(s *stage) {
	s.act("6. Two worktrees, and who is where")
	s.holder = "you"
	s.quiet("merge", "install")
	s.commit("Let git merge by meaning")
	shop := s.dir
	for _, branch := range []string{"api", "docs"} {
		s.git("worktree", "add", "-q", "-b", branch, s.worktree(branch))
	}
	s.say("An agent works on #1 in the worktree api. You start another one in docs:")
	s.dir = s.worktree("api")
	s.open("thursday")
	first := s.client
	defer func() {
		s.leave()
		s.client = first
		s.leave()
		s.dir, s.holder = shop, "you"
	}()
	const retry = "echo 'Retry-After: 30'\n"
	s.write("retry.sh", retry)
	write := object{
		"tool_name": "Write", "tool_use_id": "t1", "tool_response": "ok",
		"tool_input": object{"file_path": "retry.sh", "content": retry},
	}
	s.send("thursday", "PostToolBatch", object{"tool_calls": []object{write}})
	s.dir = s.worktree("docs")
	s.excerpt(s.open("friday"), "Also at work", "- ")
	s.say("Before it edits the same file, it hears that again:")
	before := s.send("friday", "PreToolUse", write).Specific.Context
	s.indent(before)
	s.expectText(before, "retry.sh", "../api")
	s.send("friday", "SessionEnd", object{"reason": "other"})
	s.leave()
	s.say("You can ask, too, in any worktree:")
	s.dir, s.holder = shop, "you"
	s.excerpt(s.text("status"), "  #1", "Also at work", "  →")
}

// worktree returns the folder of a branch's worktree.
func (s *stage) worktree(branch string) string { return filepath.Join(filepath.Dir(s.dir), branch) }

// merged shows two agents in two worktrees, whose branches merge without a conflict.
func merged(s *stage) {
	s.act("7. The two worktrees merge")
	s.say("Both agents record a decision, in the same table:")
	shop := s.dir
	decisions := []string{"Send Retry-After with every 429", "Document each limit in one place"}
	for i, branch := range []string{"api", "docs"} {
		s.dir, s.holder = s.worktree(branch), branch
		s.ask(&object{}, "decision", "add", decisions[i])
		s.say("%s", s.bold("["+branch+"] $ baton decision add '"+decisions[i]+"'"))
		s.commit("Decide")
	}
	s.dir, s.holder = shop, "you"
	s.say("Git alone would stop at a conflict. With baton both decisions are there:")
	for _, branch := range []string{"api", "docs"} {
		s.say("%s", s.bold("$ git merge "+branch))
		s.git("merge", "-q", branch)
	}
	s.show("decision", "list")
	s.ask(&object{}, "merge", "check")
	if all := s.decided(); s.err == nil && (len(all) != 5 || !slices.Contains(all, decisions[1])) {
		s.fail("the decisions are %q", all)
	}
}

// yourTurn ends the demo with what to type next.
func yourTurn(s *stage) {
	s.act("8. Your turn: three commands")
	for _, line := range []string{
		`make install PREFIX="$HOME/.local"     # here; ~/.local/bin has to be on PATH`,
		`baton init --agent claude              # in a repository of yours`,
		`baton task new "TITLE" --accept "what is true at the end"`,
	} {
		s.say("%s", s.bold("  "+line))
	}
	s.say("Then start your agent. To see the rest of baton: make demo-all")
}
