package setup

import (
	"bytes"
	"context"

	"baton/internal/agentconfig"
	"baton/internal/store"
	"baton/internal/workspace"
)

// BackupEnd is the end of a backup's name in the user's folder. Earlier versions used it in
// projects, too.
const BackupEnd = ".baton.bak"

// backupDir is the folder of a project's backups below the runtime folder.
const backupDir = "backup"

// BackupDir is that folder as people see it.
const BackupDir = workspace.RuntimeDir + "/" + backupDir + "/"

// lookCommitted reads the files that will change as git has them: what git has needs no backup.
func (s *AgentSetup) lookCommitted(ctx context.Context, edits []agentconfig.Edit) {
	var names []string
	for _, e := range edits {
		if e.Existed && !e.Own && e.Changed() {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 || s.R.Mode == AgentsRemove {
		return
	}
	if head, err := s.P.Git.Head(ctx); err == nil {
		s.committed, _ = s.P.Git.FilesAt(ctx, head, names) // without an answer, there are backups
	}
}

// backup saves a file before baton changes it for the first time. A file that belongs to baton
// entirely, or that git has, needs no backup. A removal restores the file, so it makes none.
func (s *AgentSetup) backup(tx *store.Tx, e agentconfig.Edit, prefix string) (string, error) {
	if !e.Existed || e.Own || s.R.Mode == AgentsRemove {
		return "", nil
	}
	if prefix != "" {
		name := e.Name + BackupEnd
		part, err := tx.Head(name, 1)
		if err != nil || part.Exists {
			return "", err
		}
		tx.CreateLike(name, e.Before, e.Name)
		return name, nil
	}
	if data, there := s.committed[e.Name]; there && bytes.Equal(data, e.Before) {
		return "", nil
	}
	name := backupDir + "/" + e.Name
	if s.saved[e.Name] { // the change runs again
		return BackupDir + e.Name, nil
	}
	if data, err := s.P.Store.ReadCache(name); err != nil || data != nil {
		return "", err
	}
	if err := s.P.Store.WriteCache(name, e.Before); err != nil {
		return "", err
	}
	if s.saved == nil {
		s.saved = map[string]bool{}
	}
	s.saved[e.Name] = true
	return BackupDir + e.Name, nil
}

// dropOldBackup removes a backup next to its file.
func dropOldBackup(tx *store.Tx, file string) error {
	doc, err := tx.Read(file + BackupEnd)
	if err == nil && doc.Exists {
		workspace.DropFile(tx, file+BackupEnd)
	}
	return err
}

// sweepBackups removes all backups of the project when no agent is set up any more, also those of
// earlier versions. It returns the names below the runtime folder that are to be removed after the
// change.
func (s *AgentSetup) sweepBackups(c *workspace.Change) (later []string, err error) {
	if s.R.Mode != AgentsRemove {
		return nil, nil
	}
	for _, a := range s.Out.Agents {
		if a.SetUp && !a.Selected {
			return nil, nil
		}
	}
	for _, name := range append(agentconfig.Names(s.Scope), agentconfig.SpecflowNames()...) {
		if err := dropOldBackup(c.Tx, name); err != nil {
			return nil, err
		}
		later = append(later, backupDir+"/"+name)
	}
	return later, nil
}
