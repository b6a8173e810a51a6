package digests

import (
	"context"

	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/jsontext"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// orNull is a text that is null in JSON if it is empty, as GSD's own commands print it.
type orNull string

// MarshalJSON returns the text as a JSON string, or null.
func (s orNull) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	return []byte(jsontext.Quote(string(s))), nil
}

// PhaseView is one phase in the names that GSD gives its parts.
type PhaseView struct {
	Number          string `json:"number"`
	Name            string `json:"name"`
	Goal            orNull `json:"goal"`
	DependsOn       orNull `json:"depends_on"`
	Directory       string `json:"directory"` // "" if there is none
	DiskStatus      string `json:"disk_status"`
	RoadmapComplete bool   `json:"roadmap_complete"` // its box is checked
	PlanCount       int    `json:"plan_count"`
	SummaryCount    int    `json:"summary_count"` // plans with a summary
	HasContext      bool   `json:"has_context"`
	HasResearch     bool   `json:"has_research"`
	Verification    string `json:"verification"` // passed, failed or ""
}

// PhaseList is the answer of "phase list".
type PhaseList struct {
	Path          string           `json:"path"` // the roadmap
	Milestone     string           `json:"milestone"`
	MilestoneName string           `json:"milestone_name"`
	Phases        []PhaseView      `json:"phases"`
	Warnings      []report.Finding `json:"warnings"`
}

// PhaseDetail is the answer of "phase show".
type PhaseDetail struct {
	PhaseView
	Path            string           `json:"path"`           // the roadmap
	Line            int              `json:"line,omitempty"` // of its heading there
	Requirements    string           `json:"requirements"`
	SuccessCriteria []string         `json:"success_criteria"`
	Plans           []PlanView       `json:"plans"`
	Section         string           `json:"section"` // of the roadmap, as written
	Warnings        []report.Finding `json:"warnings"`
}

// PlanView is a plan of a phase.
type PlanView struct {
	Path       string `json:"path"`
	HasSummary bool   `json:"has_summary"`
}

// RoadmapAnalysis is the answer of "phase analyze".
type RoadmapAnalysis struct {
	Path            string           `json:"path"`
	Milestones      []MilestoneView  `json:"milestones"`
	Phases          []PhaseView      `json:"phases"`
	PhaseCount      int              `json:"phase_count"`
	CompletedPhases int              `json:"completed_phases"`
	TotalPlans      int              `json:"total_plans"`
	TotalSummaries  int              `json:"total_summaries"`
	ProgressPercent int              `json:"progress_percent"` // of the plans
	CurrentPhase    orNull           `json:"current_phase"`    // the first with open plans
	NextPhase       orNull           `json:"next_phase"`       // the first without plans
	MissingDetails  []string         `json:"missing_phase_details"`
	Warnings        []report.Finding `json:"warnings"`
}

// MilestoneView is the heading of a milestone in the roadmap.
type MilestoneView struct {
	Heading string `json:"heading"`
	Version string `json:"version"`
}

// knownPhases is the roadmap with the folders of its phases, next to a digest.
type knownPhases struct {
	phases.Roadmap
	place    workspace.DigestPlace
	model    gsd.Model
	path     string
	warnings []report.Finding
}

// roadmap reads the roadmap and the phases next to the digest.
func (p Digests) roadmap(ctx context.Context, op string) (knownPhases, error) {
	d, err := p.readDigest(ctx, op, gsdLayouts()...)
	if err != nil {
		return knownPhases{}, err
	}
	m := gsd.Parse(d.Data).Model()
	found, err := ReadPhases(ctx, d.At, d.At.Store, d.Place, m)
	if err != nil {
		return knownPhases{}, err
	}
	path := workspace.Join(d.Place.Dir, "ROADMAP.md")
	if !found.In.HasRoadmap && len(found.In.Dirs) == 0 {
		return knownPhases{}, &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodeNotFound, Path: path,
			Message: "there is neither " + path + " nor a folder of a phase",
			Hint:    "`baton state show` says where the project stands",
		}
	}
	return knownPhases{
		Roadmap: phases.ReadRoadmap(found.In), place: d.Place, model: m, path: path,
		warnings: append(append([]report.Finding{}, d.findings...), found.Findings...),
	}, nil
}

