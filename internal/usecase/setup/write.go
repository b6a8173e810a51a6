package setup

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// write makes or removes the changes. The settings in the user's folder come first: if the
// project's files cannot be written, only that one file has to be restored.
func (s *AgentSetup) write(ctx context.Context) error {
	var undo func(context.Context) error
	if s.Scope == agentconfig.User {
		return s.writeHome(ctx)
	}
	// Everything is checked before the first file of either folder is written.
	edits, err := s.plan(ctx, s.P.Store)
	if err != nil {
		return err
	}
	s.lookCommitted(ctx, edits)
	if err := s.P.Settings().Fault(); err != nil {
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
	s.Out.Files = append(s.Out.Files, line...)
	return s.trust(ctx)
}

// writeProject is one change of the project's files: a layout if there is none, the settings, and
// the sensor.
func (s *AgentSetup) writeProject(ctx context.Context) error {
	p := s.P
	lay, layout, err := s.wantsLayout()
	if err != nil {
		return err
	}
	digests := workspace.LookDigests(p.Root, p.Env.Getenv)
	var later []string
	notes, err := p.Update(ctx, func(c *workspace.Change) error {
		s.Out.Created, s.Out.Files, s.Out.Warnings = []string{}, []AgentFile{}, []report.Finding{}
		edits, err := s.plan(ctx, c.Reader)
		if err != nil {
			return err
		}
		if lay {
			s.Out.Layout = layout
			if err := Of(p).lay(c, layout, s.R.Layout != "", digests, &s.Out.Created); err != nil {
				return err
			}
		}
		if s.R.StatusLine && s.R.Mode == AgentsWrite {
			if err := s.sense(c); err != nil {
				return err
			}
		}
		if err := s.noteSpecflow(c); err != nil {
			return err
		}
		if err := s.put(c, edits, ""); err != nil {
			return err
		}
		later, err = s.sweepBackups(c)
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range s.Out.Files {
		if s.R.Mode == AgentsRemove && f.Changed {
			later = append(later, backupDir+"/"+f.Path)
		}
	}
	for _, name := range later {
		if err := p.Store.RemoveCache(name); err != nil {
			return err
		}
	}
	s.Out.Warnings = append(s.Out.Warnings, notes...)
	if lay {
		return p.FoundNow()
	}
	return nil
}

// wantsLayout reports whether a layout has to be created, and which one.
func (s *AgentSetup) wantsLayout() (wanted bool, layout string, err error) {
	if s.R.Mode != AgentsWrite && s.R.Mode != AgentsDryRun {
		return false, "", nil
	}
	if layout = s.R.Layout; layout != "" {
		if !slices.Contains(workspace.LayoutWords(), layout) {
			return false, "", &report.Error{
				Op: "init", Kind: report.Usage, Code: report.CodeLayoutUnknown,
				Message: "there is no layout " +
					safetext.Quote(layout), Hint: "use " + strings.Join(workspace.LayoutWords(), ", "),
			}
		}
		return true, layout, nil
	}
	return !s.inProject(), workspace.LayoutBaton, nil
}

// sense turns on the sensor. It shows hooks how full the context is (D23).
func (s *AgentSetup) sense(c *workspace.Change) error {
	doc, err := c.Tx.Read(config.Name)
	if err != nil {
		return err
	}
	if s.P.Settings().On("statusline.sensor") {
		return nil
	}
	next, err := withSetting(doc, "statusline.sensor", true)
	if err != nil {
		return err
	}
	c.Tx.Write(config.Name, next)
	return nil
}

// put writes edits with their backups, and reports them. prefix precedes the names in the answer.
func (s *AgentSetup) put(c *workspace.Change, edits []agentconfig.Edit, prefix string) error {
	for _, e := range edits {
		f := s.reported(e, prefix)
		if e.Changed() {
			backup, err := s.backup(c.Tx, e, prefix)
			if err != nil {
				return err
			}
			if backup != "" {
				f.Backup = prefix + backup
			}
			if e.Exists {
				c.Tx.Write(e.Name, e.After)
			} else {
				workspace.DropFile(c.Tx, e.Name)
			}
			if s.R.Mode == AgentsRemove {
				if err := dropOldBackup(c.Tx, e.Name); err != nil {
					return err
				}
			}
		}
		s.Out.Files = append(s.Out.Files, f)
	}
	return nil
}

// reported returns an edit for the answer. Its notes become warnings.
func (s *AgentSetup) reported(e agentconfig.Edit, prefix string) AgentFile {
	f := AgentFile{
		Path: prefix + e.Name, Changed: e.Changed(), Created: !e.Existed && e.Exists, Removed: e.Existed && !e.Exists,
		Items: append([]agentconfig.Item{}, e.Items...),
	}
	for _, note := range e.Notes {
		note.Path = prefix + note.Path
		s.Out.Warnings = append(s.Out.Warnings, note)
	}
	return f
}

// undoEdits reverts edits, as far as nobody changed the files since.
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
				workspace.DropFile(tx, e.Name)
			}
		}
		return nil
	})
	return err
}

// inHome is the prefix of names in the user's folder, as people write it.
const inHome = "~/"
