package project

import (
	"testing"

	"baton/internal/report"
	"baton/internal/workspace"
)

// TestD47_DoctorReportsPlacesThatNameDifferentReleases checks that the doctor names the place that decides and those
// that contradict it. Which one is right, only a person knows.
func TestD47_DoctorReportsPlacesThatNameDifferentReleases(t *testing.T) {
	t.Parallel()
	const (
		plain   = "---\nstatus: planning\n---\n\n# Project State\n\nStatus: Ready to plan\n"
		stamped = "---\nstatus: planning\nstate_head: abc1234\n---\n\n# Project State\n\nStatus: Ready to plan\n"
		config  = ".planning/config.json"
		hook    = ".claude/hooks/gsd-statusline.js"
	)
	setting := func(version string) string { return "gsd: {version: " + version + "}\n" }
	hooked := func(version string) string { return "#!/usr/bin/env node\n// gsd-hook-version: " + version + "\n" }
	for name, c := range map[string]struct {
		files        map[string]string
		digest, want string
	}{
		"nothing says it": {nil, plain, ""},
		"one place":       {nil, stamped, ""},
		"the same but for the patch": {map[string]string{
			".baton/config.yaml": setting("1.14.0"), config: `{"version": "v1.14"}`, hook: hooked("1.14.2"),
		}, stamped, ""},
		"newer than 1.14": {map[string]string{hook: hooked("1.15.0")}, stamped, ""},
		"no version":      {map[string]string{config: `{"version": 2}`, hook: hooked("1.10.0")}, plain, ""},
		"hooks": {
			map[string]string{config: `{"version": "1.10.0"}`, hook: hooked("1.14.0")},
			plain,
			"GSD is 1.10 according to .planning/config.json, which counts, but 1.14 according to the hooks of GSD",
		},
		"older than 1.14": {
			map[string]string{hook: hooked("1.11.0")},
			stamped,
			"GSD is 1.11 according to the hooks of GSD, which counts, but 1.14 or newer according to state_head",
		},
		"all of them": {
			map[string]string{".baton/config.yaml": setting("1.10.0"), config: `{"version": "1.12"}`, hook: hooked("1.13.1")},
			stamped,
			"GSD is 1.10 according to gsd.version, which counts, but 1.12 according to .planning/config.json, " +
				"1.13 according to the hooks of GSD, 1.14 or newer according to state_head",
		},
	} {
		w := newWorld(t)
		w.write(".planning/STATE.md", c.digest)
		for file, text := range c.files {
			w.write(file, text)
		}
		f, _ := diagnosed(w.doctor(workspace.DoctorRequest{}), report.CodeReleaseConflict)
		if f.Text != c.want {
			t.Errorf("%s: %q, want %q", name, f.Text, c.want)
		}
		if f.Text != "" && (f.Severity != report.Warning || f.Path != ".planning/STATE.md" || f.Advice == "" || f.Fixable) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	w := newWorld(t)
	w.write(".specflow/STATE.md", stamped)
	w.write(hook, hooked("1.11.0"))
	if f, found := diagnosed(w.doctor(workspace.DoctorRequest{}), report.CodeReleaseConflict); found {
		t.Errorf("a digest that is not GSD's: %+v", f)
	}
}
