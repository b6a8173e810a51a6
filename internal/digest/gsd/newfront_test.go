package gsd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestF61f_TheFirstWriteAddsTheFrontMatter checks that a digest without front matter gets all keys
// that its body has values for, after whatever change.
func TestF61f_TheFirstWriteAddsTheFrontMatter(t *testing.T) {
	t.Parallel()
	const last = "last_updated: \"2026-08-10T09:23:45.250Z\"\n"
	for _, c := range []struct{ name, text, want string }{
		{
			"older fields", "# L\n\n**Current Phase:** 2\n**Current Plan:** 1\n**Status:** Planning\n**Progress:** 25%\n" +
				"**Last Activity:** 2026-08-05 — weighed\n",
			"---\ngsd_state_version: '1.0'\nstatus: planning\nprogress:\n  percent: 25\ncurrent_phase: \"2\"\ncurrent_plan: \"1\"\n" +
				last + "last_activity: 2026-08-05\nlast_activity_desc: weighed\n---\n\n",
		},
		{"nothing is known", "# L\n", "---\ngsd_state_version: '1.0'\nstatus: unknown\n" + last + "---\n\n"},
		{"a block that never ends", "---\nstatus: planning\nmilestone: v1\n\n# L\n", ""},
		{"a mark that nobody sees", "---  \nstatus: planning\nmilestone: v1\n---\n", ""},
	} {
		text := c.text + "\nmore\n"
		e, err := Parse([]byte(text)).Touch(Parse([]byte(c.text)), "", moment)
		if diff := cmp.Diff(c.want+text, string(e.Text)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
}
