package project

import (
	"strings"
	"testing"

	"baton/internal/usecase/digests"
)

// GSD-D9: pause and resume keep a line Last activity that a person wrote, and say so; with force they overwrite it.
func TestGSDD9_PauseAndResumeOverAPersonsLine(t *testing.T) {
	t.Parallel()
	const own = "Last activity: yesterday the roof was repaired"
	for _, event := range []string{"pause", "resume"} {
		for _, force := range []bool{false, true} {
			w := newWorld(t)
			w.write(
				".planning/STATE.md",
				"---\nstatus: planning\n---\n\n# Project State\n\n## Current Position\n\nPhase: 1 of 2 (Ground)\n"+
					"Status: Ready to plan\n"+own+"\n",
			)
			if event == "resume" {
				must(w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "pause"}))(t)
			}
			got := must(w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: event, Force: force}))(t)
			kept := strings.Contains(w.read(".planning/STATE.md"), own+"\n")
			if kept == force || len(got.Preserved) > 0 == force {
				t.Errorf("%s, force %v: line kept %v, preserved %+v", event, force, kept, got.Preserved)
			}
		}
	}
}
