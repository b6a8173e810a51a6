package project

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// TestD46_TheFileAloneSaysWhoWroteIt: two projects take the same random steps, and one of them loses .baton/local
// between any two. Both have the same digest after each step.
func TestD46_TheFileAloneSaysWhoWroteIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		kept, wiped := newWorld(t), newWorld(t)
		status := rapid.SampledFrom([]string{"Ready to plan", "waiting for the auditor", "Executing Phase 3", ""}).Draw(r, "status")
		for _, w := range []*world{kept, wiped} {
			w.write(".planning/STATE.md", "---\nstatus: planning\n---\n\n# Project State\n\n## Current Position\n\n"+
				"Phase: 3 of 5 (Billing)\nStatus: "+status+"\nLast activity: 2026-03-02 — roadmap created\n")
		}
		for range rapid.IntRange(1, 6).Draw(r, "steps") {
			event := rapid.SampledFrom([]string{"begin", "plan", "verify", "pause", "resume", "set", "sync"}).Draw(r, "event")
			done := rapid.Bool().Draw(r, "done")
			wipe := rapid.Bool().Draw(r, "wipe")
			step := func(w *world) error {
				p, ctx := w.as("a"), t.Context()
				var err error
				switch event {
				case "set":
					_, err = p.Digests.StateSet(ctx, digests.StateSetRequest{
						Values: []digests.NameValue{{Name: "Status", Value: "by hand"}},
					})
				case "sync":
					_, err = p.Digests.StateSync(ctx, digests.StateSyncRequest{})
				default:
					req := digests.TransitionRequest{Event: event, Done: done && event != "pause" && event != "resume"}
					if event != "pause" && event != "resume" {
						req.Phase = "3"
					}
					_, err = p.Digests.Transition(ctx, req)
				}
				return err
			}
			one, two := step(kept), step(wiped)
			if (one == nil) != (two == nil) || kept.planned() != wiped.planned() {
				r.Fatalf("%s: %v, %v\n%s\n---\n%s", event, one, two, kept.planned(), wiped.planned())
			}
			if wipe {
				if err := os.RemoveAll(wiped.path(workspace.RuntimeDir)); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
