package cli

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/workspace"
)

// applying are the commands that move or remove what others wrote, and so only show it without --apply (D52).
var applying = []string{
	"dir cleanup", "dir evict", "dir reset", "dir restore", "snapshot restore", "state migrate", "task convert", "task delete",
	"task import", "task split",
}

// reading are the commands that write nothing of the project.
var reading = []string{
	"blame", "blocker list", "config get", "config list", "context", "decision list", "dir audit", "dir contract", "dir history",
	"dir lint",
	"dir read", "dir slug", "dir validate", "help", "history", "log",
	"merge check", "phase analyze", "phase list", "phase show", "protocol", "search", "snapshot diff", "snapshot list", "snapshot show",
	"state active list", "state active resolve", "state get", "state json",
	"state queue list", "state queue next", "state show", "state validate", "status", "task graph", "task list", "task ready",
	"task show", "version", "waiting",
}

// apart are the commands that write and have neither flag, with the reason.
var apart = map[string]string{
	"completion":   "prints a script",
	"hook":         "an agent calls it for an event that has happened",
	"mcp":          "a server: each call of a tool is a request of its own",
	"merge driver": "git calls it, and takes the file that it writes",
	"selftest":     "works in a folder of its own, which it removes",
	"statusline":   "an agent calls it; it prints one line",
	"task prove":   "runs a command, and what that writes cannot be foreseen",
}

func TestD52_EveryCommandThatWritesHasApplyOrDryRun(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, cmd := range leaves(&app.App{}) {
		name := cmd.CommandPath()
		name = strings.TrimPrefix(name, "baton ")
		seen[name] = true
		apply, dry := offers(cmd, "apply"), offers(cmd, "dry-run")
		want := [2]bool{slices.Contains(applying, name), !slices.Contains(applying, name)}
		if apart[name] != "" || slices.Contains(reading, name) {
			want = [2]bool{}
		}
		if got := [2]bool{apply, dry}; got != want {
			t.Errorf("%s has --apply, --dry-run: %v, want %v", name, got, want)
		}
	}
	for _, name := range slices.Concat(applying, reading, slices.Collect(maps.Keys(apart))) {
		if !seen[name] {
			t.Errorf("there is no command %s", name)
		}
	}
}

// offers reports whether help shows the flag.
func offers(cmd *cobra.Command, name string) bool {
	flag := cmd.LocalNonPersistentFlags().Lookup(name)
	return flag != nil && !flag.Hidden
}

// ownDryRun are the commands whose dry run has a page of its own, and merge install, which needs git: scripts show them.
var ownDryRun = []string{
	"decision rotate", "dir begin", "doctor", "lost", "merge install", "session adopt", "session unbind", "state rotate", "trust", "undo",
}

