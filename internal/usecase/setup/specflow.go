package setup

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/agentconfig"
	"baton/internal/workspace"
)

// planSpecflow adds the lines in SpecFlow's commands to the plan (D39), if they were requested. A
// removal and a check also cover lines that exist already.
func (s *AgentSetup) planSpecflow(
	ctx context.Context, from docReader, edits []agentconfig.Edit,
) ([]agentconfig.Edit, error) {
	looks := (s.R.Mode == AgentsRemove || s.R.Mode == AgentsCheck) && slices.Contains(s.clients, agentconfig.Claude)
	if s.Scope == agentconfig.Local || !s.R.SpecflowCommands && !looks {
		return edits, nil
	}
	files, err := readFiles(ctx, from, agentconfig.SpecflowNames())
	if err != nil {
		return nil, err
	}
	if s.R.Mode == AgentsCheck && !s.R.SpecflowCommands {
		for name, data := range files {
			if !bytes.Contains(data, []byte("<!-- BEGIN BATON")) {
				delete(files, name)
			}
		}
	}
	plan := agentconfig.PlanSpecflow
	if s.R.Mode == AgentsRemove {
		plan = agentconfig.RemoveSpecflow
	}
	more, err := plan(s.Scope, files, agentconfig.Options{Force: s.R.Force})
	if err != nil {
		return nil, err
	}
	if s.R.SpecflowCommands && len(files) == 0 {
		s.notice(
			"no SpecFlow commands are in .claude/commands/sf; if yours are in ~/.claude, use --scope user",
		)
	}
	return append(edits, more...), nil
}

// notice adds a notice once.
func (s *AgentSetup) notice(text string) {
	if !slices.Contains(s.Out.Notices, text) {
		s.Out.Notices = append(s.Out.Notices, text)
	}
}

// noteSpecflow adds the note on its size to a SpecFlow digest without one.
func (s *AgentSetup) noteSpecflow(c *workspace.Change) error {
	if !s.R.SpecflowCommands || s.R.Mode != AgentsWrite {
		return nil
	}
	for _, place := range workspace.LookDigests(s.P.Root, s.P.Env.Getenv) {
		if place.Layout != workspace.LayoutSpecflow {
			continue
		}
		doc, err := c.Tx.Read(place.State)
		if err != nil || !doc.Exists {
			return err
		}
		next, err := agentconfig.WithSpecflowNote(doc.Data)
		if err != nil {
			return err
		}
		if !bytes.Equal(next, doc.Data) {
			c.Tx.Write(place.State, next)
			note := agentconfig.Item{Name: "note on its size", Status: agentconfig.Missing}
			s.Out.Files = append(s.Out.Files, AgentFile{
				Path: place.State, Changed: true, Items: []agentconfig.Item{note},
			})
		}
	}
	return nil
}
