package docs

import (
	"path/filepath"
	"strings"
	"testing"
)

// claim is a sentence of the documentation, with commands that show that it is true.
type claim struct {
	page, says string
	commands   []string
}

// claims are sentences that once promised more than baton does. If baton learns to do more, the commands fail, and the
// sentence must be changed.
func claims() []claim {
	return []claim{
		{
			"README.md", "baton does not run the command again when the code changes",
			[]string{
				"baton init", "baton task new A --accept works", "echo ok > f && git add -A && git commit -qm ok",
				"baton session start 1",
				"baton task check 1 1 --run 'grep -q ok f'", "echo broken > f && git commit -qam broken",
				"baton task show 1 | grep -q 'verified: grep'", "baton task output 1 --summary done", "baton task complete 1",
			},
		},
		{
			"README.md", "it does not judge whether the command fits the criterion",
			[]string{
				"baton init", "baton task new A --accept works", "baton session start 1",
				"baton task check 1 1 --run true", "baton task show 1 | grep -q 'verified: true'",
			},
		},
		{
			"docs/several-agents.md", "A task that is complete on one branch is not offered in the other worktrees",
			[]string{
				"baton init", "baton task new A --accept works",
				"git add -A && git commit -qm base && git worktree add -q ../other -b other",
				"cd ../other && BATON_AS=a baton task claim --next && BATON_AS=a baton task check 1 1 --evidence ok",
				"cd ../other && BATON_AS=a baton task output 1 --summary done && BATON_AS=a baton task complete 1",
				"BATON_AS=b baton task claim --next # exit 3", "git worktree remove --force ../other",
			},
		},
		{
			"docs/several-agents.md", "If a holder is gone, take its task over",
			[]string{
				"baton init", "baton task new A --accept works", "BATON_AS=a baton session start 1",
				"BATON_AS=b baton task claim 1 --steal --reason crashed", "BATON_AS=a baton task check 1 1 --evidence ok # exit 4",
				"BATON_AS=a baton task check 1 1 2>&1 | grep -q 'from you: crashed'",
				"BATON_AS=a baton task log 1 --did work", "grep -q 'Written by a while b held the task' .baton/tasks/task-1-state.md",
			},
		},
		{
			"docs/agents.md",
			"If a session has no task, or had completed it, the session leaves an entry that belongs to no task",
			[]string{
				"baton init --agent claude", "baton task new A --accept works", "git add -A && git commit -qm base",
				hook("s1", "SessionStart", `"source":"startup"`) + " | grep -q A",
				"echo 'package p' > p.go && git add -A && git commit -qm p",
				hook("s1", "Stop", `"stop_hook_active":false`) + " | grep -q 'no task has on record'",
				hook("s1", "SessionEnd", `"reason":"other"`),
				"grep -q '(No sessions yet)' .baton/tasks/task-1-state.md",
				hook("s2", "SessionStart", `"source":"startup"`) + " | grep -q 'baton session adopt'",
				"baton session adopt $(baton session adopt --json | sed -n 's/.*\"id\": \"\\(.*\\)\".*/\\1/p') 1",
				"grep -q 'Drafted by baton' .baton/tasks/task-1-state.md",
			},
		},
		{
			"README.md", "Your settings are kept, `baton init --agent claude --remove` restores them exactly",
			[]string{
				`mkdir .claude && printf '{ "model":"opus",\n\t"hooks": {}\n}\n' > .claude/settings.json`,
				"cp .claude/settings.json before",
				"baton init --agent claude", "! cmp -s before .claude/settings.json", "baton init --agent claude --remove",
				"cmp before .claude/settings.json",
			},
		},
		{
			"README.md", "a claim expires 30 minutes after its holder last changed anything",
			[]string{"baton init", "baton config list | grep -q '^tasks.lease  *30m  *30m'"},
		},
		{
			"docs/gsd.md", "The others only read",
			[]string{
				"mkdir .planning && printf -- '---\nstatus: executing\n---\n\n# Project State\n' > .planning/STATE.md",
				"cp .planning/STATE.md before", "baton status", "baton state validate", "baton doctor", "baton state sync --check",
				"test ! -e .baton", "cmp before .planning/STATE.md",
			},
		},
		{
			"docs/devt.md", "**Nothing is converted.**",
			[]string{
				"mkdir -p .devt/state && printf 'active: true # mine\\nphase: plan\\n' > .devt/state/workflow.yaml",
				"echo p > .devt/state/plan.md",
				"cp -r .devt before", "baton dir audit", "baton dir read", "baton dir cleanup", "baton doctor || true",
				"diff -r .devt before", "test ! -e .baton", "baton dir update iteration=2 && test -e .baton/local",
				"grep -q 'active: true # mine' .devt/state/workflow.yaml", "test -z \"$(git status --short .baton)\"",
			},
		},
		{
			"docs/devt.md", "The newest five snapshots stay",
			[]string{
				"mkdir -p .devt/state", "baton dir begin dev x",
				"for i in 1 2 3 4 5 6 7; do echo $i > .devt/state/junk.bin && baton dir cleanup --apply || exit 1; done",
				"test $(ls -d .devt/state/.archive/20*/ | wc -l) = 5",
			},
		},
		{
			"docs/specflux.md", "**A file without a metadata section can be completed, blocked and reopened.**",
			[]string{
				"mkdir -p .specflux/task-states",
				`printf '# Task #1: A\n\n## 1. Context\n\nA\n\n## 3. Progress Log\n\n## 4. Chain Output\n\nDone\n' > task-1-state.md`,
				"mv task-1-state.md .specflux/task-states",
				"baton task block 1 --reason x", "baton task show 1 | grep -q blocked",
				"! grep -q blocked .specflux/task-states/task-1-state.md",
				"baton task reopen 1",
			},
		},
		{
			"docs/safety.md", "Entries that moved or were archived are not lost",
			[]string{
				"baton init", "for i in 1 2 3 4 5 6 7 8 9; do baton decision add \"Decision number $i\" || exit 1; done",
				"baton decision rotate --keep 5",
				"baton lost | grep -q 'Nothing is lost'",
			},
		},
	}
}

