package setup

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/workspace"
)

// userLine is baton's note about the status line in the user's settings of Claude Code: the
// previous line, and the projects that requested baton's (agents.md 6.4).
type userLine struct {
	Previous string   `json:"previous,omitempty"` // the setting as it was
	Projects []string `json:"projects,omitempty"` // roots; the line is removed with the last of them
	User     bool     `json:"user,omitempty"`     // requested in the scope of the user; removed only there
}

// lineNote returns the note's name in baton's folder of the user's configuration. Each file of
// settings with a line has its own note.
func lineNote(env report.Env) string {
	folder := namedFolder(env, "CLAUDE_CONFIG_DIR")
	if folder == "" || folder == filepath.Join(workspace.Real(env.Home), ".claude") {
		return "statusline.json"
	}
	return "statusline-" + agentsession.Hash(folder)[:8] + ".json"
}

// userFolder returns baton's folder of the user's configuration, or "" if the home directory is
// unknown.
func userFolder(env report.Env) string {
	base := env.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		if env.Home == "" {
			return ""
		}
		base = filepath.Join(env.Home, ".config")
	}
	return workspace.Resolved(filepath.Join(base, "baton"))
}

// openNote opens baton's folder of the user's configuration as a store.
func (s *AgentSetup) openNote() *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: userFolder(s.P.Env), Runtime: runtimeOf(
			s.P.Env, "settings",
		), Command: s.P.O.Command, Env: s.P.Env, FS: s.P.O.FS, Wait: s.P.O.Wait,
	})
}

// readLine reads the note. An unreadable note counts as empty.
func (s *AgentSetup) readLine(ctx context.Context) userLine {
	doc, err := s.openNote().Read(ctx, lineNote(s.P.Env))
	if err != nil {
		return userLine{}
	}
	return parseLine(doc.Data)
}

func parseLine(data []byte) userLine {
	var line userLine
	if json.Unmarshal(data, &line) != nil {
		return userLine{}
	}
	return line
}

// noteLine edits the note.
func (s *AgentSetup) noteLine(ctx context.Context, edit func(*userLine)) error {
	name := lineNote(s.P.Env)
	_, err := s.openNote().Update(ctx, func(tx *store.Tx) error {
		doc, err := tx.Read(name)
		if err != nil {
			return err
		}
		line := parseLine(doc.Data)
		before := line.text()
		edit(&line)
		switch after := line.text(); {
		case after == before && doc.Exists == (after != ""):
		case after == "":
			tx.Discard("", name)
		default:
			tx.Write(name, []byte(after))
		}
		return nil
	})
	return err
}

