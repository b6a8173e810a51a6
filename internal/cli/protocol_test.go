package cli

import (
	"regexp"
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/cli/app"
	"baton/internal/protocol"
)

// TestProtocolNamesCommandsThatExist checks that every command in the texts for agents exists, with its flags.
func TestProtocolNamesCommandsThatExist(t *testing.T) {
	t.Parallel()
	first := protocol.Facts{
		Open: 1, Ready: 1, Project: protocol.Digest{
			Name: "shop", Path: ".baton/STATE.md", Decisions: []string{"One."}, Blockers: []string{"Two."},
		},
		Git: protocol.Git{
			Known: true, Commits: []string{"abc One"},
		}, Since: protocol.Since{Commits: []string{"abc One"}}, Warnings: []string{"Three."}, Summary: "Four.",
		Task: &protocol.Task{
			ID: "#7", Command: "7", Title: "Feed", Total: 1, Requirements: "Five.", Criteria: []protocol.Criterion{{N: 1, Text: "Six."}},
			LastDid: []string{"Seven."}, Next: []string{
				"Eight.",
			}, Failed: []string{"Nine."}, Inputs: []protocol.Input{{ID: "#6", Brief: "Ten.", Full: "Ten.\nEleven."}},
		},
	}
	none, held, over, digest := first, first, first, first
	none.Task, none.Open = nil, 0
	digest.Task, digest.Open, digest.Ready = nil, -1, -1
	task := *first.Task
	task.Holder, task.Status = "agent-2", "complete"
	over.Task, held.Proposed = &task, true
	texts := []string{protocol.Text(protocol.Options{}), protocol.Text(protocol.Options{Setting: protocol.SettingLean})}
	for _, f := range []protocol.Facts{first, none, held, over, digest} {
		p := protocol.Orientation(f, protocol.Limit{})
		texts = append(texts, p.Text, protocol.Pack(f, protocol.Limit{Tokens: 130}).Text, protocol.Pack(
			f, protocol.Limit{},
		).Text, protocol.StopReason(f), protocol.SubTask(f), protocol.CompactNote(f), protocol.Pointer(f))
		for _, r := range protocol.Rate(f, p).Reasons {
			texts = append(texts, r.Hint)
		}
	}
	files, err := agentconfig.Snippets([]agentconfig.Client{agentconfig.Claude}, agentconfig.Project, agentconfig.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files { // including the block of AGENTS.md and the skill
		texts = append(texts, f.Text)
	}
	quoted := regexp.MustCompile("`(baton [^`]+)`")
	seen := map[string]bool{}
	for _, found := range quoted.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		if seen[found[1]] || found[1] == "baton help COMMAND" {
			continue
		}
		seen[found[1]] = true
		words := strings.Fields(found[1])[1:]
		cmd, _, err := tree((&app.App{})).Find(words)
		if err != nil || !cmd.HasParent() || cmd.HasSubCommands() {
			t.Errorf("%s: no such command (%v)", found[1], err)
			continue
		}
		for _, word := range words {
			if word == "--" { // what follows is another program's
				break
			}
			if name, isFlag := strings.CutPrefix(word, "--"); isFlag && cmd.Flag(name) == nil {
				t.Errorf("%s: %s has no flag --%s", found[1], app.CommandName(cmd), name)
			}
		}
	}
	if len(seen) < 15 {
		t.Errorf("only %d commands were found", len(seen))
	}
}
