package app

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usual returns what a person probably means who gives a command the name that it has in other
// programs; "" if there is nothing usual about it. A command that does not exist is never named.
func (d *App) usual(cmd *cobra.Command, words []string) string {
	group := ""
	if cmd.HasParent() {
		group = CommandName(cmd)
	}
	var lines []string
	if group == "task" || group == "" {
		lines = append(lines, toStatus(words))
	}
	lines = append(lines, UsualWord(group, words[0])...)
	for _, line := range lines {
		path := strings.Fields(line)
		if len(path) == 0 {
			continue
		}
		found, rest, err := d.WholeTree().Find(path)
		plain := slices.IndexFunc(path, func(word string) bool {
			return strings.ToLower(word) != word || word[0] == '-' // an operand or a flag
		})
		if plain < 0 {
			plain = len(path)
		}
		if err == nil && len(rest) == len(path)-plain && !found.Hidden && found.HasParent() {
			return "baton " + line
		}
	}
	return ""
}

// toStatus returns the command that gives a task a status, as in "update 2 --status done".
func toStatus(words []string) string {
	switch words[0] {
	case "update", "set", "edit", "change", "modify", "move", "mark", "status", "set-status", "mv":
	default:
		return ""
	}
	for _, word := range words[1:] {
		_, value, found := strings.Cut(word, "=")
		if !found {
			value = word
		}
		switch strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(value)) {
		case "done", "complete", "completed", "closed", "finished", "resolved":
			return "task complete ID"
		case "in_progress", "started", "doing", "active":
			return "session start ID"
		case "blocked":
			return "task block ID --reason TEXT"
		case "open", "ready", "reopened", "todo":
			return "task reopen ID"
		case "cancelled", "canceled", "wontfix", "abandoned":
			return "task cancel ID --reason TEXT"
		}
	}
	return ""
}

// UsualWord returns the commands that other programs call word, in a group or at the root (""), the
// likeliest first. Words in capitals stand for operands.
func UsualWord(group, word string) []string {
	switch group {
	case "", "task":
		return slices.Concat(usualTask(word), usualMember(group, word))
	case "session":
		switch word {
		case "show", "view", "list", "ls", "get", "current":
			return []string{"status"}
		case "begin", "new", "open":
			return []string{"session start ID"}
		case "finish", "stop", "done", "complete", "close":
			return []string{"session end ID"}
		case "log", "note", "comment":
			return []string{"task log ID --did TEXT"}
		}
	}
	return usualMember(group, word)
}

func usualTask(word string) []string {
	switch word {
	case "ls", "all", "tasks", "issue", "issues", "board", "backlog", "wip", "mine":
		return []string{"task list"}
	case "add", "create":
		return []string{"task new"}
	case "view", "get", "info", "describe", "details", "history":
		return []string{"task show ID"}
	case "rename", "set", "update", "change", "modify", "amend", "retitle", "prioritize", "set-status":
		return []string{"task edit ID"}
	case "depends", "depend", "dep", "deps", "dependency", "link", "after":
		return []string{"task edit ID --after OTHER", "task graph"}
	case "done", "finish", "close", "resolve":
		return []string{"task complete ID"}
	case "unblock", "undo", "open", "reset":
		return []string{"task reopen ID"}
	case "rm", "remove", "del", "destroy":
		return []string{"task delete ID"}
	case "abandon", "drop", "wontfix", "skip":
		return []string{"task cancel ID --reason TEXT"}
	case "assign", "take", "pick", "grab":
		return []string{"task claim ID"}
	case "unassign", "unclaim":
		return []string{"task release ID"}
	case "comment", "note", "progress", "handover", "handoff":
		return []string{"task log ID --did TEXT"}
	case "start", "begin", "work":
		return []string{"session start ID"}
	case "stop", "end":
		return []string{"session end ID"}
	case "next", "todo":
		return []string{"task ready"}
	case "tree", "chain":
		return []string{"task graph"}
	case "prio", "priority":
		return []string{"task edit ID --priority high"}
	case "epic", "epics":
		return []string{"task list --epic NAME"}
	case "find", "grep", "filter", "search":
		return []string{"search TEXT"}
	case "subtask", "expand", "breakdown":
		return []string{"task split ID"}
	case "tick", "check-off":
		return []string{"task check ID N"}
	case "untick":
		return []string{"task uncheck ID N"}
	case "parse-prd", "import-issues", "load":
		return []string{"task import FILE"}
	case "verify", "test":
		return []string{"task prove ID N -- CMD"}
	}
	return nil
}

// usualMember returns the commands that a word means in any group that has them.
func usualMember(group, word string) []string {
	var names []string
	switch word {
	case "new", "create", "append", "record":
		names = []string{"add"}
	case "rm", "delete", "drop", "del":
		names = []string{"remove", "cleanup"}
	case "archive":
		names = []string{"rotate", "cleanup"}
	case "close", "done", "finish":
		names = []string{"resolve", "complete"}
	case "start", "execute":
		names = []string{"begin"}
	case "show":
		names = []string{"read", "list"}
	case "view", "status", "list", "ls":
		names = []string{"list", "show", "audit"}
	case "sweep", "clean", "prune", "gc":
		names = []string{"cleanup"}
	case "set":
		names = []string{"update"}
	case "get":
		names = []string{"read", "list"}
	case "check":
		names = []string{"validate"}
	case "undo", "revert":
		names = []string{"restore"}
	case "snapshots", "archives":
		names = []string{"history"}
	}
	for i, name := range names {
		names[i] = strings.TrimSpace(group + " " + name)
	}
	return names
}

// UsualFlag returns the flag of a command that other programs call name; "" if it has none.
func UsualFlag(flags *pflag.FlagSet, name string) string {
	var names []string
	switch name {
	case "depends", "depends-on", "dependency", "dependencies", "dep", "deps", "blocked-by", "needs", "requires":
		names = []string{"after"}
	case "description", "desc", "body", "details":
		names = []string{"requirements"}
	case "criteria", "criterion", "acceptance", "acceptance-criteria", "ac":
		names = []string{"accept"}
	case "message", "msg", "comment", "note", "summary":
		names = []string{"did", "reason", "evidence"}
	case "state":
		names = []string{"status"}
	case "assignee", "owner", "assign":
		names = []string{"agent", "mine"}
	case "filter", "grep", "search", "query", "title-contains":
		names = []string{"match"}
	case "max", "count", "top", "head", "n":
		names = []string{"limit"}
	case "order", "sort-by", "order-by":
		names = []string{"sort"}
	case "long", "verbose", "full":
		names = []string{"wide", "verbose"}
	case "preview", "what-if", "simulate":
		names = []string{"dry-run"}
	case "urgent", "p":
		names = []string{"priority"}
	case "cmd", "command", "exec":
		names = []string{"run"}
	}
	for _, name := range names {
		if flag := flags.Lookup(name); flag != nil && !flag.Hidden {
			return name
		}
	}
	return ""
}
