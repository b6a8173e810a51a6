package project

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/agentconfig"
)

// planSpecflow adds the lines in SpecFlow's commands to what is planned (D39): where they were asked for, and at a removal and a
// check where they are.
func (s *agentSetup) planSpecflow(ctx context.Context, from docReader, edits []agentconfig.Edit) ([]agentconfig.Edit, error) {
	looks := (s.r.Mode == AgentsRemove || s.r.Mode == AgentsCheck) && slices.Contains(s.clients, agentconfig.Claude)
	if s.scope == agentconfig.Local || !s.r.SpecflowCommands && !looks {
		return edits, nil
	}
	files, err := readFiles(ctx, from, agentconfig.SpecflowNames())
	if err != nil {
		return nil, err
	}
	if s.r.Mode == AgentsCheck && !s.r.SpecflowCommands {
		for name, data := range files {
			if !bytes.Contains(data, []byte("<!-- BEGIN BATON")) {
				delete(files, name)
			}
		}
	}
	plan := agentconfig.PlanSpecflow
	if s.r.Mode == AgentsRemove {
		plan = agentconfig.RemoveSpecflow
	}
	more, err := plan(s.scope, files, agentconfig.Options{Force: s.r.Force})
	if err != nil {
		return nil, err
	}
	if s.r.SpecflowCommands && len(files) == 0 {
		s.notice("no commands of SpecFlow are in .claude/commands/sf; where they are in the user's own folder: --scope user")
	}
	return append(edits, more...), nil
}

// notice adds a notice once.
func (s *agentSetup) notice(text string) {
	if !slices.Contains(s.out.Notices, text) {
		s.out.Notices = append(s.out.Notices, text)
	}
}

// noteSpecflow puts the note on its size into a digest of SpecFlow that has none.
func (s *agentSetup) noteSpecflow(c *change) error {
	if !s.r.SpecflowCommands || s.r.Mode != AgentsWrite {
		return nil
	}
	for _, place := range lookDigests(s.p.root, s.p.env.Getenv) {
		if place.Layout != layoutSpecflow {
			continue
		}
		doc, err := c.tx.Read(place.State)
		if err != nil || !doc.Exists {
			return err
		}
		next, err := agentconfig.WithSpecflowNote(doc.Data)
		if err != nil {
			return err
		}
		if !bytes.Equal(next, doc.Data) {
			c.tx.Write(place.State, next)
			s.notice(place.State + " has a note on its size now")
		}
	}
	return nil
}
