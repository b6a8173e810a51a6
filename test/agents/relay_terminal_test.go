//go:build agents && linux

package agents

import (
	"strings"
	"testing"
)

// A person at Claude Code, in the mode that asks before each change. The person allows the edits and refuses a
// command, of which no hook hears. The second prompt is for a sub-agent, which edits a file. All of it is one entry, although
// nobody logged anything, and the next session knows it.
func TestClaudeAsksAPerson(t *testing.T) {
	t.Parallel()
	h := dailyClaude()
	r := newRelay(t, h)
	s := r.leg("1 at a terminal", h)
	const tokens = "Add more tokens."
	m := s.play(flat(
		s.edit("parser.go", "var depth = 3\n", "var depth = 3\nvar unrolled = true\n"),
		[]turn{{calls: []call{s.client.shell(checkCommand)}}},
		[]turn{{calls: []call{{name: "Agent", input: map[string]any{
			"description": "More tokens", "prompt": tokens, "subagent_type": "general-purpose",
		}}}}},
		[]turn{{text: "I wait for the tokens."}, {text: "Everything is in place."}},
	)...)
	m.sub, m.subs = tokens, append(s.edit("tokens.go", "var kinds = 7\n", "var kinds = 7\nvar names = 8\n"), turn{text: "Added."})
	s.t.Cleanup(s.keep)
	s.knowsClaude()
	// Without this, a terminal begins in auto mode, in which a model decides instead of the person.
	term := s.open(s.argv[0], "--permission-mode", "default")
	shows := func(text string) func(string) bool {
		return func(screen string) bool { return strings.Contains(screen, text) }
	}
	term.await("the prompt", shows("? for shortcuts"))
	term.enter("do #1 now")
	term.allows("make this edit to parser.go")
	term.await("the question about the command", shows("Do you want to proceed"))
	term.tmux("send-keys", "Escape")
	term.await("the refusal", shows("Interrupted"))
	term.enter("let somebody else do the tokens")
	term.allows("make this edit to tokens.go")
	term.await("the last message", shows("Everything is in place."))
	term.enter("/exit")
	term.await("the end", func(string) bool { return len(s.hooks("SessionEnd")) == 1 })
	r.look()
	s.wrote, s.bound, s.last = []string{"parser.go", "tokens.go"}, "the prompt", "Everything is in place."
	s.startsWith(title, criterion, second)
	r.isRefused(r.leg("2 is refused", h), "parser.go, tokens.go", s.last)
	r.finish()
	r.check()
}

// allows answers a question with its first choice, Yes. A key that comes while the screen changes is lost, so the key is
// sent until the question is gone.
func (term *terminal) allows(question string) {
	term.w.t.Helper()
	term.await(question, func(screen string) bool { return strings.Contains(screen, question) })
	polls := 0
	term.await("the end of the question: "+question, func(screen string) bool {
		if polls++; polls%20 == 1 {
			term.tmux("send-keys", "Enter")
		}
		return !strings.Contains(screen, question)
	})
}
