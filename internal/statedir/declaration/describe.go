package declaration

import (
	"maps"
	"slices"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// Description is the whole contract as data.
type Description struct {
	Version   int                `json:"version"`
	Layouts   map[string]string  `json:"layouts"`          // layout to folder
	Folder    string             `json:"folder,omitempty"` // takes the place of the layout's
	Defaults  map[string]int     `json:"defaults"`
	Canonical []statedir.Row     `json:"canonical"`
	Patterns  []statedir.Pattern `json:"patterns"`
	Ephemeral []statedir.Pattern `json:"ephemeral_patterns"`
	Sidecars  []statedir.Sidecar `json:"sidecars"`
	// Eviction has the names or patterns of each rule in order; those of "never" are moved only by
	// reset.
	Eviction       map[string][]string `json:"eviction"`
	Exempt         []string            `json:"reset_exempt"`
	Schemas        []string            `json:"schemas"` // names that --schema accepts
	RecordFields   []record.Field      `json:"record_fields"`
	WorkflowTypes  []string            `json:"workflow_types"`
	Aliases        map[string]string   `json:"workflow_type_aliases"`
	Tiers          []string            `json:"tiers"`
	LaneStatuses   []string            `json:"lane_statuses"`
	LaterStatuses  []string            `json:"lane_statuses_of_later_releases"`
	Phases         []string            `json:"phases"`
	PhaseArtifacts [][2]string         `json:"phase_artifacts"`
	GateMarkers    map[string]string   `json:"gate_markers"`
	// Directories says which folders belong to instances (5.12), and what all others are.
	Directories map[string]string `json:"directories"`
	// Kinds are the kinds of rows and their headings, in the order in which people see them.
	Kinds [][2]string `json:"kinds"`
}

// descriptionVersion is the version of Description.
const descriptionVersion = 1

// Describe returns the whole contract as data.
func (c *Contract) Describe() Description {
	current := func(status string) bool { return status != laterLaneStatus }
	later := func(status string) bool { return status == laterLaneStatus }
	words, artifacts := c.words, record.PhaseArtifacts()
	if words == nil {
		words = record.DevtWords()
	}
	if c.bare {
		artifacts = [][2]string{}
	}
	return Description{
		Version: descriptionVersion, Folder: c.dir,
		Layouts:   map[string]string{"devt": statedir.DevtFolder, "baton": statedir.BatonFolder},
		Defaults:  c.defaults(),
		Canonical: c.Rows(), Patterns: c.Patterns(), Ephemeral: c.Ephemerals(), Sidecars: c.Sidecars(),
		Eviction: map[string][]string{
			string(statedir.EvictList):   c.EvictionList(statedir.EvictList),
			string(statedir.EvictScoped): c.EvictionList(statedir.EvictScoped),
			"slug_patterns":              append([]string{}, c.slugs...),
			string(statedir.EvictGraph):  c.EvictionList(statedir.EvictGraph),
			"never":                      append([]string{}, c.never...),
		},
		Exempt: c.exempt(), Schemas: c.Schemas(),
		RecordFields: record.FieldsWith(c.words), WorkflowTypes: listOf(words.Types), Aliases: words.Aliases,
		Tiers:         listOf(words.Tiers),
		LaneStatuses:  slices.DeleteFunc(record.LaneStatuses(), later),
		LaterStatuses: slices.DeleteFunc(record.LaneStatuses(), current),
		Phases:        listOf(words.Phases), PhaseArtifacts: artifacts, GateMarkers: maps.Clone(c.gates),
		Directories: directories(), Kinds: kinds(),
	}
}

// listOf returns a list that is never nil. An empty one allows any text.
func listOf(words []string) []string { return append([]string{}, words...) }

// defaults returns the numbers that apply unless somebody sets others. A day has 24 hours.
func (c *Contract) defaults() map[string]int {
	runs := statedir.ArchiveRuns
	if c.runs > 0 {
		runs = c.runs
	}
	return map[string]int{
		"stale_days": c.staleDays, "begin_stale_days": statedir.BeginStaleDays, "archive_runs": runs,
		"freshness_grace_ms": int(statedir.FreshTolerance / time.Millisecond),
		"clock_skew_ms":      int(statedir.Skew / time.Millisecond),
	}
}

// exempt returns the names that reset does not move, in the order of the declaration.
func (c *Contract) exempt() []string {
	names := []string{}
	for _, r := range c.order {
		if r.Exempt {
			names = append(names, r.Name)
		}
	}
	return names
}

// directories describes the folders that the contract knows in addition to the declared ones.
func directories() map[string]string {
	return map[string]string{
		"instance_name": "^[A-Za-z0-9_-]{1,64}$",
		"instance_if": "the name matches and (" + statedir.InstancesName + "/NAME.json exists or the folder holds " +
			record.FileName + ", " + statedir.LockName + " or " +
			statedir.ArchiveName + ")",
		"others": "ad_hoc, whatever their names",
	}
}

// kinds returns the kinds of rows and their headings, in the order in which people see them.
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
