package mcpserver

import (
	"slices"
	"testing"

	"baton/internal/agentconfig"
)

// What a client's settings allow are tools of a server that runs no commands. None of them takes what only a person may
// allow (D56).
func TestAllowedToolsExist(t *testing.T) {
	t.Parallel()
	all := map[string]tool{}
	for _, one := range tools(Options{AllTools: true, NoRun: true}) {
		all[one.name] = one
	}
	for _, name := range agentconfig.AllowedTools(agentconfig.AllowWork) {
		one, there := all[name]
		if !there {
			t.Errorf("there is no tool %s", name)
			continue
		}
		if reads := slices.Contains(agentconfig.AllowedTools(agentconfig.AllowReading), name); one.reads != reads {
			t.Errorf("%s reads only: %v, and it is listed as such: %v", name, one.reads, reads)
		}
		if one.destroys {
			t.Errorf("%s may destroy", name)
		}
		for _, p := range one.params {
			if slices.Contains([]string{"run", "force", "steal", "accept", "yes", "dir"}, p.name) && p.shape.Kind().String() != "slice" {
				t.Errorf("%s takes %s", name, p.name)
			}
		}
	}
}

// TestAllowedToolsAreAllOfTheUsualOnes finds a tool that a session is told about, but that --allow does not permit.
func TestAllowedToolsAreAllOfTheUsualOnes(t *testing.T) {
	t.Parallel()
	for _, one := range tools(Options{NoRun: true}) {
		if !one.destroys && !slices.Contains(agentconfig.AllowedTools(agentconfig.AllowWork), one.name) {
			t.Errorf("%s is not allowed", one.name)
		}
	}
}
