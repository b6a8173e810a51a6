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
// group, a usual word for one of its commands, the only command of a group, a beginning of a name,
// a name of the group that is written alike. At the root, the names of all groups count.
func (d *App) meantCommand(cmd *cobra.Command, words []string) string {
	if words[0] == "help" && len(words) > 1 {
		if found, rest, err := cmd.Find(words[1:]); err == nil && len(rest) == 0 && found != cmd {
			return "baton help " + CommandName(found)
		}
	}
	if meant := d.usual(cmd, words); meant != "" {
		return meant
	}
	if members := cmd.Commands(); cmd.HasParent() && len(members) == 1 {
		return members[0].CommandPath()
	}
	begun := beginnings(cmd, words[0])
	if len(begun) == 1 {
		return begun[0]
	}
	if near := d.nearestCommand(cmd, words[0]); near != "" || len(begun) > mostBeginnings {
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

// nearestCommand returns the command whose name is written most like the word: one of the group's
// own, or at the root any. Of names that are equally near, the root's own come first, then those of
// the group task.
func (d *App) nearestCommand(cmd *cobra.Command, word string) string {
	best, least := "", 1<<10
	near := func(c *cobra.Command) {
		away, ok := Nearness(word, c.Name())
		if !ok || !c.HasParent() || c.Hidden {
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
	}
	if !cmd.HasParent() {
		EachCommand(d.WholeTree(), near)
		return best
	}
	for _, c := range cmd.Commands() {
		near(c)
	}
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