// text returns the content of the note, or "" for an empty one.
func (l userLine) text() string {
	if l.Previous == "" && len(l.Projects) == 0 && !l.User {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(l) // cannot fail for texts and a flag
	return b.String()
}

// writeLine sets or removes the status line in the user's settings, for a project. undo restores
// the settings.
func (s *AgentSetup) writeLine(
	ctx context.Context,
) (reported []AgentFile, undo func(context.Context) error, err error) {
	if !s.wantsLine(ctx) {
		return nil, nil, nil
	}
	before := s.readLine(ctx)
	back, err := s.changeLine(ctx)
	if err != nil {
		return nil, nil, err
	}
	reported, s.Out.Files = s.Out.Files, []AgentFile{}
	return reported, func(ctx context.Context) error {
		if err := back(ctx); err != nil {
			return err
		}
		return s.noteLine(ctx, func(l *userLine) { *l = before })
	}, nil
}

// wantsLine reports whether this run handles the user's status line. A removal does if this project
// requested the line and no other scope of the project stays set up.
func (s *AgentSetup) wantsLine(ctx context.Context) bool {
	if s.user == nil || s.Scope == agentconfig.User ||
		!s.R.StatusLine && !slices.Contains(s.clients, agentconfig.Claude) {
		return false
	}
	if s.R.StatusLine {
		return true
	}
	if s.R.Mode != AgentsCheck && (s.R.Mode != AgentsRemove || s.stays(ctx)) {
		return false
	}
	return slices.Contains(s.readLine(ctx).Projects, s.P.Root)
}

// stays reports whether Claude Code is also set up here in the scope that a removal does not touch:
// the shared settings or the local ones.
func (s *AgentSetup) stays(ctx context.Context) bool {
	other := agentconfig.Local
	if s.Scope == agentconfig.Local {
		other = agentconfig.Project
	}
	files, err := readFiles(ctx, s.P.Store, agentconfig.Names(other))
	return err == nil && slices.Contains(agentconfig.Installed(other, files), agentconfig.Claude)
}

// changeLine sets or removes the line. The note is written before the setting and removed after it,
// because without the note the previous line would be lost.
func (s *AgentSetup) changeLine(ctx context.Context) (undo func(context.Context) error, err error) {
	edits, err := s.planLine(ctx, s.user)
	if err != nil {
		return nil, err
	}
	if s.R.Mode == AgentsWrite {
		if err := s.noteLine(ctx, func(l *userLine) { l.take(edits, s.P.Root) }); err != nil {
			return nil, err
		}
	}
	undo, err = s.changeUser(ctx, s.planLine)
	if err == nil && s.R.Mode == AgentsRemove {
		err = s.noteLine(ctx, func(l *userLine) { l.leave(s.P.Root) })
	}
	return undo, err
}

// take records the replaced line, and the project.
func (l *userLine) take(edits []agentconfig.Edit, root string) {
	for _, e := range edits {
		for _, item := range e.Items {
			if item.Previous != "" {
				l.Previous = item.Previous
			}
		}
	}
	if !slices.Contains(l.Projects, root) {
		l.Projects = append(l.Projects, root)
	}
}

// leave removes a project. If nobody requests the line any more, the note becomes empty.
func (l *userLine) leave(root string) {
	l.Projects = slices.DeleteFunc(l.Projects, func(p string) bool { return p == root })
	if len(l.Projects) == 0 && !l.User {
		*l = userLine{}
	}
}

// planLine plans the setting. If others still request the line, it stays.
func (s *AgentSetup) planLine(ctx context.Context, from docReader) ([]agentconfig.Edit, error) {
	files, err := readFiles(ctx, from, []string{claudeUserSettings})
	if err != nil {
		return nil, err
	}
	if s.R.Mode == AgentsCheck {
		edits, err := agentconfig.PlanStatusLine(files, agentconfig.Options{Force: s.R.Force})
		return faultItems(edits, err)
	}
	if s.R.Mode != AgentsRemove {
		return agentconfig.PlanStatusLine(files, agentconfig.Options{Force: s.R.Force})
	}
	line := s.readLine(ctx)
	previous := line.Previous
	if line.leave(s.P.Root); len(line.Projects) > 0 || line.User {
		return nil, nil
	}
	return agentconfig.RemoveStatusLine(files, agentconfig.Options{PreviousLine: previous})
}

// senseHere turns on the sensor in the project where a status line for all projects was requested.
func (s *AgentSetup) senseHere(ctx context.Context) error {
	if !s.R.StatusLine || s.R.Mode != AgentsWrite || !s.inProject() {
		return nil
	}
	notes, err := s.P.Update(ctx, s.sense)
	s.Out.Warnings = append(s.Out.Warnings, notes...)
	return err
}

// inProject reports whether there is a layout here.
func (s *AgentSetup) inProject() bool {
	return len(Of(s.P).foundNames(
		workspace.LookDigests(s.P.Root, s.P.Env.Getenv), workspace.LookFolders(s.P.Root, s.P.Env.Home),
	)) > 0
}

// writeHome writes the settings in the scope of the user, and with the status line the project's
// sensor. If the sensor cannot be written, it restores the settings.
func (s *AgentSetup) writeHome(ctx context.Context) error {
	edits, err := s.plan(ctx, s.user)
	if err != nil {
		return err
	}
	before := s.readLine(ctx)
	if s.R.StatusLine && s.R.Mode == AgentsWrite {
		if err := s.noteLine(
			ctx, func(l *userLine) { l.take(edits, s.P.Root); l.Projects, l.User = before.Projects, true },
		); err != nil {
			return err
		}
	}
	undo, err := s.changeUser(ctx, s.plan)
	if err != nil {
		return err
	}
	if err := s.senseHere(ctx); err != nil {
		back := s.noteLine(ctx, func(l *userLine) { *l = before })
		return errors.Join(err, undo(ctx), back)
	}
	if s.R.Mode == AgentsRemove && slices.Contains(s.clients, agentconfig.Claude) {
		if err := s.noteLine(ctx, func(l *userLine) { *l = userLine{} }); err != nil {
			return err
		}
	}
	return s.trust(ctx)
}
