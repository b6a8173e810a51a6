package project

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

// userLine is baton's own note of the status line that stands in the user's settings of Claude Code: what was there
// before, and which projects asked for baton's (agents.md 6.4).
type userLine struct {
	Previous string   `json:"previous,omitempty"` // the setting as it was written
	Projects []string `json:"projects,omitempty"` // roots; the line goes with the last of them
	User     bool     `json:"user,omitempty"`     // asked for in the scope of the user: it goes with that only
}

// lineNote is the note's name in baton's folder of the user's configuration: one for each file of settings that has a line.
func lineNote(env report.Env) string {
	folder := namedFolder(env, "CLAUDE_CONFIG_DIR")
	if folder == "" || folder == filepath.Join(real(env.Home), ".claude") {
		return "statusline.json"
	}
	return "statusline-" + agentHash(folder)[:8] + ".json"
}

// userFolder is baton's folder of the user's own configuration, "" when nothing is known of a home.
func userFolder(env report.Env) string {
	base := env.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		if env.Home == "" {
			return ""
		}
		base = filepath.Join(env.Home, ".config")
	}
	return resolved(filepath.Join(base, "baton"))
}

// openNote opens baton's folder of the user's configuration as a store.
func (s *agentSetup) openNote() *filestore.Store {
	return filestore.Open(filestore.Options{
		Root: userFolder(s.p.env), Runtime: runtimeOf(s.p.env, "settings"), Command: s.p.o.Command, Env: s.p.env, FS: s.p.o.FS, Wait: s.p.o.Wait,
	})
}

// readLine reads the note. One that cannot be read says nothing.
func (s *agentSetup) readLine(ctx context.Context) userLine {
	doc, err := s.openNote().Read(ctx, lineNote(s.p.env))
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

// noteLine changes the note.
func (s *agentSetup) noteLine(ctx context.Context, edit func(*userLine)) error {
	name := lineNote(s.p.env)
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

// text is what stands in the note, "" for one that says nothing.
func (l userLine) text() string {
	if l.Previous == "" && len(l.Projects) == 0 && !l.User {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(l) // texts and a flag: this cannot fail
	return b.String()
}

// writeLine sets or takes back the status line in the user's settings, for a project. undo puts the settings back.
func (s *agentSetup) writeLine(ctx context.Context) (told []AgentFile, undo func(context.Context) error, err error) {
	if !s.wantsLine(ctx) {
		return nil, nil, nil
	}
	before := s.readLine(ctx)
	back, err := s.changeLine(ctx)
	if err != nil {
		return nil, nil, err
	}
	told, s.out.Files = s.out.Files, []AgentFile{}
	return told, func(ctx context.Context) error {
		if err := back(ctx); err != nil {
			return err
		}
		return s.noteLine(ctx, func(l *userLine) { *l = before })
	}, nil
}

// wantsLine says whether the user's status line is part of this run: a removal takes it back where this project asked for it and
// no other scope of it stays set up.
func (s *agentSetup) wantsLine(ctx context.Context) bool {
	if s.user == nil || s.scope == agentconfig.User || !s.r.StatusLine && !slices.Contains(s.clients, agentconfig.Claude) {
		return false
	}
	if s.r.StatusLine {
		return true
	}
	if s.r.Mode != AgentsCheck && (s.r.Mode != AgentsRemove || s.stays(ctx)) {
		return false
	}
	return slices.Contains(s.readLine(ctx).Projects, s.p.root)
}

// stays says whether Claude Code is set up here by the scope that a removal does not touch: the shared settings beside the local
// ones, or these beside those.
func (s *agentSetup) stays(ctx context.Context) bool {
	other := agentconfig.Local
	if s.scope == agentconfig.Local {
		other = agentconfig.Project
	}
	files, err := readFiles(ctx, s.p.store, agentconfig.Names(other))
	return err == nil && slices.Contains(agentconfig.Installed(other, files), agentconfig.Claude)
}

// changeLine does it. The note comes before the setting and goes after it: without it a previous line would be lost.
func (s *agentSetup) changeLine(ctx context.Context) (undo func(context.Context) error, err error) {
	edits, err := s.planLine(ctx, s.user)
	if err != nil {
		return nil, err
	}
	if s.r.Mode == AgentsWrite {
		if err := s.noteLine(ctx, func(l *userLine) { l.take(edits, s.p.root) }); err != nil {
			return nil, err
		}
	}
	undo, err = s.changeUser(ctx, s.planLine)
	if err == nil && s.r.Mode == AgentsRemove {
		err = s.noteLine(ctx, func(l *userLine) { l.leave(s.p.root) })
	}
	return undo, err
}

// take notes what was replaced, and who asked.
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

// leave says that a project does not ask any more; when nobody does, nothing is left to remember.
func (l *userLine) leave(root string) {
	l.Projects = slices.DeleteFunc(l.Projects, func(p string) bool { return p == root })
	if len(l.Projects) == 0 && !l.User {
		*l = userLine{}
	}
}

// planLine plans the setting. Where others still ask for the line it stays.
func (s *agentSetup) planLine(ctx context.Context, from docReader) ([]agentconfig.Edit, error) {
	files, err := readFiles(ctx, from, []string{claudeUserSettings})
	if err != nil {
		return nil, err
	}
	if s.r.Mode == AgentsCheck {
		edits, err := agentconfig.PlanStatusLine(files, agentconfig.Options{Force: s.r.Force})
		return faultItems(edits, err)
	}
	if s.r.Mode != AgentsRemove {
		return agentconfig.PlanStatusLine(files, agentconfig.Options{Force: s.r.Force})
	}
	line := s.readLine(ctx)
	previous := line.Previous
	if line.leave(s.p.root); len(line.Projects) > 0 || line.User {
		return nil, nil
	}
	return agentconfig.RemoveStatusLine(files, agentconfig.Options{PreviousLine: previous})
}

// senseHere turns the sensor on in the project that a status line for all of them was asked for in.
func (s *agentSetup) senseHere(ctx context.Context) error {
	if !s.r.StatusLine || s.r.Mode != AgentsWrite || !s.inProject() {
		return nil
	}
	notes, err := s.p.update(ctx, s.sense)
	s.out.Warnings = append(s.out.Warnings, notes...)
	return err
}

// inProject says whether there is a layout here.
func (s *agentSetup) inProject() bool {
	return len(s.p.foundNames(lookDigests(s.p.root, s.p.env.Getenv), lookFolders(s.p.root, s.p.env.Home))) > 0
}

// writeHome writes the settings of the scope of the user, and with the status line the project's sensor. When that cannot be
// written, the settings are put back.
func (s *agentSetup) writeHome(ctx context.Context) error {
	edits, err := s.plan(ctx, s.user)
	if err != nil {
		return err
	}
	before := s.readLine(ctx)
	if s.r.StatusLine && s.r.Mode == AgentsWrite {
		if err := s.noteLine(ctx, func(l *userLine) { l.take(edits, s.p.root); l.Projects, l.User = before.Projects, true }); err != nil {
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
	if s.r.Mode == AgentsRemove && slices.Contains(s.clients, agentconfig.Claude) {
		if err := s.noteLine(ctx, func(l *userLine) { *l = userLine{} }); err != nil {
			return err
		}
	}
	return s.trust(ctx)
}
