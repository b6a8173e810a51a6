package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/report"
)

// AliasKey is the annotation of a command that is the same as another one: the other one's name.
const AliasKey = "alias"

// Help returns the page of one command. That of an alias only names the other command.
func Help(cmd *cobra.Command) string {
	if other := cmd.Annotations[AliasKey]; other != "" {
		return "baton " + CommandName(cmd) + " is the same as baton " + other + ": baton help " + other + "\n"
	}
	var b strings.Builder
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	takes := " [flags]"
	if cmd.HasAvailableSubCommands() {
		takes = " COMMAND"
	}
	b.WriteString(paragraphs(text) + "\n\nUsage:\n  " + cmd.UseLine() + takes + "\n")
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, child := range cmd.Commands() {
			hang(&b, fmt.Sprintf("  %-10s ", child.Name()), child.Short)
		}
		b.WriteString("\nDetails: baton help " + CommandName(cmd) + " COMMAND\n")
		return b.String()
	}
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			b.WriteString("  " + line + "\n")
		}
	}
	writeFlags(&b, "Flags", cmd.LocalNonPersistentFlags())
	writeFlags(&b, "Global flags", cmd.InheritedFlags())
	b.WriteString("\nExit codes: " + exitCodes(cmd) + "\n")
	return b.String()
}

// AliasOf gives a command that is the same as another one a name of its own.
func AliasOf(cmd *cobra.Command, name, other string) *cobra.Command {
	cmd.Annotations[AliasKey] = other
	cmd.Short = "The same as " + other
	cmd.Example = strings.ReplaceAll(cmd.Example, "baton "+other, "baton "+name)
	return cmd
}

// HelpColumns is the width of help, whatever the terminal's: it is read in documents too.
const HelpColumns = 80

// paragraphs breaks a text to the width of help. Lines that are indented stay as they are.
func paragraphs(text string) string {
	var out []string
	var open []string // lines of a paragraph that goes on
	end := func() {
		if len(open) > 0 {
			out = append(out, Wrap(strings.Join(open, " "), HelpColumns)...)
			open = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || strings.HasPrefix(line, " ") {
			end()
			out = append(out, line)
			continue
		}
		open = append(open, line)
	}
	end()
	return strings.Join(out, "\n")
}

// hang writes a text after a lead and indents its further lines as far.
func hang(b *strings.Builder, lead, text string) {
	columns := utf8.RuneCountInString(lead)
	for i, line := range Wrap(text, HelpColumns-columns) {
		if i > 0 {
			lead = strings.Repeat(" ", columns)
		}
		b.WriteString(lead + line + "\n")
	}
}

// writeFlags lists flags with what they take; help itself is not worth a line.
func writeFlags(b *strings.Builder, title string, set *pflag.FlagSet) {
	var rows [][2]string
	widest := 0
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		value, text := pflag.UnquoteUsage(flag)
		name := "    --" + flag.Name
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand + ", --" + flag.Name
		}
		switch {
		case value == "":
		case flag.NoOptDefVal != "" && flag.Value.Type() == "string":
			name += "[=" + value + "]" // a word after a space would be an argument
		default:
			name += " " + value
		}
		widest = max(widest, len(name))
		rows = append(rows, [2]string{name, text})
	})
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n" + title + ":\n")
	for _, row := range rows {
		hang(b, fmt.Sprintf("  %-*s   ", widest, row[0]), row[1])
	}
}

// exitCodes returns the exit codes that a command can end with, for the last line of its help.
func exitCodes(cmd *cobra.Command) string {
	switch cmd.Annotations[ExitsKey] {
	case NeverFails:
		return "0, even if a flag or word is wrong; 130 if interrupted"
	case HookExits:
		return "0; with --agent kiro, 42 if baton refuses a tool call"
	}
	kinds := slices.Clone(always[:])
	for word := range strings.FieldsSeq(cmd.Annotations[ExitsKey]) {
		kinds = append(kinds, report.Kind(word))
	}
	codes := []int{0, report.Interrupted.Row().Exit}
	for _, kind := range kinds {
		codes = append(codes, kind.Row().Exit)
	}
	slices.Sort(codes)
	words := make([]string, 0, len(codes))
	for _, code := range slices.Compact(codes) {
		words = append(words, strconv.Itoa(code))
	}
	return strings.Join(words, ", ") + " (baton help exit-codes)"
}

// ExitCodes returns the help page that explains every exit code.
func ExitCodes() string {
	var b strings.Builder
	b.WriteString("Exit codes of baton. The first word is the error's kind in --json.\n\n")
	b.WriteString("    0  done, or nothing to do\n")
	for _, kind := range report.Kinds() {
		hang(&b, fmt.Sprintf("  %3d  ", kind.Row().Exit), string(kind)+" - "+Meaning(kind))
	}
	b.WriteString("\nThe help of a command lists its exit codes in the last line.\n")
	return b.String()
}

// Meaning returns a kind of failure in a few words, for help and documentation.
func Meaning(kind report.Kind) string {
	switch kind {
	case report.Usage:
		return "a flag, value or id is not allowed"
	case report.NotFound:
		return "no such task or entry, no project or digest here, or no ready task"
	case report.Conflict:
		return "somebody else holds the task, another phase is active, the id is taken, or the file " +
			"changed in the meantime"
	case report.Locked:
		return "another baton process was writing for too long"
	case report.Violation:
		return "a rule forbids it; the message says which"
	case report.Corrupt:
		return "a file cannot be understood or must not be changed; the message says where"
	case report.Unavailable:
		return "a part of baton is missing"
	case report.Refused:
		return "the system refused: no permission, read-only, no space left, or an I/O error"
	case report.NotVerified:
		return "the command failed or took too long"
	case report.Interrupted:
		return "a signal ended the command"
	default:
		return "a bug in baton"
	}
}
