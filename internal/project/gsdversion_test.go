package project

import (
	"strings"
	"testing"

	"baton/internal/usecase/digests"
)

// TestF61n_D47_TheProjectsGSDDecidesWhatIsComplete checks each place that says which GSD a project has, the first of
// them first. GSD 1.14 counts a phase only with a passed verification; where baton counted it before, its sync and
// GSD's would write different numbers in turn.
func TestF61n_D47_TheProjectsGSDDecidesWhatIsComplete(t *testing.T) {
	t.Parallel()
	const digest = "---\nstatus: planning\nprogress:\n  total_phases: 3\n  completed_phases: 0\n  percent: 0\n---\n\n# Project State\n\n" +
		"## Current Position\n\nPhase: 3 of 5 (Billing)\nStatus: Ready to plan\n\n### Pending Todos\n\nNone yet.\n"
	for name, c := range map[string]struct {
		files    map[string]string
		digest   string
		complete bool
	}{
		"nothing says it":      {nil, digest, true},
		"setting":              {map[string]string{".baton/config.yaml": "gsd: {version: 1.14.0}\n"}, digest, false},
		"config":               {map[string]string{".planning/config.json": `{"version": "1.14.0"}`}, digest, false},
		"config, another kind": {map[string]string{".planning/config.json": `{"version": 2}`}, digest, true},
		"hook": {map[string]string{
			".claude/hooks/gsd-statusline.js": "#!/usr/bin/env node\n// gsd-hook-version: 1.14.0\n",
			".claude/hooks/gsd-old.js":        "#!/usr/bin/env node\n// gsd-hook-version: 1.9.0\n",
		}, digest, false},
		"state_head": {nil, strings.Replace(digest, "status: planning", "status: planning\nstate_head: abc1234", 1), false},
		"the setting wins": {map[string]string{
			".baton/config.yaml": "gsd: {version: 1.10.0}\n", ".planning/config.json": `{"version": "1.14.0"}`,
		}, digest, true},
	} {
		w := newWorld(t)
		w.write(".planning/STATE.md", c.digest)
		w.write(".planning/ROADMAP.md", "# Roadmap\n\n### Phase 3: Billing\n### Phase 4: Observability\n### Phase 5: Release\n")
		w.write(".planning/phases/03-billing/03-01-PLAN.md", "")
		w.write(".planning/phases/03-billing/03-01-SUMMARY.md", "")
		w.write(".planning/todos/pending/tax.md", "")
		for file, text := range c.files {
			w.write(file, text)
		}
		must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
		done := strings.Contains(w.planned(), "completed_phases: 1")
		stays := strings.Contains(w.planned(), "None yet.")
		if done != c.complete || stays == c.complete {
			t.Errorf("%s: complete %v, the to-dos stay %v:\n%s", name, done, stays, w.planned())
		}
		w.write(".planning/phases/03-billing/03-VERIFICATION.md", "---\nstatus: passed\n---\n")
		must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
		if !strings.Contains(w.planned(), "completed_phases: 1") {
			t.Errorf("%s: a verified phase is not complete:\n%s", name, w.planned())
		}
	}
}

// TestD47_StateHead checks that a change notes the commit from GSD 1.14 on, and only where GSD does: in a checkout
// whose root is the project's.
func TestD47_StateHead(t *testing.T) {
	t.Parallel()
	const head = "0123456789abcdef0123456789abcdef01234567"
	for name, c := range map[string]struct {
		version, config string
		stamped         bool
	}{
		"1.14":               {"1.14.0", "{}", true},
		"1.11":               {"1.11.0", "{}", false},
		"other repositories": {"1.14.0", `{"planning": {"sub_repos": ["api"]}}`, false},
	} {
		w := newWorld(t)
		w.write(".git/HEAD", head+"\n")
		w.write(".git/config", "[core]\n\tbare = false\n")
		w.write(".planning/STATE.md", "---\nstatus: planning\nlast_updated: x\n---\n\n# P\n\nStatus: Ready to plan\n")
		w.write(".planning/config.json", c.config)
		w.write(".baton/config.yaml", "gsd: {version: "+c.version+"}\n")
		set := digests.StateSetRequest{Values: []digests.NameValue{{Name: "status", Value: "Executing the valve"}}}
		must(w.as("a").Digests.StateSet(t.Context(), set))(t)
		if got := strings.Contains(w.planned(), "state_head: "+head); got != c.stamped {
			t.Errorf("%s, commit %s:\n%s", name, head, w.planned())
		}
		if whole := strings.Contains(w.planned(), "status: Executing the valve"); whole != (c.version == "1.14.0") {
			t.Errorf("%s:\n%s", name, w.planned())
		}
		was := w.planned()
		must(w.as("a").Digests.StateSet(t.Context(), set))(t)
		must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
		if w.planned() != was {
			t.Errorf("%s: without a change it wrote\n%s", name, w.planned())
		}
	}
}
