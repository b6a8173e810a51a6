package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/agentconfig"
)

// harmful are command lines that would run a command of the caller's choice, widen trust, override a rule, or leave
// the project (D56).
var harmful = []string{
	"baton task prove 1 1 -- rm -rf /",
	"baton task check 1 1 --run 'rm -rf /'",
	"baton task check 1 1 --run='rm -rf /'",
	"baton task check --run true 1 1",
	"baton init",
	"baton init --agent claude --allow",
	"baton trust",
	"baton trust --yes",
	"baton undo",
	"baton plugin build --out /tmp/x",
	"baton mcp",
	"baton selftest",
	"baton merge install",
	"baton task delete 1",
	"baton task import /etc/passwd --apply",
	"baton lost restore 1",
	"baton lost --accept",
	"baton doctor --fix",
	"baton snapshot restore 1",
	"baton -C /etc task log 1 --did x",
	"baton task log 1 --did x -C /etc",
	"baton task log 1 --did x -C/etc",
	"baton task show 1 --dir=/etc",
	"baton task list --tasks-dir /etc",
	"baton --tasks-dir /etc task list",
	"baton task log 1 --did x --yes",
	"baton task claim 1 --force",
	"baton task claim 1 --steal --reason mine",
	"baton task complete 1 --force --reason tired",
	"baton session start 1 --force",
	"baton state set status done --force",
	"baton task log 1 --did x; rm -rf /",
	"baton task log 1 --did x && rm -rf /",
	"baton task log 1 --did x || rm -rf /",
	"baton task log 1 --did x | sh",
	"baton task log 1 --did x & rm -rf /",
	"baton task log 1 --did x\nrm -rf /",
	"baton task log 1 --did $(rm -rf /)",
	"baton task log 1 --did \"$(rm -rf /)\"",
	"baton task log 1 --did `rm -rf /`",
	"baton task log 1 --did \"`rm -rf /`\"",
	"baton task log 1 --file <(rm -rf /)",
	"baton task show 1 > /etc/passwd",
	"baton task show 1 >> ~/.bashrc",
	"BATON_ALLOWED= baton task claim 1 --force",
	"BATON_ALLOWED=0 baton task claim 1 --force",
	"LANG=C BATON_ALLOWED=0 baton task claim 1 --force",
	"env -u BATON_ALLOWED baton task claim 1 --force",
	"unset BATON_ALLOWED; baton task claim 1 --force",
	"export BATON_ALLOWED=0 && baton task claim 1 --force",
	"BATON_ALLOWED=0; baton task claim 1 --force",
	"PATH=/tmp/evil baton task log 1 --did x",
	"/tmp/evil/baton task log 1 --did x",
	"./baton task log 1 --did x",
	"../baton task log 1 --did x",
	"batond http",
	"baton-evil task log 1",
	"baton task logs; sh",
	"sh -c 'baton task log 1 --did x; rm -rf /'",
	"baton task --force claim 1",
	"timeout 5 baton task claim 1 --force",
	"nohup baton task claim 1 --steal --reason mine",
}

// harmless are command lines of a session that a client must not ask about, and that baton does not refuse.
var harmless = []string{
	"baton task log 1 --did x --next y", "baton task show 1", "baton context", "baton status --json", "baton task ready",
	"baton task check 1 1 --evidence 'go test: ok'", "baton task new Parser --accept 'it is fast'",
	"baton decision add 'We use TOML'", "baton session start 1",
}

// matcher reports whether a client would run a command line without a question.
type matcher func(rules []string, line string) bool

