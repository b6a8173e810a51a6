package vectors

import "strings"

// devtForms has the native command for each call of devt-tools, or the reason why there is none.
var devtForms = []form{
	{verb: "state audit", native: always("dir", "audit")},
	{verb: "state cleanup", native: func(c call) [][]string {
		args := c.with([]string{"dir", "cleanup"}, "--stale-days", "--stale-days", "--ad-hoc-stale-days", "--ad-hoc-stale-days")
		if c.flag("--apply") != "" {
			args = append(args, "--apply")
		}
		return commands(args...)
	}},
	{verb: "state reset", native: always("dir", "reset", "--apply")},
	{verb: "state evict-workflow-artifacts", native: func(c call) [][]string {
		if c.flag("--dry-run") != "" {
			return commands("dir", "evict")
		}
		return commands("dir", "evict", "--apply")
	}},
	{verb: "state history", native: func(c call) [][]string {
		return commands(c.with([]string{"dir", "history"}, "--limit", "--limit")...)
	}},
	{verb: "state read", native: always("dir", "read", "--json")},
	// The original stores unknown phases, tiers and types with a warning, and passes over other words.
	{verb: "state update", native: func(c call) [][]string {
		args := []string{"dir", "update", "--force"}
		for _, word := range c.words {
			if strings.Contains(word, "=") {
				args = append(args, word)
			}
		}
		return commands(args...)
	}},
	{verb: "state validate", native: always("dir", "validate")},
	{verb: "state release", native: func(c call) [][]string {
		if recordOf(c.record)["active"] == "false" {
			return nil // nothing to release: the original writes nothing either
		}
		return commands("dir", "update", "active=false", "phase=cancelled", "status=cancelled", "released_at="+c.now)
	}},
	{verb: "state evict-graphify", none: "5.8.3: rule 4 of `dir evict` takes the files of the impact step; they have no own command"},
	{verb: "state prune", none: "5.8: native sweeps are cleanup, reset, evict and begin; what prune takes moves with reset"},
	{verb: "state sync", none: "5.6: the native record says what was told to it; nothing is inferred from files"},
	{verb: "state list-lane-outputs", none: "5.13.4 is only for the front end; lanes are in `dir read --json`"},
	{verb: "state update-lane", none: "5.6.3: lanes cannot be set natively"},
	{verb: "state new-instance", none: "5.12: the first command with the id of an instance makes its folder"},
	{verb: "state list-instances", none: "5.13.4 is only for the front end"},
	{verb: "state truncate-artifact", none: "SD-D7: nothing is emptied; an editor or `dir reset` does it"},
	{verb: "state read-section", none: "5.13.4 is only for the front end"},
	{verb: "state read-sidecar", none: "5.13.4 is only for the front end; `dir validate` checks sidecars"},
	{verb: "deferred add", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred list", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred get", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred close", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred reopen", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred count", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "stuck", none: "5.13.5 is only for the front end"},
	{verb: "stuck check", none: "5.13.5 is only for the front end"},
}

// devtCall reads the words of a call of devt-tools.
func devtCall(argv []string) call {
	c := call{verb: strings.Join(argv[:min(2, len(argv))], " ")}
	c.words, c.flags = flagged(argv[min(2, len(argv)):], "--apply", "--dry-run")
	return c
}
