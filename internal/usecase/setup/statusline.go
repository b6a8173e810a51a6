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
	"baton/internal/usecase/statusbar"
	"baton/internal/workspace"
)

// userLine is baton's note about the status line in the user's settings of an agent: the previous
// line, and the projects that requested baton's (agents.md 6.4).
type userLine struct {
	Previous string   `json:"previous,omitempty"` // the setting as it was
	Projects []string `json:"projects,omitempty"` // roots; the line is removed with the last of them
	User     bool     `json:"user,omitempty"`     // requested in the scope of the user; removed only there
}

// lineNote returns the note's name in baton's folder of the user's configuration. Each file of
// settings with a line has its own note.
func lineNote(env report.Env, client agentconfig.Client) string {
	name, variable, usual := "statusline", "CLAUDE_CONFIG_DIR", ".claude"
	if client == agentconfig.Qwen {
		name, variable, usual = "statusline-qwen", "QWEN_HOME", ".qwen"
	}
	folder := namedFolder(env, variable)
	if folder == "" || folder == filepath.Join(workspace.Real(env.Home), usual) {
		return name + ".json"
	}
	return name + "-" + agentsession.Hash(folder)[:8] + ".json"
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
func (s *AgentSetup) readLine(ctx context.Context, client agentconfig.Client) userLine {
	doc, err := s.openNote().Read(ctx, lineNote(s.P.Env, client))
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

// noteLines edits the notes of agents.
func (s *AgentSetup) noteLines(
	ctx context.Context, clients []agentconfig.Client, edit func(agentconfig.Client, *userLine),
) error {
	for _, client := range clients {
		if err := s.noteLine(ctx, client, func(l *userLine) { edit(client, l) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *AgentSetup) noteLine(ctx context.Context, client agentconfig.Client, edit func(*userLine)) error {
	name := lineNote(s.P.Env, client)
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

// writeLine sets or removes the status lines in the user's settings, for a project. undo restores
// the settings.
func (s *AgentSetup) writeLine(
	ctx context.Context,
) (reported []AgentFile, undo func(context.Context) error, err error) {
	lines := s.wantedLines(ctx)
	if len(lines) == 0 {
		return nil, nil, nil
	}
	before := s.readLines(ctx, lines)
	back, err := s.changeLine(ctx, lines)
	if err != nil {
		return nil, nil, err
	}
	reported, s.Out.Files = s.Out.Files, []AgentFile{}
	return reported, func(ctx context.Context) error {
		if err := back(ctx); err != nil {
			return err
		}
		return s.restoreNotes(ctx, lines, before)
	}, nil
}

func (s *AgentSetup) readLines(ctx context.Context, clients []agentconfig.Client) map[agentconfig.Client]userLine {
	out := map[agentconfig.Client]userLine{}
	for _, client := range clients {
		out[client] = s.readLine(ctx, client)
	}
	return out
}

func (s *AgentSetup) restoreNotes(
	ctx context.Context, clients []agentconfig.Client, before map[agentconfig.Client]userLine,
) error {
	return s.noteLines(ctx, clients, func(client agentconfig.Client, l *userLine) { *l = before[client] })
}

// lined returns the selected agents that can show baton's status line. If none can, a request for
// it means Claude Code.
func (s *AgentSetup) lined() []agentconfig.Client {
	var out []agentconfig.Client
	for _, client := range agentconfig.Lined() {
		if slices.Contains(s.clients, client) {
			out = append(out, client)
		}
	}
	if len(out) == 0 && s.R.StatusLine {
		return []agentconfig.Client{agentconfig.Claude}
	}
	return out
}

// wantedLines returns the agents whose status line in the user's settings this run handles. A
// removal does if this project requested the line and no other scope of the project stays set up.
func (s *AgentSetup) wantedLines(ctx context.Context) []agentconfig.Client {
	if s.user == nil || s.Scope == agentconfig.User {
		return nil
	}
	lined := s.lined()
	if s.R.StatusLine {
		return lined
	}
	if s.R.Mode != AgentsCheck && s.R.Mode != AgentsRemove {
		return nil
	}
	return slices.DeleteFunc(lined, func(client agentconfig.Client) bool {
		return s.R.Mode == AgentsRemove && s.stays(ctx, client) ||
			!slices.Contains(s.readLine(ctx, client).Projects, s.P.Root)
	})
}

// stays reports whether an agent is also set up here in the scope that a removal does not touch:
// the shared settings or the local ones.
func (s *AgentSetup) stays(ctx context.Context, client agentconfig.Client) bool {
	other := agentconfig.Local
	if s.Scope == agentconfig.Local {
		other = agentconfig.Project
	}
	if !agentconfig.Supports(client, other) {
		return false
	}
	files, err := readFiles(ctx, s.P.Store, agentconfig.Names(other))
	return err == nil && slices.Contains(agentconfig.Installed(other, files), client)
}

// changeLine sets or removes the lines. The notes are written before the settings and removed after
// them, because without its note a previous line would be lost.
func (s *AgentSetup) changeLine(
	ctx context.Context, lines []agentconfig.Client,
) (undo func(context.Context) error, err error) {
	edits, err := s.planLine(ctx, s.user)
	if err != nil {
		return nil, err
	}
	if s.R.Mode == AgentsWrite {
		err := s.noteLines(ctx, lines, func(client agentconfig.Client, l *userLine) { l.take(client, edits, s.P.Root) })
		if err != nil {
			return nil, err
		}
	}
	undo, err = s.changeUser(ctx, s.planLine)
	if err == nil && s.R.Mode == AgentsRemove {
		err = s.noteLines(ctx, lines, func(_ agentconfig.Client, l *userLine) { l.leave(s.P.Root) })
	}
	return undo, err
}

// take records the replaced line, and the project.
func (l *userLine) take(client agentconfig.Client, edits []agentconfig.Edit, root string) {
	for _, e := range edits {
		for _, item := range e.Items {
			if item.Previous != "" && item.Client == client {
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

// planLine plans the settings. A line that others still request stays.
func (s *AgentSetup) planLine(ctx context.Context, from docReader) ([]agentconfig.Edit, error) {
	var names []string
	o := agentconfig.Options{Force: s.R.Force, Lines: map[agentconfig.Client]string{}}
	for _, client := range s.wantedLines(ctx) {
		names = append(names, agentconfig.LineFile(client))
		line := s.readLine(ctx, client)
		previous := line.Previous
		if s.R.Mode == AgentsRemove {
			if line.leave(s.P.Root); len(line.Projects) > 0 || line.User {
				continue
			}
		}
		o.Lines[client] = previous
	}
	files, err := readFiles(ctx, from, names)
	if err != nil {
		return nil, err
	}
	switch s.R.Mode {
	case AgentsRemove:
		return agentconfig.RemoveStatusLines(files, o)
	case AgentsCheck:
		edits, err := agentconfig.PlanStatusLines(files, o)
		return faultItems(edits, err)
	}
	return agentconfig.PlanStatusLines(files, o)
}

// homeLines returns the status lines that a plan in the scope of the user sets or removes, each
// with the setting that baton's replaced.
func (s *AgentSetup) homeLines(ctx context.Context) map[agentconfig.Client]string {
	if s.Scope != agentconfig.User {
		return nil
	}
	out := map[agentconfig.Client]string{}
	for _, client := range s.lined() {
		line := s.readLine(ctx, client)
		if s.R.StatusLine || s.R.Mode == AgentsRemove || s.R.Mode == AgentsCheck && line.User {
			out[client] = line.Previous
		}
	}
	return out
}

// printedLines returns the requested status lines of a scope, as they are without a previous one.
func (s *AgentSetup) printedLines(scope agentconfig.Scope) map[agentconfig.Client]string {
	if !s.R.StatusLine || scope != s.Scope {
		return nil
	}
	out := map[agentconfig.Client]string{}
	for _, client := range s.lined() {
		out[client] = ""
	}
	return out
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
	lines := s.lined()
	before := s.readLines(ctx, lines)
	if s.R.StatusLine && s.R.Mode == AgentsWrite {
		if err := s.noteLines(ctx, lines, func(client agentconfig.Client, l *userLine) {
			l.take(client, edits, s.P.Root)
			l.Projects, l.User = before[client].Projects, true
		}); err != nil {
			return err
		}
	}
	undo, err := s.changeUser(ctx, s.plan)
	if err != nil {
		return err
	}
	if err := s.senseHere(ctx); err != nil {
		back := s.restoreNotes(ctx, lines, before)
		return errors.Join(err, undo(ctx), back)
	}
	if s.R.Mode == AgentsRemove {
		if err := s.noteLines(ctx, lines, func(_ agentconfig.Client, l *userLine) { *l = userLine{} }); err != nil {
			return err
		}
	}
	return s.trust(ctx)
}

// bridge lets baton's line write the file that GSD's context monitor reads, where that hook is
// installed (F-60, D49).
func (s *AgentSetup) bridge() {
	if !s.R.StatusLine || s.R.Mode != AgentsWrite || !s.inProject() {
		return
	}
	if _, installed := statusbar.Of(s.P).KeepBridge(); installed {
		s.Out.Notices = append(s.Out.Notices,
			"GSD's context monitor is installed: baton's status line writes the file that it reads")
	}
}