// claudeMatches follows Claude Code 2.1.328, as its program and code.claude.com/docs/en/permissions say. A line is
// divided at ; && || | & and line ends; what is in a substitution counts as a command, too. Every part has to match a
// rule. A rule with a blank and a star at its end matches the words before it, alone or followed by others. Before the
// comparison, assignments to some variables such as LANG are left out, and so are timeout, nohup, nice, time, command
// and builtin. A redirection is a question of its own.
func claudeMatches(rules []string, line string) bool {
	parts := shellParts(line)
	for _, part := range parts {
		words := strings.Fields(part)
		for len(words) > 0 {
			name, _, assigned := strings.Cut(words[0], "=")
			switch {
			case assigned && slices.Contains([]string{"LANG", "LC_ALL", "TERM", "NO_COLOR", "CI", "TZ"}, name):
				words = words[1:]
				continue
			case words[0] == "nohup" || words[0] == "command" || words[0] == "builtin" || words[0] == "time":
				words = words[1:]
				continue
			case words[0] == "timeout" && len(words) > 2:
				words = words[2:]
				continue
			}
			break
		}
		part = strings.Join(words, " ")
		if strings.Contains(part, ">") || !slices.ContainsFunc(rules, func(rule string) bool {
			pattern, ok := strings.CutPrefix(rule, "Bash(")
			pattern = strings.TrimSuffix(pattern, ")")
			begin, star := strings.CutSuffix(pattern, " *")
			return ok && (part == begin || star && strings.HasPrefix(part, begin+" "))
		}) {
			return false
		}
	}
	return len(parts) > 0
}

// shellParts divides a line at operators outside of quotes, and adds what is in substitutions.
func shellParts(line string) []string {
	var parts []string
	quote, part := byte(0), strings.Builder{}
	end := func() {
		if text := strings.TrimSpace(part.String()); text != "" {
			parts = append(parts, text)
		}
		part.Reset()
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '$' && c != '`':
			part.WriteByte(c)
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
			part.WriteByte(c)
		case quote == c:
			quote = 0
			part.WriteByte(c)
		case c == '`' || c == '$' && strings.HasPrefix(line[i:], "$(") || c == '<' && strings.HasPrefix(line[i:], "<("):
			inner, _, _ := strings.Cut(strings.TrimLeft(line[i:], "$<(`"), ")")
			parts = append(parts, strings.TrimRight(inner, "`\""))
			part.WriteByte(c)
		case strings.IndexByte(";&|\n", c) >= 0:
			end()
		default:
			part.WriteByte(c)
		}
	}
	end()
	return parts
}

// toolsOnly is the matcher of the clients whose rules name tools: none of these rules is for a command.
//
//   - Qwen Code 0.24.4 (its function matchesRule): a rule is for the tool that it names; only those for
//     run_shell_command, or Bash and Shell, are compared with a command. That comparison leaves out every assignment
//     before the command, also BATON_ALLOWED=0, so baton writes no such rule.
//   - Gemini CLI 0.61.0 (packages/core/src/policy/config.ts, mapToolsToRules): a name is a tool, and NAME(…) with
//     run_shell_command or ShellTool is the beginning of a command; a first one of these denies all other commands.
//   - OpenCode 1.18 (opencode.ai/docs/permissions): a member of permission is a tool; commands are below bash.
//   - Cursor (cursor.com/docs/cli/reference/permissions): Shell(…) is for commands, Mcp(server:tool) for tools.
//   - Codex 0.169.0 (config.toml, mcp_servers.NAME.tools.TOOL.approval_mode): commands are in files of rules only,
//     which baton does not write.
func toolsOnly(rules []string, line string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool {
		for _, shell := range []string{"Bash", "Shell", "run_shell_command", "bash", "prefix_rule", "*"} {
			if strings.Contains(rule, shell) {
				return true
			}
		}
		return false
	})
}

// rulesOf returns what is allowed in a project's settings of a client.
func rulesOf(t *testing.T, dir, name string, path ...string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".toml") {
		return strings.Split(string(data), "\n")
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	for _, member := range path {
		v = v.(map[string]any)[member]
	}
	var rules []string
	switch v := v.(type) {
	case []any:
		for _, rule := range v {
			rules = append(rules, rule.(string))
		}
	case map[string]any:
		for name := range v {
			rules = append(rules, name)
		}
	}
	return rules
}

