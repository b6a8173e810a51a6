package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"baton/internal/cli/app"
)

func TestWrongUsageSaysWhatIsWrongAndWhereToLook(t *testing.T) {
	t.Parallel()
	cases := []struct {
		line, message, hint string
	}{
		{"doc", `unknown command "doc" for baton`, "did you mean `baton doctor`?"},
		{"lo", `unknown command "lo" for baton`, "did you mean `baton log` or `baton lost`?"},
		{"snapshot li", `unknown command "li" for baton snapshot`, "did you mean `baton snapshot list`?"},
		{"hepl", `unknown command "hepl" for baton`, "did you mean `baton help`?"},
		{"statu", `unknown command "statu" for baton`, "did you mean `baton status`?"},
		{"tsak", `unknown command "tsak" for baton`, "did you mean `baton task`?"},
		{"task lst", `unknown command "lst" for baton task`, "did you mean `baton task list`?"},
		{"claim 101", `unknown command "claim" for baton`, "did you mean `baton task claim`?"},
		{"xyzzy", `unknown command "xyzzy" for baton`, "baton --help"},
		{"list", `unknown command "list" for baton`, "did you mean `baton task list`?"},
		{"lits", `unknown command "lits" for baton`, "did you mean `baton task list`?"},
		{"ls", `unknown command "ls" for baton`, "did you mean `baton task list`?"},
		{"ready", `unknown command "ready" for baton`, "did you mean `baton task ready`?"},
		{"show 1", `unknown command "show" for baton`, "did you mean `baton task show`?"},
		{"check 1 1", `unknown command "check" for baton`, "did you mean `baton task check`?"},
		{"new T", `unknown command "new" for baton`, "did you mean `baton task new`?"},
		{"config lst", `unknown command "lst" for baton config`, "did you mean `baton config list`?"},
		{"task help show", `unknown command "help" for baton task`, "did you mean `baton help task show`?"},
		{"help xyzzy", `unknown command "xyzzy" for baton`, "baton --help"},
		{"task log 101 --foo", "unknown flag --foo for task log", "baton task log --help"},
		{"task log 101 --isues x", "unknown flag --isues for task log", "did you mean --issues?"},
		{"task log 101 -x", "unknown flag -x for task log", "baton task log --help"},
		{"task check 2 1 --all", "unknown flag --all for task check", "hint: baton task check --help"},
		{"task log 101 --did", "flag --did needs a value", "baton task log --help"},
		{"task log", "task log needs ID", "in a shell, an unquoted # begins a comment; baton task log --help"},
		{"task list --status=", "--status is empty", "baton task list --help"},
		{"task log 101", "task log needs at least one of --did, --issues and --next, or --file", "baton task log --help"},
		{"task log 101 102 --did x", `task log takes ID and nothing more, but "102" was given`, "quotes"},
		{"task ready 101", `task ready takes no argument, but "101" was given`, "baton task ready --help"},
		{"task new", "task new needs TITLE or --from FILE", "baton task new --help"},
		{"task new _", "TITLE is empty", "baton task new --help"},
		{"task new T --id _", "--id is empty: leave it out to get the next free number", "baton task new --help"},
		{"task check 101", "task check needs ID CRITERION…", "baton task check --help"},
		{"task check 101 1 --run a --evidence b", "--run and --evidence cannot be used together", "baton task check --help"},
		{"task check 101 1 --run _", "--run is empty", "baton task check --help"},
		{"task check 101 1 --timeout 1m", "--timeout needs --run", "baton task check --help"},
		{"task check 101 1 --run a --timeout -1m", "--timeout must be longer than 0, but -1m0s was given", "baton task check --help"},
		{"task check 101 1 --by name", `--by: "name" is not index, id or text`, "baton task check --help"},
		{"task claim", "task claim needs ID or --next", "baton task claim --help"},
		{"task claim 101 --next", "ID and --next cannot be used together", "baton task claim --help"},
		{"task claim 101 --steal", "--steal needs --reason TEXT", "baton task claim --help"},
		{"task claim 101 --reason x", "--reason needs --steal or --force", "baton task claim --help"},
		{"task claim --next --steal --reason x", "--next takes a task that nobody holds; --steal needs an ID", "baton task claim --help"},
		{"task claim 101 --lease soon", `flag --lease: "soon" is not a length of time like 30m or 1h30m`, "baton task claim --help"},
		{"task claim 101 --lease 0s", "--lease must be longer than 0, but 0s was given", "baton task claim --help"},
		{"task block 101", "task block needs --reason TEXT", "baton task block --help"},
		{"task complete 101 --force", "--force needs --reason TEXT", "baton task complete --help"},
		{"task complete 101 --reason x", "--reason needs --force", "baton task complete --help"},
		{"task output 101 --set nonsense", "--set nonsense is not PART=TEXT", "PART is summary, files, api, configuration or notes"},
		{"task output 101 --set colour=x", "--set colour=x names no part of the output", "PART is"},
		{"task output 101 --set api=a --set api=b", "the part api was given twice", "baton task output --help"},
		{"task output 101 --file x --summary y", "--file and --summary cannot be used together", "baton task output --help"},
		{"task archive 101 --keep -1", "--keep cannot be negative", "baton task archive --help"},
		{"task archive 101 --keep x", `flag --keep: "x" is not a whole number`, "baton task archive --help"},
		{"task archive 101 --keep 1 --show 2", "--keep and --show cannot be used together", "baton task archive --help"},
		{"task archive 101 --show _", "--show needs N or N-M", "baton task archive --help"},
		{"task split 101 --apply --dismiss", "--apply and --dismiss cannot be used together", "baton task split --help"},
		{"task convert 101", "task convert needs --to v1 or --to v2", "baton task convert --help"},
		{"task graph --format png", `--format: "png" is not text, mermaid, dot or json`, "baton task graph --help"},
		{"state begin", "state begin needs PHASE", "baton state begin --help"},
		{"state begin 4 --stage done", `--stage: "done" is not discuss, plan, execute or verify`, "baton state begin --help"},
		{"state begin 4 --plans -1", "--plans cannot be negative", "baton state begin --help"},
		{"state verify 4 --passed --failed", "--passed and --failed cannot be used together", "baton state verify --help"},
		{"state set status", "state set needs NAME VALUE", "baton state set --help"},
		{"state patch status", `"status" is not NAME=VALUE`, "baton state patch --help"},
		{"state patch =x", `"=x" is not NAME=VALUE`, "baton state patch --help"},
		{"state patch a=1 a=2", `"a" was given twice`, "baton state patch --help"},
		{"state patch a=- b=-", "VALUE - and VALUE - cannot both read standard input", "a text or a file"},
		{"state set a @nowhere", "VALUE nowhere: there is no such file", "if the text begins with @, write @@"},
		{"state next none 4", "ACTION none takes no PHASE", "baton state next --help"},
		{"state metric 4 2", "state metric needs --duration TIME", "baton state metric --help"},
		{"state metric 4 2 --duration 1m --tasks -1", "--tasks cannot be negative", "baton state metric --help"},
		{"state rotate --keep -1", "--keep cannot be negative", "baton state rotate --help"},
		{"state rotate --apply", "--apply needs --sort-archive", "baton state rotate --help"},
		{"decision rotate --dry-run --apply", "--dry-run and --apply cannot be used together", "baton decision rotate --help"},
		{"decision rotate --keep 1 --sort-archive", "--keep and --sort-archive cannot be used together", "baton decision rotate --help"},
		{"decision add", "decision add needs TEXT", "baton decision add --help"},
		{"decision add _", "TEXT is empty", "baton decision add --help"},
		{"decision add two words", `decision add takes TEXT and nothing more, but "words" was given`, "quotes"},
		{"decision list --archived --all", "--archived and --all cannot be used together", "baton decision list --help"},
		{"decision new T", `unknown command "new" for baton decision`, "did you mean `baton decision add`?"},
		{"task ls", `unknown command "ls" for baton task`, "did you mean `baton task list`?"},
		{"task unblock 1", `unknown command "unblock" for baton task`, "did you mean `baton task reopen ID`?"},
		{"task done 1", `unknown command "done" for baton task`, "did you mean `baton task complete ID`?"},
		{"task start 1", `unknown command "start" for baton task`, "did you mean `baton session start ID`?"},
		{"task assign 1", `unknown command "assign" for baton task`, "did you mean `baton task claim ID`?"},
		{"task comment 1 x", `unknown command "comment" for baton task`, "did you mean `baton task log ID --did TEXT`?"},
		{"task rename 1 T", `unknown command "rename" for baton task`, "did you mean `baton task edit ID`?"},
		{"task deps 1", `unknown command "deps" for baton task`, "did you mean `baton task edit ID --after OTHER`?"},
		{"task rm 1", `unknown command "rm" for baton task`, "did you mean `baton task delete ID`?"},
		{"task update 2 --status done", `unknown command "update" for baton task`, "did you mean `baton task complete ID`?"},
		{"task update 2 --status=in-progress", `unknown command "update" for baton task`, "did you mean `baton session start ID`?"},
		{"task set-status 1 done", `unknown command "set-status" for baton task`, "did you mean `baton task complete ID`?"},
		{"task set 1 cancelled", `unknown command "set" for baton task`, "did you mean `baton task cancel ID --reason TEXT`?"},
		{"task view 1", `unknown command "view" for baton task`, "did you mean `baton task show ID`?"},
		{"task close 1", `unknown command "close" for baton task`, "did you mean `baton task complete ID`?"},
		{"task find x", `unknown command "find" for baton task`, "did you mean `baton search TEXT`?"},
		{"task history 1", `unknown command "history" for baton task`, "did you mean `baton task show ID`?"},
		{"task prio 1", `unknown command "prio" for baton task`, "did you mean `baton task edit ID --priority high`?"},
		{"task tick 1 1", `unknown command "tick" for baton task`, "did you mean `baton task check ID N`?"},
		{"task subtask 1", `unknown command "subtask" for baton task`, "did you mean `baton task split ID`?"},
		{"task import-issues x", `unknown command "import-issues" for baton task`, "did you mean `baton task import FILE`?"},
		{"task unassign 1", `unknown command "unassign" for baton task`, "did you mean `baton task release ID`?"},
		{"task wontfix 1", `unknown command "wontfix" for baton task`, "did you mean `baton task cancel ID --reason TEXT`?"},
		{"task wip", `unknown command "wip" for baton task`, "did you mean `baton task list`?"},
		{"task board", `unknown command "board" for baton task`, "did you mean `baton task list`?"},
		{"task depends 1 2", `unknown command "depends" for baton task`, "did you mean `baton task edit ID --after OTHER`?"},
		{"task epics", `unknown command "epics" for baton task`, "did you mean `baton task list --epic NAME`?"},
		{"rename 1 T", `unknown command "rename" for baton`, "did you mean `baton task edit ID`?"},
		{"unblock 1", `unknown command "unblock" for baton`, "did you mean `baton task reopen ID`?"},
		{"update 2 --status done", `unknown command "update" for baton`, "did you mean `baton task complete ID`?"},
		{"create T", `unknown command "create" for baton`, "did you mean `baton task new`?"},
		{"board", `unknown command "board" for baton`, "did you mean `baton task list`?"},
		{"start 1", `unknown command "start" for baton`, "did you mean `baton session start ID`?"},
		{"find x", `unknown command "find" for baton`, "did you mean `baton search TEXT`?"},
		{"done 1", `unknown command "done" for baton`, "did you mean `baton task complete ID`?"},
		{"session show", `unknown command "show" for baton session`, "did you mean `baton status`?"},
		{"decision remove 1", `unknown command "remove" for baton decision`, "hint: baton decision --help"},
		{"task new T --depends 1", "unknown flag --depends for task new", "did you mean --after?"},
		{"task new T --blocked-by 1", "unknown flag --blocked-by for task new", "did you mean --after?"},
		{"task new T --description x", "unknown flag --description for task new", "did you mean --requirements?"},
		{"task list --sort-by id", "unknown flag --sort-by for task list", "did you mean --sort?"},
		{"task --foo", "unknown flag --foo for task", "baton task --help"},
		{"state active delete X", `unknown command "delete" for baton state active`, "did you mean `baton state active remove`?"},
		{"state status", `unknown command "status" for baton state`, "did you mean `baton state show`?"},
		{"blocker add _", "TEXT is empty", "baton blocker add --help"},
		{"state active set S-1", "state active set needs --status or --next", "baton state active set --help"},
		{"state queue add S-1", "state queue add needs --title TEXT", "baton state queue add --help"},
		{"state queue add S-1 --title _", "--title is empty", "baton state queue add --help"},
		{"state queue move S-1", "state queue move needs --to N", "baton state queue move --help"},
		{"state queue move S-1 --to 0", "--to must be 1 or more", "baton state queue move --help"},
		{"session end", "session end needs ID|SESSION, or --stopped-at TEXT", "baton session end --help"},
		{"session end 101 --stopped-at T", "ID|SESSION and --stopped-at cannot be used together", "baton session end --help"},
		{"session end --resume-file f", "--resume-file needs --stopped-at", "baton session end --help"},
		{"session end --stopped-at _", "--stopped-at is empty", "baton session end --help"},
		{"session end --stopped-at T --no-log", "--no-log and --stopped-at cannot be used together", "baton session end --help"},
		{"completion tcsh", `there is no completion for "tcsh"`, "use bash, zsh, fish or powershell"},
		{"version now", `version takes no argument, but "now" was given`, "baton version --help"},
		{"status --json=perhaps", `flag --json: "perhaps" is not true or false`, "baton status --help"},
	}
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(c.line)
			for i, arg := range args {
				if arg == "_" {
					args[i] = "" // an empty operand
				}
			}
			got := play(t, canned{}, args...)
			message, hint, _ := strings.Cut(got.errors, "\n")
			if got.code != 2 || got.out != "" {
				t.Errorf("exit code %d, output %q", got.code, got.out)
			}
			if message != "baton: "+c.message || !strings.HasPrefix(hint, "hint: ") || !strings.Contains(hint, c.hint) {
				t.Errorf("said:\n%swant message %q and a hint with %q", got.errors, c.message, c.hint)
			}
		})
	}
}

func TestGroupsPrintTheirHelp(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"task", "session", "config", "state", "state active", "state queue", "decision", "blocker", "dir"} {
		got := play(t, canned{}, strings.Fields(group)...)
		if got.code != 0 || !strings.Contains(got.out, "Usage:\n  baton "+group+" COMMAND\n") {
			t.Errorf("baton %s: exit code %d\n%s", group, got.code, got.out)
		}
	}
}

// TestF89_UsualWordsNameCommandsThatExist checks the commands that baton names for words of other programs.
func TestF89_UsualWordsNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("app", "usual.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`"((?:task|session) [a-z]+)[^"]*"`).FindAllStringSubmatch(string(source), -1)
	if len(lines) < 20 {
		t.Fatalf("%d commands", len(lines))
	}
	for _, line := range lines {
		cmd, _, err := tree(&app.App{}).Find(strings.Fields(line[1]))
		if err != nil || cmd.CommandPath() != "baton "+line[1] {
			t.Errorf("%s: there is no such command", line[1])
		}
	}
}
