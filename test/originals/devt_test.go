//go:build originals

package originals

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

// devt is a devt project in play.
type devt struct {
	*world
}

func TestDevtAndBatonReadTheSame(t *testing.T) {
	program := filepath.Join(checkout(t, "devt"), "bin", "devt-tools.cjs")
	d := &devt{newWorld(t, "devt", ".devt/state", node(t), program)}
	// The ring of snapshots has its own tests: devt removes the oldest for good.
	d.write("../config.json", "{\"state\": {\"archive_runs\": 1000}}\n")
	d.write("plan.md", "# Plan\n\n"+d.entry("A plan")+"\n")
	play(d.world, system{
		original: d.theirs(), baton: d.ours(), person: d.byHand(), compare: d.compare,
	}, number("BATON_ALTERNATIONS", 20))
}

// change returns what an update says, for both programs.
func (d *devt) change() []string {
	switch d.rng.IntN(8) {
	case 0:
		return []string{"active=true", "workflow_type=" + d.kind(), "task=" + d.words("Their task"), "phase=context_init"}
	case 1:
		return []string{"status=" + d.pick("DONE", "BLOCKED", "in_progress"), "verdict=" + d.pick("PASS", "FAIL", "null")}
	case 2:
		return []string{"stop_at_phase=" + d.pick("null", "test"), "autonomous=" + d.pick("true", "false", "null")}
	case 3:
		return []string{"iteration=" + d.pick("0", "1", "2"), "tier=" + d.pick("SIMPLE", "STANDARD", "COMPLEX")}
	case 4:
		return []string{"active=" + d.pick("true", "false")}
	case 5:
		return []string{"note_of_ours=" + d.words("A value: with \"marks\", and")}
	}
	return []string{"phase=" + d.pick("implement", "test", "review", "verify", "scan", "plan")}
}

// kind returns a type of workflow.
func (d *devt) kind() string { return d.pick("dev", "debug", "code_review", "quick_implement") }

// theirs are the steps of devt.
func (d *devt) theirs() []step {
	state := func(args ...string) { d.play("devt", append([]string{"state"}, args...)...) }
	return []step{
		{10, func() { state(append([]string{"update"}, d.change()...)...) }},
		{2, func() { state("cleanup", "--apply") }},
		{1, func() { state("reset") }},
		{1, func() { state("evict-workflow-artifacts", "--dry-run") }},
		{1, func() { state("release") }},
		{2, func() { d.play("devt", "deferred", "add", d.entry("Deferred")) }},
		{1, func() { d.play("devt", "deferred", "close", "DEF-001") }},
	}
}

// ours are the steps of baton.
func (d *devt) ours() []step {
	dir := func(args ...string) answer { return d.play("baton", append([]string{"dir"}, args...)...) }
	return []step{
		{8, func() { dir(append([]string{"update"}, d.change()...)...) }},
		{3, func() { dir("begin", d.kind(), d.words("Our task"), "--steal") }},
		{2, func() { dir("cleanup", "--apply") }},
		{1, func() { dir("reset", "--apply", "--steal") }},
		{1, func() { dir("evict", "--apply") }},
		{1, func() {
			var all struct {
				Snapshots []struct{ Name string }
			}
			got := d.baton("dir", "history", "--json")
			if err := json.Unmarshal([]byte(got.out), &all); err != nil {
				d.fail("%v\n%s", err, got.out)
			}
			if n := len(all.Snapshots); n > 0 {
				dir("restore", all.Snapshots[d.rng.IntN(n)].Name, "--apply")
			}
		}},
	}
}

// byHand are the steps of agents, which write their files.
func (d *devt) byHand() []step {
	return []step{{1, func() {
		name := d.pick("plan.md", "review.md", "review-api.md", "impl-summary.md", "test-summary.md", "spec.md", "notes of mine.md",
			"research.md", "debug-summary.md", "scratch.txt", "x.tmp")
		if d.read(name) != "" {
			return // agents add to folders here; what they overwrite would be gone
		}
		d.steps = append(d.steps, "an agent writes "+name)
		d.write(name, "# "+name+"\n\n## Status: DONE\n\n"+d.entry("A file")+"\n")
	}}}
}

// compare reads the folder with both programs: the record, and what belongs to the folder.
func (d *devt) compare() []difference {
	theirs, ours := d.object(d.tool("state", "read")), d.record()
	var keys []string
	for key := range theirs {
		keys = append(keys, key)
	}
	for key := range ours {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var out []difference
	for _, key := range slices.Compact(keys) {
		out = different(out, "record."+key, pathOf(theirs, key), pathOf(ours, key))
	}
	audit, listed := d.object(d.tool("state", "audit")), d.object(d.baton("dir", "audit", "--all", "--json"))
	for _, bucket := range []string{"canonical", "pattern_allowed", "ephemeral", "ad_hoc"} {
		out = different(out, "audit."+bucket, d.names(audit, bucket), d.names(listed, bucket))
	}
	return out
}

// record returns what baton reads, empty without a record.
func (d *devt) record() map[string]any {
	got := d.baton("dir", "read", "--json")
	if got.exit != 0 {
		return map[string]any{}
	}
	return d.object(got)
}

// names returns the names in a bucket, sorted.
func (d *devt) names(audit map[string]any, bucket string) string {
	buckets, _ := audit["buckets"].(map[string]any)
	rows, _ := buckets[bucket].([]any)
	var out []string
	for _, row := range rows {
		out = append(out, pathOf(row.(map[string]any), "name"))
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}
