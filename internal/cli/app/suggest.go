package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// UnknownCommand names the command that was probably meant. words are the operands of a group: the
// name that it does not know, and what followed it.
func (d *App) UnknownCommand(cmd *cobra.Command, words []string) error {
	e := Usage(cmd.CommandPath(), fmt.Sprintf("unknown command %q for %s", words[0], cmd.CommandPath()))
	if meant := d.meantCommand(cmd, words); meant != "" {
		e.Hint = fmt.Sprintf("did you mean `%s`? All commands: baton help", meant)
	}
	return e
}

// meantCommand returns the command that was probably meant, the surest guess first: help in a
// group, another word for one of its commands, the only command of a group, a beginning of a name,
// a name that is written alike.
func (d *App) meantCommand(cmd *cobra.Command, words []string) string {
	name := usualName(words[0])
	if name == "help" && len(words) > 1 {
		if found, rest, err := cmd.Find(words[1:]); err == nil && len(rest) == 0 && found != cmd {
			return "baton help " + CommandName(found)
		}
	}
	if meant := sameSense(cmd, words[0]); meant != "" {
		return meant
	}
	if members := cmd.Commands(); cmd.HasParent() && len(members) == 1 {
		return members[0].CommandPath()
	}
	begun := beginnings(cmd, words[0])
	if len(begun) == 1 {
		return begun[0]
	}
	if near := d.nearestCommand(cmd, name); near != "" || len(begun) > mostBeginnings {
		return near
	}
	return strings.Join(begun, "` or `")
}

// mostBeginnings is how many commands a beginning may have for all of them to be named.
const mostBeginnings = 3

// beginnings returns the commands of a group whose names begin with a word of at least two letters.
func beginnings(cmd *cobra.Command, word string) []string {
	var out []string
	for _, member := range cmd.Commands() {
		if len(word) > 1 && !member.Hidden && strings.HasPrefix(member.Name(), word) {
			out = append(out, member.CommandPath())
		}
	}
	return out
}

// sameSense returns the group's command that does what the word says, "" if there is none.
func sameSense(cmd *cobra.Command, word string) string {
	if !cmd.HasParent() {
		return ""
	}
	var names []string
	switch word {
	case "new", "create", "append", "record":
		names = []string{"add"}
	case "rm", "delete", "drop", "del":
		names = []string{"remove", "cleanup"}
	case "archive":
		names = []string{"rotate", "cleanup"}
	case "close", "done", "finish":
		names = []string{"resolve"}
	case "start", "execute":
		names = []string{"begin"}
	case "show":
		names = []string{"read"}
	case "view", "status", "list", "ls":
		names = []string{"show", "audit"}
	case "sweep", "clean", "prune", "gc":
		names = []string{"cleanup"}
	case "set":
		names = []string{"update"}
	case "get":
		names = []string{"read"}
	case "check":
		names = []string{"validate"}
	case "undo", "revert":
		names = []string{"restore"}
	case "snapshots", "archives":
		names = []string{"history"}
	}
	for _, name := range names {
		for _, member := range cmd.Commands() {
			if member.Name() == name {
				return member.CommandPath()
			}
		}
	}
	return ""
}

// usualName returns what baton calls a command that other programs give the name word.
func usualName(word string) string {
	switch word {
	case "ls":
		return "list"
	case "add", "create":
		return "new"
	case "done", "finish", "close":
		return "complete"
	case "view":
		return "show"
	}
	return word
}

// nearestCommand returns the command whose name is written most like the word. Of names that are
// equally near, it prefers the group's own commands, then those of the group task.
func (d *App) nearestCommand(cmd *cobra.Command, word string) string {
	best, least := "", 1<<10
	EachCommand(d.WholeTree(), func(c *cobra.Command) {
		away, ok := Nearness(word, c.Name())
		if !ok || !c.HasParent() {
			return
		}
		rank := 4 * away
		if strings.HasPrefix(c.Name(), word) {
			rank-- // the word is a beginning of the name: rather this than any other as near
		}
		switch {
		case c.Parent().CommandPath() == cmd.CommandPath():
		case c.Parent().Name() == "task":
			rank++
		default:
			rank += 2
		}
		if rank < least {
			best, least = c.CommandPath(), rank
		}
	})
	return best
}

// Nearness returns the distance of two words, and reports whether one may be a slip for the other:
// at most two letters, and fewer than half of the word, because a short word is near to everything.
func Nearness(word, name string) (away int, ok bool) {
	away = distance(word, name)
	return away, away < 3 && 2*away < len(word)
}

// distance returns how many letters to change, add, drop or swap to get from one word to the other.
func distance(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
