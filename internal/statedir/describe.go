package statedir

import (
	"maps"
	"slices"
	"time"
)

// Description is the whole contract as data.
type Description struct {
	Version        int                 `json:"version"`
	Layouts        map[string]string   `json:"layouts"` // layout to folder
	Defaults       map[string]int      `json:"defaults"`
	Canonical      []Row               `json:"canonical"`
	Patterns       []Pattern           `json:"patterns"`
	Ephemeral      []Pattern           `json:"ephemeral_patterns"`
	Sidecars       []Sidecar           `json:"sidecars"`
	Eviction       map[string][]string `json:"eviction"` // names or patterns of each rule, in its order; "never" only reset moves
	Exempt         []string            `json:"reset_exempt"`
	Schemas        []string            `json:"schemas"` // names for --schema
	RecordFields   []RecordField       `json:"record_fields"`
	WorkflowTypes  []string            `json:"workflow_types"`
	Aliases        map[string]string   `json:"workflow_type_aliases"`
	Tiers          []string            `json:"tiers"`
	LaneStatuses   []string            `json:"lane_statuses"`
	LaterStatuses  []string            `json:"lane_statuses_of_later_releases"`
	Phases         []string            `json:"phases"`
	PhaseArtifacts [][2]string         `json:"phase_artifacts"`
	GateMarkers    map[string]string   `json:"gate_markers"`
	Directories    map[string]string   `json:"directories"` // which folders are those of instances (5.12), and what the others are
	Kinds          [][2]string         `json:"kinds"`       // kinds of rows in the order in which people are shown them, with a heading
}

// DescriptionVersion is the version of the form of a Description.
const DescriptionVersion = 1

// Describe gives the whole contract as data.
func (c *Contract) Describe() Description {
	current := func(status string) bool { return status != laterLaneStatus }
	later := func(status string) bool { return status == laterLaneStatus }
	return Description{
		Version:   DescriptionVersion,
		Layouts:   map[string]string{"devt": DevtFolder, "baton": BatonFolder},
		Defaults:  c.defaults(),
		Canonical: c.Rows(), Patterns: c.Patterns(), Ephemeral: c.Ephemerals(), Sidecars: c.Sidecars(),
		Eviction: map[string][]string{
			string(EvictList):   c.evictionList(EvictList),
			string(EvictScoped): c.evictionList(EvictScoped),
			"slug_patterns":     append([]string{}, c.slugs...),
			string(EvictGraph):  c.evictionList(EvictGraph),
			"never":             append([]string{}, c.never...),
		},
		Exempt: c.exempt(), Schemas: c.Schemas(),
		RecordFields: recordFields(), WorkflowTypes: workflowTypes(), Aliases: typeAliases(), Tiers: tiers(),
		LaneStatuses: slices.DeleteFunc(laneStatuses(), later), LaterStatuses: slices.DeleteFunc(laneStatuses(), current),
		Phases: phases(), PhaseArtifacts: phaseArtifacts(), GateMarkers: maps.Clone(c.gates),
		Directories: directories(), Kinds: kinds(),
	}
}

// defaults gives the numbers that hold where nobody says another. Days are of 24 hours.
func (c *Contract) defaults() map[string]int {
	runs := ArchiveRuns
	if c.runs > 0 {
		runs = c.runs
	}
	return map[string]int{
		"stale_days": c.staleDays, "begin_stale_days": BeginStaleDays, "archive_runs": runs,
		"freshness_grace_ms": int(FreshTolerance / time.Millisecond), "clock_skew_ms": int(Skew / time.Millisecond),
	}
}

// exempt gives the names that reset leaves, in the order of the declaration.
func (c *Contract) exempt() []string {
	names := []string{}
	for _, r := range c.order {
		if r.Exempt {
			names = append(names, r.Name)
		}
	}
	return names
}

// directories says in words which folders the contract knows besides the declared ones.
func directories() map[string]string {
	return map[string]string{
		"instance_name": "^[A-Za-z0-9_-]{1,64}$",
		"instance_if": "the name matches and (" + InstancesName + "/NAME.json exists or the folder holds " + RecordName + ", " + LockName + " or " +
			ArchiveName + ")",
		"others": "ad_hoc, whatever their names",
	}
}

// kinds gives the kinds of rows in the order in which people are shown them, with their headings.
func kinds() [][2]string {
	return [][2]string{
		{"control", "Control of the workflow"},
		{"artifact", "Outputs"},
		{"sidecar-markdown", "Summaries, for people"},
		{"sidecar-json", "Summaries, for programs"},
		{"gate-marker", "Marks of gates"},
		{"input-json", "Inputs of other steps"},
		{"log", "Logs"},
		{"audit-only", "For audits"},
		{"lock", "Locks"},
		{"project", "Of the project"},
		{"archive", "Archive"},
		{"register", "Register"},
	}
}
