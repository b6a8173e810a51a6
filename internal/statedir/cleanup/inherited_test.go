package cleanup

import (
	"testing"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

func TestSDD21_SDK11_WhatAnEarlierWorkflowLeftIsInherited(t *testing.T) {
	t.Parallel()
	c, f := declaration.Declared(), holding(running())
	limit := time.Hour + statedir.FreshTolerance
	for _, name := range []string{
		"review.md", "verification.json", "consolidator-ran.txt", "graph-impact.md", "review-lane-api.json", "slice-A.md",
	} {
		if !c.InheritedIn(f)(aged(name, limit+1)) || c.InheritedIn(f)(aged(name, limit)) || c.InheritedIn(f)(aged(name, 0)) ||
			c.InheritedIn(f)(aged(name, -statedir.Day)) {
			t.Errorf("%s: more than 30 s before the start, and nothing else", name)
		}
	}
	for _, name := range []string{
		"spec.md", "plan.md", "scratchpad.md", "perf-summary.md", "dump.txt", "x.tmp", "graphify-impact-plan.json", "deferred.md",
	} {
		if c.InheritedIn(f)(aged(name, 90*statedir.Day)) {
			t.Errorf("%s does not belong to one workflow", name)
		}
	}
	if c.InheritedIn(f)(folderEntry("review.md", 90*statedir.Day)) {
		t.Error("a folder is nobody's output")
	}
	// An entry that begin keeps because of the session's start is then shown as inherited.
	kept := aged("review.md", 2*time.Hour)
	if p := PlanBegin(c, holding(running(), kept), false); len(p.Moves) > 0 {
		t.Fatalf("the anchor of the session keeps it: %v", moved(p))
	}
	begun := record.Read([]byte("active: true\ncreated_at: \"" + at(0) + "\"\nfirst_created_at: \"" + at(3*time.Hour) + "\"\n"))
	if !c.InheritedIn(holding(begun))(kept) {
		t.Error("it would pass for an output of the new workflow")
	}
}

func TestSDD21_WithoutAStartNothingIsInherited(t *testing.T) {
	t.Parallel()
	for _, r := range []*record.Record{
		nil, record.Read(nil), record.Read([]byte("created_at: soon\n")),
		record.Read([]byte("created_at: \"" + at(-statedir.Day) + "\"\n")),
	} {
		if declaration.Declared().InheritedIn(holding(r))(aged("review.md", 90*statedir.Day)) {
			t.Errorf("inherited from before what? %s", recordText(r))
		}
	}
}