// The messages that the troubleshooting page explains are those that baton prints.
func TestTroubleshootingQuotesWhatBatonPrints(t *testing.T) {
	t.Parallel()
	bin := build(t)
	page := readText(t, filepath.Join(root, "docs", "troubleshooting.md"))
	task := []string{"baton init", "baton task new A --accept works", "BATON_AS=a baton session start 1"}
	for says, commands := range map[string][]string{
		"is claimed by":     append(task, "baton session start 1 # exit 4"),
		"is not complete: ": append(task, "BATON_AS=a baton task complete 1 # exit 6"),
		"begins a merge conflict": {
			"mkdir .planning && printf '# S\\n<<<<<<< a\\n=======\\n>>>>>>> b\\n' > .planning/STATE.md", "baton decision add x # exit 7",
		},
		"has a digest in": {
			"mkdir .planning .specflow && echo '# S' | tee .planning/STATE.md > .specflow/STATE.md", "baton decision add x # exit 2",
		},
		"baton writes nothing until that is fixed": {
			"baton init && printf 'tasks:\\n  lease: soon\\n' > .baton/config.yaml", "baton task new A # exit 7",
		},
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			quoted := false
			for line := range strings.Lines(page) {
				quoted = quoted || strings.HasPrefix(line, `**"`) && strings.Contains(line, says)
			}
			if !quoted {
				t.Error("the page does not quote it")
			}
			answers := play(t, bin, commands)
			if last := answers[len(answers)-1]; !strings.Contains(last, says) {
				t.Errorf("baton prints:\n%s", last)
			}
		})
	}
}

// hook returns the command with which Claude Code reports an event of a session.
func hook(session, event, fields string) string {
	return `printf '{"session_id":"` + session + `","cwd":"%s","hook_event_name":"` + event + `",` + fields + `}' "$PWD"` +
		` | baton hook --agent claude`
}

// Each sentence is on its page, and its commands show that it is true.
func TestF92_ClaimsAreTrue(t *testing.T) {
	t.Parallel()
	bin := build(t)
	for _, c := range claims() {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			if page := strings.Join(strings.Fields(readText(t, filepath.Join(root, c.page))), " "); !strings.Contains(page, c.says) {
				t.Errorf("%s does not say so", c.page)
			}
			play(t, bin, c.commands)
		})
	}
}

// Sentences that were false are gone, and repetitions were removed.
func TestF92_OldClaimsAreGone(t *testing.T) {
	t.Parallel()
	for page, sentences := range map[string][]string{
		"docs/dev/architecture.md": {"neither a network stack"},
		"SECURITY.md":              {"listens nowhere"},
		"README.md":                {"keeps them true by asking", "names the places for zsh", "no task goes to two of them"},
		"docs/agents.md":           {"a session that ends without one leaves an entry"},
	} {
		text := strings.Join(strings.Fields(readText(t, filepath.Join(root, page))), " ")
		for _, sentence := range sentences {
			if strings.Contains(text, sentence) {
				t.Errorf("%s still says %q", page, sentence)
			}
		}
	}
	page := readText(t, filepath.Join(root, "docs", "agents.md"))
	for _, setting := range []string{
		"hooks.guard:", "hooks.hold:", "hooks.hold_after:", "hooks.take:", "hooks.draft:", "hooks.context_notes:",
	} {
		if n := strings.Count(page, "`"+setting); n != 1 {
			t.Errorf("docs/agents.md lists %s %d times", setting, n)
		}
	}
}