func (r knownPhases) view(d phases.Detail) PhaseView {
	v := PhaseView{
		Number: d.ID, Name: d.Name, Goal: orNull(d.Goal), DependsOn: orNull(d.DependsOn), DiskStatus: d.Disk(),
		RoadmapComplete: d.Checked,
		PlanCount:       d.Plans, SummaryCount: d.Summaries, HasContext: d.HasContext, HasResearch: d.HasResearch,
		Verification: d.Verification,
	}
	if d.Dir != "" {
		v.Directory = workspace.Join(workspace.Join(r.place.Dir, "phases"), d.Dir)
	}
	return v
}

func (r knownPhases) views() []PhaseView {
	out := make([]PhaseView, 0, len(r.Details))
	for _, d := range r.Details {
		out = append(out, r.view(d))
	}
	return out
}

// PhaseList lists the phases of the milestone, from the roadmap and the phase folders. It fails
// with NotFound not_found if there is neither, and with Usage not_supported in a SpecFlow project.
func (p Digests) PhaseList(ctx context.Context) (PhaseList, error) {
	r, err := p.roadmap(ctx, "phase.list")
	if err != nil {
		return PhaseList{}, err
	}
	return PhaseList{
		Path: r.path, Milestone: r.Milestone, MilestoneName: r.MilestoneName, Phases: r.views(), Warnings: r.warnings,
	}, nil
}

// PhaseShow returns what roadmap and folder say about one phase: the named one, or else the active
// one, or else the current one. It fails with Usage phase_missing if none is known, with NotFound
// not_found for a phase that the roadmap does not have, and with the errors of PhaseList.
func (p Digests) PhaseShow(ctx context.Context, id string) (PhaseDetail, error) {
	const op = "phase.show"
	r, err := p.roadmap(ctx, op)
	if err != nil {
		return PhaseDetail{}, err
	}
	if id == "" {
		id = r.model.Phase()
	}
	if id == "" {
		return PhaseDetail{}, &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodePhaseMissing,
			Message: "no phase is given, and the digest has neither an active nor a current one",
			Hint:    "name one: baton phase show PHASE; `baton phase list` lists them",
		}
	}
	d, ok := r.Detail(id)
	if !ok {
		return PhaseDetail{}, &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodeNotFound, Path: r.path,
			Message: "there is no phase " + safetext.Quote(id) + " in the roadmap, and no folder for it",
			Hint:    "to list the phases: baton phase list",
		}
	}
	out := PhaseDetail{
		PhaseView: r.view(d), Path: r.path, Line: d.Line, Requirements: d.Requirements,
		SuccessCriteria: append([]string{}, d.Criteria...), Plans: []PlanView{}, Section: d.Section,
		Warnings: r.warnings,
	}
	for _, f := range d.PlanFiles {
		out.Plans = append(out.Plans, PlanView{Path: workspace.Join(out.Directory, f.Name), HasSummary: f.Summary})
	}
	return out, nil
}

// PhaseAnalyze reads the roadmap as GSD's "roadmap analyze" does: the milestones, the phases with
// what their folders show, and the phase to work on. It fails with the errors of PhaseList.
func (p Digests) PhaseAnalyze(ctx context.Context) (RoadmapAnalysis, error) {
	r, err := p.roadmap(ctx, "phase.analyze")
	if err != nil {
		return RoadmapAnalysis{}, err
	}
	out := RoadmapAnalysis{
		Path: r.path, Milestones: []MilestoneView{}, Phases: r.views(), PhaseCount: len(r.Details),
		MissingDetails: append([]string{}, r.Missing...), Warnings: r.warnings,
	}
	for _, m := range r.Milestones {
		out.Milestones = append(out.Milestones, MilestoneView(m))
	}
	for _, v := range out.Phases {
		out.TotalPlans += v.PlanCount
		out.TotalSummaries += v.SummaryCount
		if v.DiskStatus == phases.DiskComplete {
			out.CompletedPhases++
		}
	}
	if out.TotalPlans > 0 {
		out.ProgressPercent = min(100, safetext.Percent(out.TotalSummaries, out.TotalPlans))
	}
	current, next := r.InWork()
	out.CurrentPhase, out.NextPhase = orNull(current), orNull(next)
	return out, nil
}
