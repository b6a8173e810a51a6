package declaration

import (
	"slices"

	"baton/internal/statedir"
)

// declaredRow is a canonical name as the program declares it (5.2). All other lists, including the
// sets that evict moves and their order, are derived from these rows, so that no two lists can
// disagree (SD-D2).
type declaredRow struct {
	name       string
	dir        bool
	kind       string
	writers    []string
	purpose    string
	statuses   []string // that the Markdown file itself may contain
	sidecar    *pair    // of a JSON file that contains the status of a Markdown file
	exempt     bool
	listed     int    // position in the order of evict rule 1, from 1; 0 if it is not in it
	scoped     int    // the same for rule 2
	graph      int    // the same for rule 4
	never      int    // position among the outputs of several workflows, which only reset moves (SD-D13)
	gate       string // meaning of the file for a gate of the original tool, or ""
	from       string // provenance
	undeclared bool   // the original tool does not declare the name, although the rules of the folder do
}

// pair is the declaration of a sidecar.
type pair struct {
	markdown string
	status   []string
	verdict  []string
	agent    []string
}

// Provenances say where a name or a pattern comes from.
const (
	fromSeed      = "seed"      // the written rules of the folder
	fromReference = "reference" // the original tool declares it in addition to these rules
	fromBaton     = "baton"     // the original tool or a later release writes it but does not declare it (SD-D3)
	fromProject   = "project"   // contract.yaml
)

// row returns the row as the contract returns it.
func (d declaredRow) row() *statedir.Row {
	r := &statedir.Row{
		Name: d.name, Type: statedir.TypeFile, Kind: d.kind, Writers: d.writers, Purpose: d.purpose,
		Statuses: d.statuses,
		Accepted: acceptedBesides(d.statuses), Exempt: d.exempt, Eviction: []statedir.EvictRule{}, Provenance: d.from,
		Declared: d.from != fromBaton && !d.undeclared,
	}
	if d.dir {
		r.Type = statedir.TypeDir
	}
	for _, rule := range []struct {
		place int
		rule  statedir.EvictRule
	}{{d.listed, statedir.EvictList}, {d.scoped, statedir.EvictScoped}, {d.graph, statedir.EvictGraph}} {
		if rule.place > 0 {
			r.Eviction = append(r.Eviction, rule.rule)
		}
	}
	return r
}

// place returns the position of the row in an evict rule, or 0 if the rule does not include it.
func (d declaredRow) place(rule statedir.EvictRule) int {
	switch rule {
	case statedir.EvictList:
		return d.listed
	case statedir.EvictScoped:
		return d.scoped
	case statedir.EvictGraph:
		return d.graph
	}
	return 0
}

// declaredRows returns the canonical names in the order of the contract.
func declaredRows() []declaredRow {
	rows := controlRows()
	rows = append(rows, artifactRows()...)
	rows = append(rows, pairRows()...)
	rows = append(rows, logRows()...)
	rows = append(rows, auditRows()...)
	rows = append(rows, referenceRows()...)
	rows = append(rows, undeclaredRows()...)
	return append(rows, folderRows()...)
}

// partial is a status of Markdown files that is accepted in addition to the original tool's
// (SD-D5).
const partial = "PARTIAL"

// laterLaneStatus is a status of a lane that exists only in later releases of the original tool.
const laterLaneStatus = "lane_failed"

// Statuses that a Markdown file may contain (5.5).
func workStatuses() []string {
	return []string{"DONE", "DONE_WITH_CONCERNS", "BLOCKED", "NEEDS_CONTEXT", partial}
}

func debugStatuses() []string {
	return []string{"FIXED", "NEEDS_MORE_INVESTIGATION", "DONE_WITH_CONCERNS", "BLOCKED", partial}
}

// acceptedBesides returns the statuses of a Markdown file that the original tool does not accept,
// or nil.
func acceptedBesides(statuses []string) []string {
	if slices.Contains(statuses, partial) {
		return []string{partial}
	}
	return nil
}

func briefStatuses() []string { return []string{"FRESH", "STALE", "MISSING"} }

// Words of the sidecars (5.5).
func summaryStatuses() []string {
	return []string{"DONE", "DONE_WITH_CONCERNS", "PARTIAL", "BLOCKED", "NEEDS_CONTEXT"}
}

func summaryVerdicts() []string { return []string{"PASS", "FAIL", "INDETERMINATE"} }

func verificationStatuses() []string {
	return []string{"VERIFIED", "GAPS_FOUND", "FAILED", "DONE_WITH_CONCERNS", "PARTIAL"}
}

func verificationVerdicts() []string { return []string{"satisfied", "needs_revision", "failed"} }

func reviewStatuses() []string { return []string{"DONE", "PARTIAL", "BLOCKED"} }

func reviewVerdicts() []string { return []string{"APPROVED", "APPROVED_WITH_NOTES", "NEEDS_WORK"} }
