package project

import (
	"strings"
	"testing"

	"baton/internal/usecase/digests"
)

// D31: how many fsyncs a change of a digest needs, in every layout. The lock of another program needs none, nor do
// reads, dry runs and changes with nothing to do.
func TestD31_SyncsOfEveryChangeOfADigest(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.write(dir+"/STATE.md", strings.Replace(text, "note 1\nnote 2\nnote 3\nnote 4\n", "note 1\n", 1)) // 97 lines
			costs := func(what string, want int64, use func(p *Project)) {
				t.Helper()
				if n := s.syncs(use); n != want {
					t.Errorf("%s took %d fsyncs, want %d", what, n, want)
				}
			}
			add := func(rotates bool) func(p *Project) {
				return func(p *Project) {
					added := must(p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "one more", Date: "2026-02-03"}))(t)
					if added.Rotation.Rotated != rotates {
						t.Errorf("the rotation: %+v", added.Rotation)
					}
				}
			}
			dry := func(p *Project) {
				keep := 2
				if out := must(p.Digests.StateRotate(t.Context(), digests.RotateRequest{DryRun: true, Keep: &keep}))(
					t,
				); out.Rotation.Moved == 0 {
					t.Errorf("nothing would move: %+v", out.Rotation)
				}
			}
			costs("the first change, which makes the runtime folder", 3, add(false))
			costs("a decision", 2, add(false))
			costs("a decision that brings the digest to its limit", 2, add(false))
			costs("a dry rotation", 0, dry)
			costs(
				"a rotation with nothing to do", 0,
				func(p *Project) { must(p.Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t) },
			)
			costs("a decision with a new archive", 6, add(true))
			s.lengthen(dir, 101)
			costs("a decision with a rotation into an archive", 6, func(p *Project) {
				keep := 5
				added := must(p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "the last one", Date: "2026-02-04"}))(t)
				if !added.Rotation.Rotated || added.Rotation.Kept != keep {
					t.Errorf("the rotation: %+v", added.Rotation)
				}
			})
			keep := 1
			costs(
				"an explicit rotation", 6,
				func(p *Project) { must(p.Digests.StateRotate(t.Context(), digests.RotateRequest{Keep: &keep}))(t) },
			)
			costs("the same again", 0, func(p *Project) { must(p.Digests.StateRotate(t.Context(), digests.RotateRequest{Keep: &keep}))(t) })
			s.readsOf(dir, costs)
			if dir == ".specflow" {
				s.specflowSyncs(costs)
			} else {
				s.gsdSyncs(dir, costs)
			}
			for name := range s.files() {
				if strings.HasSuffix(name, "STATE.md.lock") || strings.HasSuffix(name, ".state.lock") {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
}

type costing func(what string, want int64, use func(p *Project))

// lengthen adds notes at the end of a digest until it has a number of lines.
func (s *stage) lengthen(dir string, lines int) {
	text := s.read(dir + "/STATE.md")
	s.write(dir+"/STATE.md", text+strings.Repeat("one more note\n", max(0, lines-strings.Count(text, "\n"))))
}

func (s *stage) readsOf(dir string, costs costing) {
	s.t.Helper()
	ctx := s.t.Context()
	before := s.files()
	costs("state show", 0, func(p *Project) { must(p.Digests.State(ctx))(s.t) })
	costs("decision list", 0, func(p *Project) { must(p.Digests.Decisions(ctx, digests.DecisionListRequest{All: true}))(s.t) })
	costs("state validate", 0, func(p *Project) { must(p.Digests.StateValidate(ctx))(s.t) })
	for name, text := range s.files() {
		if before[name] != text {
			s.t.Errorf("%s: a read wrote %s", dir, name)
		}
	}
}

func (s *stage) gsdSyncs(dir string, costs costing) {
	s.t.Helper()
	ctx := s.t.Context()
	set := func(p *Project) {
		must(p.Digests.StateSet(ctx, digests.StateSetRequest{Values: []digests.NameValue{{Name: "milestone", Value: "v3"}}}))(s.t)
	}
	costs("state set", 2, set)
	costs("state set again", 0, set)
	costs("blocker add", 2, func(p *Project) { must(p.Digests.AddBlocker(ctx, digests.BlockerRequest{Text: "the crane"}))(s.t) })
	costs("blocker add", 2, func(p *Project) { must(p.Digests.AddBlocker(ctx, digests.BlockerRequest{Text: "the tide"}))(s.t) })
	costs(
		"blocker resolve with a new archive", 6,
		func(p *Project) { must(p.Digests.ResolveBlocker(ctx, digests.ResolveRequest{Text: "crane"}))(s.t) },
	)
	costs("blocker resolve", 6, func(p *Project) { must(p.Digests.ResolveBlocker(ctx, digests.ResolveRequest{Text: "tide"}))(s.t) })
	if text := s.read(dir + "/STATE-ARCHIVE.md"); !strings.Contains(text, "the crane") || !strings.Contains(text, "the tide") {
		s.t.Errorf("the archive says:\n%s", text)
	}
	costs("session end", 2, func(p *Project) {
		must(p.Digests.EndDigestSession(ctx, digests.DigestSessionRequest{StoppedAt: "the gauge"}))(s.t)
	})
	sync := func(p *Project) { must(p.Digests.StateSync(ctx, digests.StateSyncRequest{}))(s.t) }
	s.syncs(sync)
	costs("sync with nothing to do", 0, sync)
}

func (s *stage) specflowSyncs(costs costing) {
	s.t.Helper()
	ctx := s.t.Context()
	set := func(p *Project) {
		must(p.Digests.ActiveChange(ctx, digests.ActiveRequest{Verb: "set", ID: "SPEC-001", Status: "review"}))(s.t)
	}
	costs("state active set", 2, set)
	costs("state active set again", 0, set)
	costs("state queue add", 2, func(p *Project) {
		must(p.Digests.QueueChange(ctx, digests.QueueRequest{Verb: "add", ID: "SPEC-009", Title: "Nine"}))(s.t)
	})
	sync := func(p *Project) { must(p.Digests.StateSync(ctx, digests.StateSyncRequest{}))(s.t) }
	s.syncs(sync)
	costs("sync with nothing to do", 0, sync)
	s.write(".specflow/execution/SPEC-001-state.json", `{"mode": "orchestrated", "waves": [{"status": "complete"}]}`)
	costs("sync of an execution", 2, sync)
	costs("the same again", 0, sync)
}
