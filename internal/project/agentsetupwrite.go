package project

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/store"
)

// backupEnd is what a backup's name ends with (agents.md 8.2).
const backupEnd = ".baton.bak"

// write makes the changes, or takes them back. The settings in the user's folder go first: when the project's files cannot be
// written, that one file is put back.
func (s *agentSetup) write(ctx context.Context) error {
	var undo func(context.Context) error
	if s.scope == agentconfig.User {
		return s.writeHome(ctx)
	}
	// Everything is looked at before the first file of either folder is written.
	if _, err := s.plan(ctx, s.p.store); err != nil {
		return err
	}
	if err := s.p.config().fault(); err != nil {
		return err
	}
	line, undo, err := s.writeLine(ctx)
	if err != nil {
		return err
	}
	if err := s.writeProject(ctx); err != nil {
		if undo != nil {
			err = errors.Join(err, undo(ctx))
		}
		return err
	}
	s.out.Files = append(s.out.Files, line...)
	return s.trust(ctx)
}

// writeProject is one change of the project's files: a layout where there is none, the settings, and the sensor.
func (s *agentSetup) writeProject(ctx context.Context) error {
	p := s.p
	lay, layout, err := s.wantsLayout()
	if err != nil {
		return err
	}
	digests := lookDigests(p.root, p.env.Getenv)
	notes, err := p.update(ctx, func(c *change) error {
		s.out.Created, s.out.Files, s.out.Warnings = []string{}, []AgentFile{}, []report.Finding{}
		edits, err := s.plan(ctx, c.reader)
		if err != nil {
			return err
		}
		if lay {
			if err := p.lay(c, layout, s.r.Layout != "", digests, &s.out.Created); err != nil {
				return err
			}
		}
		if s.r.StatusLine && s.r.Mode == AgentsWrite {
			if err := s.sense(c); err != nil {
				return err
			}
		}
		if err := s.noteSpecflow(c); err != nil {
			return err
		}
		return s.put(c, edits, "")
	})
	if err != nil {
		return err
	}
	s.out.Warnings = append(s.out.Warnings, notes...)
	if lay {
		return p.foundNow()
	}
	return nil
}

// wantsLayout says whether a layout is to be made, and which.
func (s *agentSetup) wantsLayout() (wanted bool, layout string, err error) {
	if s.r.Mode != AgentsWrite && s.r.Mode != AgentsDryRun {
		return false, "", nil
	}
	if layout = s.r.Layout; layout != "" {
		if !slices.Contains(layoutWords(), layout) {
			return false, "", &report.Error{
				Op: "init", Kind: report.Usage, Code: "layout_unknown",
				Message: "there is no layout " + quote(layout), Hint: "use " + strings.Join(layoutWords(), ", "),
			}
		}
		return true, layout, nil
	}
	return !s.inProject(), layoutBaton, nil
}

// sense turns on the sensor that hooks learn from how full the context is (D23).
func (s *agentSetup) sense(c *change) error {
	doc, err := c.tx.Read(configName)
	if err != nil {
		return err
	}
	if s.p.config().on("statusline.sensor") {
		return nil
	}
	next, err := withSetting(doc, "statusline.sensor", true)
	if err != nil {
		return err
	}
	c.tx.Write(configName, next)
	return nil
}

// put writes edits with their backups, and tells of them. prefix stands before the names in the answer.
func (s *agentSetup) put(c *change, edits []agentconfig.Edit, prefix string) error {
	for _, e := range edits {
		f := s.told(e, prefix)
		if e.Changed() {
			backup, err := s.backup(c.tx, e)
			if err != nil {
				return err
			}
			if backup != "" {
				f.Backup = prefix + backup
			}
			if e.Exists {
				c.tx.Write(e.Name, e.After)
			} else {
				dropFile(c.tx, e.Name)
			}
		}
		s.out.Files = append(s.out.Files, f)
	}
	return nil
}

// told is the answer's view of an edit; its notes are warnings.
func (s *agentSetup) told(e agentconfig.Edit, prefix string) AgentFile {
	f := AgentFile{
		Path: prefix + e.Name, Changed: e.Changed(), Created: !e.Existed && e.Exists, Removed: e.Existed && !e.Exists,
		Items: append([]agentconfig.Item{}, e.Items...),
	}
	for _, note := range e.Notes {
		note.Path = prefix + note.Path
		s.out.Warnings = append(s.out.Warnings, note)
	}
	return f
}

// backup keeps the file as it was before baton changed it for the first time. What is wholly baton's own needs none.
func (s *agentSetup) backup(tx *store.Tx, e agentconfig.Edit) (string, error) {
	if !e.Existed || e.Own {
		return "", nil
	}
	name := e.Name + backupEnd
	part, err := tx.Head(name, 1)
	if err != nil || part.Exists {
		return "", err
	}
	tx.CreateLike(name, e.Before, e.Name)
	return name, nil
}

// dropFile takes a file away, with the folders that are empty then. ~/.config stays, which is not for agents alone.
func dropFile(tx *store.Tx, name string) {
	tx.Discard("", name)
	for dir := path.Dir(name); dir != "." && dir != ".config"; dir = path.Dir(dir) {
		tx.Discard(dir, "")
	}
}

// undoEdits puts back what edits changed, as far as nobody changed it since.
func undoEdits(ctx context.Context, to store.Store, edits []agentconfig.Edit) error {
	_, err := to.Update(ctx, func(tx *store.Tx) error {
		for _, e := range edits {
			doc, err := tx.Read(e.Name)
			switch {
			case err != nil:
				return err
			case !e.Changed() || doc.Exists != e.Exists || !bytes.Equal(doc.Data, e.After):
			case e.Existed:
				tx.Write(e.Name, e.Before)
			default:
				dropFile(tx, e.Name)
			}
		}
		return nil
	})
	return err
}

// inHome says a name below the user's own folder as people write it.
const inHome = "~/"
