package setup

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
	"baton/internal/workspace/trust"
)

// TrustRequest asks which settings of the project's files are approved, or changes the approvals
// (D45).
type TrustRequest struct {
	Approve []string // hashes of the settings to approve; those that are not there are ignored
	Remove  bool     // take back every approval of the repository
}

// TrustResult lists the settings of the project's files that count only if they are approved.
type TrustResult struct {
	Repository string                  `json:"repository"` // git's common folder, or the root outside git
	Path       string                  `json:"path"`       // of the file of approvals; "" if there is no place for one
	Settings   []workspace.WideSetting `json:"settings"`
	Approved   int                     `json:"approved"` // number of approvals that this call added
	Removed    []trust.Approval        `json:"removed"`  // approvals that this call took back
	Warnings   []report.Finding        `json:"warnings"`
}

// Open returns the settings that are not approved.
func (r TrustResult) Open() []workspace.WideSetting {
	return slices.DeleteFunc(slices.Clone(r.Settings), func(s workspace.WideSetting) bool { return s.Approved })
}

// Trust lists the settings that widen what baton may do. It approves those that the request names,
// or withdraws their approval. When run by a coding agent it always fails with Violation
// trust_refused.
func (p Setup) Trust(ctx context.Context, r TrustRequest) (TrustResult, error) {
	if name, below := p.Agent(); below {
		if name == "" {
			name = "a coding agent"
		}
		return TrustResult{}, &report.Error{
			Op: "trust", Kind: report.Violation, Code: report.CodeTrustRefused,
			Message: "this command was started by " + name + ", and an agent may not look at approvals or change them",
			Hint:    "a person runs `baton trust` in a terminal of their own",
		}
	}
	out := TrustResult{Removed: []trust.Approval{}}
	settings := p.WideSettings()
	if r.Remove {
		removed, err := p.Distrust(ctx)
		if err != nil {
			return TrustResult{}, err
		}
		out.Removed = append(out.Removed, removed...)
	}
	if len(r.Approve) > 0 {
		wanted := slices.DeleteFunc(settings, func(s workspace.WideSetting) bool {
			return s.Approved || !slices.Contains(r.Approve, s.Hash)
		})
		added, err := p.Approve(ctx, wanted)
		if err != nil {
			return TrustResult{}, err
		}
		out.Approved = added
	}
	out.Path, out.Repository = p.TrustFile()
	out.Settings = append([]workspace.WideSetting{}, p.WideSettings()...)
	out.Warnings = append([]report.Finding{}, p.TrustFaults()...)
	return out, nil
}

// approvedServers fails if the servers for verifying work would include one that nobody approved. A
// person has to see each command before it is written to an agent's settings.
func (s *AgentSetup) approvedServers() error {
	if !s.R.Verification || s.R.Mode == AgentsRemove {
		return nil
	}
	_, refused := s.P.Servers()
	for _, r := range refused {
		if s.R.Mode == AgentsWrite && !s.R.DryRun {
			return workspace.NotTrusted("init", config.Name, r)
		}
		s.Out.Warnings = append(s.Out.Warnings, r.Finding())
	}
	return nil
}