// Whatever a client runs without a question, baton refuses it if it is harmful (D56).
func TestNothingHarmfulIsAllowed(t *testing.T) {
	t.Parallel()
	if len(harmful) < 40 {
		t.Fatal("too few command lines")
	}
	clients := []struct {
		name, file string
		path       []string
		matches    matcher
	}{
		{"claude", ".claude/settings.json", []string{"permissions", "allow"}, claudeMatches},
		{"qwen", ".qwen/settings.json", []string{"permissions", "allow"}, toolsOnly},
		{"gemini", ".gemini/settings.json", []string{"tools", "allowed"}, toolsOnly},
		{"opencode", "opencode.json", []string{"permission"}, toolsOnly},
		{"cursor", ".cursor/cli.json", []string{"permissions", "allow"}, toolsOnly},
		{"codex", ".codex/config.toml", nil, toolsOnly},
	}
	dir := taskSite(t)
	free := setting{dir: dir}
	for _, allow := range []string{"all", "read"} {
		if got := free.real(t, "init", "--agent", "claude,qwen,gemini,opencode,cursor,codex", "--allow="+allow); got.code != 0 {
			t.Fatalf("init: %+v", got)
		}
		guarded := setting{dir: dir, vars: map[string]string{"BATON_ALLOWED": "1"}}
		for _, c := range clients {
			rules := rulesOf(t, dir, c.file, c.path...)
			if len(rules) < 5 {
				t.Fatalf("%s: rules %q", c.name, rules)
			}
			for _, rule := range rules {
				if strings.Contains(rule, "baton *") || rule == "mcp__baton" || rule == "mcp_baton_*" || rule == "baton_*" {
					t.Errorf("%s: %s allows baton as a whole", c.name, rule)
				}
			}
			for _, line := range harmful {
				if c.matches(rules, line) && !refused(t, guarded, line) {
					t.Errorf("%s (%s) runs %q without a question, and baton does not refuse it", c.name, allow, line)
				}
			}
		}
		rules := rulesOf(t, dir, clients[0].file, clients[0].path...)
		for _, line := range harmless {
			if allow == "all" && (!claudeMatches(rules, line) || refused(t, guarded, line)) {
				t.Errorf("%q is not allowed", line)
			}
		}
		if vars := rulesOf(t, dir, clients[0].file, "env"); !slices.Contains(vars, agentconfig.AllowedVariable) {
			t.Error("the variable is missing")
		}
	}
}

// refused runs the parts of a line that call baton, and reports whether baton does not allow one of them, or does not
// know the flag.
func refused(t *testing.T, s setting, line string) bool {
	t.Helper()
	for _, part := range shellParts(line) {
		_, rest, found := strings.Cut(part, "baton ")
		if !found {
			continue
		}
		var words []string
		for i, piece := range strings.Split(rest, "'") {
			if i%2 == 1 {
				words = append(words, piece)
				continue
			}
			words = append(words, strings.Fields(piece)...)
		}
		got := s.play(t, canned{}, words...)
		if got.code == 6 && strings.Contains(got.errors, "not allowed here") ||
			got.code == 2 && strings.Contains(got.errors, "unknown flag") {
			return true
		}
	}
	return false
}

// Every allowed command exists, and no reading command has a flag that needs a person.
func TestAllowedCommandsExist(t *testing.T) {
	t.Parallel()
	for _, verb := range agentconfig.AllowedVerbs(agentconfig.AllowWork) {
		words := append(strings.Fields(verb), "--help")
		if verb == "help" {
			words = []string{"help"}
		}
		if got := play(t, canned{}, words...); got.code != 0 || !strings.Contains(got.out, "baton "+strings.Fields(verb)[0]) {
			t.Errorf("baton %s: %+v", verb, got)
		}
		if !slices.Contains(agentconfig.AllowedVerbs(agentconfig.AllowReading), verb) {
			continue
		}
		got := play(t, canned{}, words...)
		for _, flag := range []string{"--force", "--fix", "--run ", "--dry-run", "--steal", "--out"} {
			if strings.Contains(got.out, "  "+flag) {
				t.Errorf("baton %s has %s, so it is no reading command", verb, flag)
			}
		}
	}
}
