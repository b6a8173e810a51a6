package setup

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/workspace"
)

// docReader is the part of a store that a plan needs.
type docReader interface {
	Read(ctx context.Context, name string) (store.Document, error)
}

// userFiles are the settings of one user: those in the user's folder, and those of agents for which
// the environment names another folder. Names are those of agentconfig in the scope of the user.
type userFiles struct{ places []userPlace }

// userPlace is a folder and a store with that root, so that nothing outside it is written.
type userPlace struct {
	// the folder that it replaces, such as ".claude"; "" for the user's folder, which has
	// everything else
	folder string
	root   string
	shown  string // prefix of names in answers
	store  *filestore.Store
	reader docReader
}

// homeVariables returns folders in the user's folder, each with the variable that names another
// folder to its agent.
func homeVariables() [4][2]string {
	return [4][2]string{
		{".claude", "CLAUDE_CONFIG_DIR"},
		{".codex", "CODEX_HOME"},
		{".copilot", "COPILOT_HOME"},
		{".qwen", "QWEN_HOME"},
	}
}

// namedFolder returns the folder that a variable names, with links resolved, or "" if it names none
// or a relative one.
func namedFolder(env report.Env, variable string) string {
	path := env.Getenv(variable)
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return ""
	}
	return workspace.Resolved(filepath.Clean(path))
}

// openUser opens the user's folders. Locks and journals are in baton's folder, separately for each
// of them.
func (s *AgentSetup) openUser() *userFiles {
	home := workspace.Real(s.P.Env.Home)
	open := func(folder, root, shown, name string) userPlace {
		to := filestore.Open(filestore.Options{
			Root: root, Runtime: runtimeOf(
				s.P.Env, name,
			), Command: s.P.O.Command, Env: s.P.Env, FS: s.P.O.FS, Wait: s.P.O.Wait,
		})
		return userPlace{folder: folder, root: root, shown: shown, store: to, reader: to}
	}
	u := &userFiles{}
	for _, v := range homeVariables() {
		root := namedFolder(s.P.Env, v[1])
		if root == "" {
			continue
		}
		shown := root + string(filepath.Separator)
		if rest, ok := strings.CutPrefix(shown, home+string(filepath.Separator)); ok {
			shown = inHome + rest
		}
		u.places = append(u.places, open(v[0], root, safetext.Line(filepath.ToSlash(shown)), "home-"+
			agentsession.Hash(root)[:8]))
	}
	u.places = append(u.places, open("", home, inHome, "home"))
	return u
}

// at returns the place of a file, and its name there. Claude Code's own .claude.json is in the
// folder that the variable names.
func (u *userFiles) at(name string) (place int, inside string) {
	for i, p := range u.places {
		rest, below := strings.CutPrefix(name, p.folder+"/")
		switch {
		case p.folder == "", name == p.folder+".json":
			return i, name
		case below:
			return i, rest
		case name == p.folder:
			return i, "."
		}
	}
	return len(u.places) - 1, name
}

// Read reads a file from its place.
func (u *userFiles) Read(ctx context.Context, name string) (store.Document, error) {
	i, inside := u.at(name)
	return u.places[i].reader.Read(ctx, inside)
}

// shown returns the name of a file for people.
func (u *userFiles) shown(name string) string {
	i, inside := u.at(name)
	return u.places[i].shown + inside
}

// path returns the path of a file.
func (u *userFiles) path(name string) string {
	i, inside := u.at(name)
	return filepath.Join(u.places[i].root, filepath.FromSlash(inside))
}

// within returns the same files, but reads one place through the reader of a change.
func (u *userFiles) within(place int, reader docReader) *userFiles {
	out := &userFiles{slices.Clone(u.places)}
	out.places[place].reader = reader
	return out
}

// part returns the edits of one place, with the files' names there.
func (u *userFiles) part(place int, edits []agentconfig.Edit) []agentconfig.Edit {
	var out []agentconfig.Edit
	for _, e := range edits {
		i, inside := u.at(e.Name)
		if i != place {
			continue
		}
		e.Notes = slices.Clone(e.Notes)
		for n := range e.Notes {
			e.Notes[n].Path = inside
		}
		e.Name = inside
		out = append(out, e)
	}
	return out
}

// named adds the name of a file to an error if the file is not in its usual place.
func (u *userFiles) named(err error) error {
	e := *report.As(err)
	i, _ := u.at(e.Path)
	if e.Path == "" || u.places[i].folder == "" {
		return err
	}
	shown := u.shown(e.Path)
	e.Message, e.Path = strings.Replace(e.Message, e.Path, shown, 1), shown
	return &e
}

// each passes the edits to tell, place by place, with the prefix of their names.
func (u *userFiles) each(edits []agentconfig.Edit, tell func(edits []agentconfig.Edit, prefix string)) {
	for i, place := range u.places {
		if part := u.part(i, edits); len(part) > 0 {
			tell(part, place.shown)
		}
	}
}

// changeUser makes the changes that a plan of the user's files requests, one folder after the
// other, and reports them. After an error, and by undo, written files are restored.
func (s *AgentSetup) changeUser(
	ctx context.Context, plan func(context.Context, docReader) ([]agentconfig.Edit, error),
) (undo func(context.Context) error, err error) {
	all, err := plan(ctx, s.user)
	if err != nil {
		return nil, err
	}
	var done []func(context.Context) error
	undo = func(ctx context.Context) error {
		var failed error
		for _, back := range slices.Backward(done) {
			failed = errors.Join(failed, back(ctx))
		}
		return failed
	}
	files, warnings := []AgentFile{}, []report.Finding{}
	s.Out.Files, s.Out.Warnings = files, warnings
	for i, place := range s.user.places {
		if len(s.user.part(i, all)) == 0 {
			continue
		}
		var mine []agentconfig.Edit
		result, err := place.store.Update(ctx, func(tx *store.Tx) error {
			s.Out.Files, s.Out.Warnings = slices.Clone(files), slices.Clone(warnings)
			edits, err := plan(ctx, s.user.within(i, tx.Reader()))
			if err != nil {
				return err
			}
			mine = s.user.part(i, edits)
			return s.put(&workspace.Change{Tx: tx}, mine, place.shown)
		})
		if err != nil {
			return nil, errors.Join(err, undo(ctx))
		}
		done = append(done, func(ctx context.Context) error { return undoEdits(ctx, place.store, mine) })
		s.Out.Warnings = append(s.Out.Warnings, result.Notes...)
		files, warnings = s.Out.Files, s.Out.Warnings
	}
	return undo, nil
}
