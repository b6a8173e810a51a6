package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// Doubts returns the findings about a task's file that matter to a change: all but notes.
func (l *Loaded) Doubts() []report.Finding {
	var out []report.Finding
	for _, f := range l.Warnings() {
		if f.Severity != report.Info {
			out = append(out, f)
		}
	}
	return out
}

// Placed adds the file to findings of a room without I/O.
func Placed(findings []report.Finding, name string) []report.Finding {
	out := make([]report.Finding, len(findings))
	for i, f := range findings {
		if f.Path == "" {
			f.Path = name
		}
		out[i] = f
	}
	return out
}

// Located adds the file to an error of a room without I/O, which knows base names at most.
func Located(err error, name string) error {
	if e := report.As(err); e != nil && (e.Path == "" || e.Path == path.Base(name)) && e.Kind != report.Internal {
		with := *e
		with.Path = name
		return &with
	}
	return err
}

// Writable refuses a write while it is undecided which folder is meant, or what its contract is.
func (f FolderPlace) Writable(op string) error {
	if err := f.Chosen(op); err != nil {
		return err
	}
	if f.Broken != nil {
		return InOp(f.Broken, op)
	}
	return nil
}

// InOp adds the operation to an error without one; nil is no error.
func InOp(err error, op string) error {
	if err == nil {
		return nil
	}
	e := *report.As(err)
	if e.Op == "" {
		e.Op = op
	}
	return &e
}

// Remedy returns the way to fix a finding.
type Remedy struct {
	Command string
	Advice  string
	Fixable bool
}

// NeedAny refuses to go on if there is nothing of any role.
func (p *Workspace) NeedAny(op string) error {
	if _, digests := p.DigestRoot(); p.Found || len(digests) > 0 {
		return nil
	}
	if root, folders := p.FolderRoot(); root != "" && len(folders) > 0 {
		return nil
	}
	return p.NoProject(op)
}

// NoProject is the error of a command that finds nothing of any role here.
func (p *Workspace) NoProject(op string) error {
	if err := p.closed(op); err != nil {
		return err
	}
	return &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeNoProject,
		Message: "no baton project was found in " + p.Start() + " or above it",
		Hint:    "run `baton init` in the project's root, or name a folder with -C",
	}
}

// closed names a folder here or above that may not be looked into: the project may be in it.
func (p *Workspace) closed(op string) (refused error) {
	Upward(Real(p.Start()), p.Env.Home, false, func(dir string) bool {
		_, err := os.Lstat(filepath.Join(dir, ".baton", "tasks"))
		if errors.Is(err, fs.ErrPermission) {
			refused = disk.Refused(err, filepath.Join(dir, ".baton"), "read")
		}
		return refused != nil
	})
	return InOp(refused, op)
}
