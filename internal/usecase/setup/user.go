package setup

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/filestore"
	"baton/internal/workspace"
)

// docReader is as much of a store as a plan reads by.
type docReader interface {
	Read(ctx context.Context, name string) (store.Document, error)
}

// userFiles are the settings of one user: those in the user's own folder, and those of agents for
// which the environment names a folder in place of the one there. Names are those of agentconfig in
// the scope of the user.
type userFiles struct{ places []userPlace }

// userPlace is a folder, and a store whose root it is: nothing outside of it is written.
type userPlace struct {
	// that it is in for, ".claude"; "" for the user's own folder, which has all that the others
	// have not
	folder string
	root   string
	shown  string // what stands before names in answers
	store  *filestore.Store
	reader docReader
}

// homeVariables name, for folders in the user's own one, the variable by which their agent takes
// another.
func homeVariables() [3][2]string {
	return [3][2]string{{".claude", "CLAUDE_CONFIG_DIR"}, {".codex", "CODEX_HOME"}, {".copilot", "COPILOT_HOME"}}
}

// namedFolder is the folder that a variable names, with links resolved; "" when it names none, or
// no absolute one.
func namedFolder(env report.Env, variable string) string {
	path := env.Getenv(variable)
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return ""
	}
	return workspace.Resolved(filepath.Clean(path))
}

// openUser opens the user's own folders. Locks and journals are in baton's folder, for each of them
// its own.
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
			workspace.AgentHash(root)[:8]))
	}
	u.places = append(u.places, open("", home, inHome, "home"))
	return u
}

// at returns the place of a file, and its name there. Claude Code's own .claude.json lies in the
// folder that is named.
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

// Read reads a file where it is.
func (u *userFiles) Read(ctx context.Context, name string) (store.Document, error) {
	i, inside := u.at(name)
	return u.places[i].reader.Read(ctx, inside)
}

// shown is a name as people are told it.
func (u *userFiles) shown(name string) string {
	i, inside := u.at(name)
	return u.places[i].shown + inside
}

// path is where a file is.
func (u *userFiles) path(name string) string {
	i, inside := u.at(name)
	return filepath.Join(u.places[i].root, filepath.FromSlash(inside))
}

// within is the same, with one place read as a change of it sees it.
func (u *userFiles) within(place int, reader docReader) *userFiles {
	out := &userFiles{slices.Clone(u.places)}
	out.places[place].reader = reader
	return out
}

// part returns the edits of one place, with the names that files have there.
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

// named is an error with the name of a file that is not where it usually is.
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

// each hands the edits to tell, place by place, with what stands before their names.
func (u *userFiles) each(edits []agentconfig.Edit, tell func(edits []agentconfig.Edit, prefix string)) {
	for i, place := range u.places {
		if part := u.part(i, edits); len(part) > 0 {
			tell(part, place.shown)
		}
	}
}

// changeUser makes the changes that a plan of the user's files asks for, one folder after the
// other, and reports them. After an error, and by undo, what was written is put back.
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