// TestD52_ADryRunWritesNothing plays every command that has the flag: first with it, then without.
func TestD52_ADryRunWritesNothing(t *testing.T) {
	t.Parallel()
	const queue = "## Queue\n\n| # | ID | Title |\n|---|---|---|\n| 1 | SPEC-002 | Import |\n\n"
	sites := map[string]map[string]string{
		"empty": {},
		"gsd":   {".planning/STATE.md": gsdDigest},
		"drifted": {
			".planning/STATE.md":                  strings.Replace(gsdDigest, "status:", "progress:\n  percent: 7\nstatus:", 1),
			".planning/phases/02-b/02-01-PLAN.md": "# Plan\n",
		},
		"specs":  {".specflow/STATE.md": strings.Replace(specflowDigest, "## Decisions", queue+"## Decisions", 1)},
		"devt":   {".devt/state/workflow.yaml": "active: true\nphase: plan\n"},
		"locked": {".devt/state/workflow.yaml": "active: true\nphase: plan\n", ".devt/state/.lock": "4194300\n"},
	}
	begun := []string{"task new One --accept A", "session start 1", "task log 1 --did x", "task check 1 1"}
	cases := []struct {
		site, line string
		first      []string
	}{
		{"empty", "init", nil},
		{"empty", "plugin build --out market", nil},
		{"empty", "task new Two", begun},
		{"empty", "task log 1 --did y", begun},
		{"empty", "task check 1 1", begun[:3]},
		{"empty", "task uncheck 1 1", begun},
		{"empty", "task output 1 --summary y", begun},
		{"empty", "task complete 1", append(begun[:4:4], "task output 1 --summary y")},
		{"empty", "task archive 1 --keep 0", begun},
		{"empty", "task claim 1", begun[:1]},
		{"empty", "task release 1", begun},
		{"empty", "task block 1 --reason y", begun},
		{"empty", "task cancel 1 --reason y", begun},
		{"empty", "task edit 1 --title Other --accept B", begun},
		{"empty", "task reopen 1", append(begun[:4:4], "task block 1 --reason y")},
		{"empty", "session start 1", begun[:1]},
		{"empty", "session end 1", begun},
		{"empty", "next", begun[:1]},
		{"gsd", "session end --stopped-at here", nil},
		{"gsd", "state begin 3", []string{"state complete 2"}},
		{"gsd", "state plan 2", nil},
		{"gsd", "state verify 2", nil},
		{"gsd", "config set workflow.research false", nil},
		{"gsd", "state complete 2", nil},
		{"gsd", "state pause lunch", nil},
		{"gsd", "state resume", []string{"state pause lunch"}},
		{"gsd", "state milestone v2.0", nil},
		{"gsd", "state next plan-phase 3", []string{"state complete 2"}},
		{"gsd", "state set Status Paused", nil},
		{"gsd", "state patch Status=Paused", nil},
		{"drifted", "state sync", nil},
		{"gsd", "state advance", []string{"state begin 2 --plans 3"}},
		{"gsd", "state metric 2 1 --duration 5m", nil},
		{"gsd", "state evolution 2 Split --action split", nil},
		{"gsd", "decision add Two", nil},
		{"gsd", "blocker add Slow", nil},
		{"gsd", "blocker resolve 1", nil},
		{"specs", "state active add SPEC-003", []string{"state migrate --apply"}},
		{"specs", "state active set SPEC-001 --next stop", nil},
		{"specs", "state active remove SPEC-001", nil},
		{"specs", "state queue add SPEC-003 --title T", nil},
		{"specs", "state queue remove SPEC-002", nil},
		{"specs", "state queue move SPEC-003 --to 1", []string{"state queue add SPEC-003 --title T"}},
		{"devt", "dir update phase=implement", nil},
		{"locked", "dir unlock --stale", nil},
	}
	played := map[string]bool{}
	for _, c := range cases {
		words := strings.Fields(c.line)
		cmd, _, err := tree(&app.App{}).Find(words)
		if err != nil {
			t.Fatal(err)
		}
		played[app.CommandName(cmd)] = true
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, sites[c.site])
			for _, line := range c.first {
				if got := s.play(t, strings.Fields(line)...); got.code != 0 {
					t.Fatalf("%s: %+v", line, got)
				}
			}
			before := s.everything(t)
			dry := s.play(t, append(words, "--dry-run")...)
			if dry.code != 0 || !strings.HasSuffix(dry.out, "Nothing was written. To do it: run the same command without --dry-run\n") &&
				c.line != "session end 1" && c.line != "task release 1" {
				t.Errorf("%+v", dry)
			}
			var r workspace.Rehearsal
			got := s.play(t, append(words, "--dry-run", "--json")...)
			if err := json.Unmarshal([]byte(got.out), &r); err != nil || got.code != 0 || !r.DryRun {
				t.Errorf("%+v: %v", got, err)
			}
			if diff := cmp.Diff(before, s.everything(t)); diff != "" {
				t.Errorf("a dry run wrote (-before +after):\n%s", diff)
			}
			if got := s.play(t, words...); got.code != 0 {
				t.Errorf("%+v", got)
			}
			after := s.everything(t)
			if cmp.Equal(before, after) {
				t.Error("the command itself writes nothing either")
			}
			if foreseen, done := foreseenIn(r), changedBetween(before, after); !slices.Equal(foreseen, done) {
				t.Errorf("it would change %q, and does change %q", foreseen, done)
			}
		})
	}
	for _, cmd := range leaves(&app.App{}) {
		name := app.CommandName(cmd)
		if offers(cmd, "dry-run") && !played[name] && !slices.Contains(ownDryRun, name) {
			t.Errorf("the dry run of %s was not played", name)
		}
	}
}

// foreseenIn returns the documents that a dry run names, without what baton keeps for itself.
func foreseenIn(r workspace.Rehearsal) []string {
	var names []string
	for _, change := range r.Changes {
		if change.Path != ".baton/local/shared/claims.json" {
			names = append(names, change.Path)
		}
	}
	slices.Sort(names)
	return names
}

// changedBetween returns the documents that differ, without what baton keeps for itself.
func changedBetween(before, after map[string]string) []string {
	all := map[string]string{}
	maps.Copy(all, before)
	maps.Copy(all, after)
	maps.DeleteFunc(all, func(name, text string) bool {
		was, had := before[name]
		is, has := after[name]
		return text == "a folder" || was == is && had == has || strings.HasPrefix(name, ".baton/local/") ||
			strings.HasPrefix(name, ".config/")
	})
	return slices.Sorted(maps.Keys(all))
}

// everything returns all files of a site with their content, and its folders.
func (s site) everything(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = "a folder"
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(s.dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
