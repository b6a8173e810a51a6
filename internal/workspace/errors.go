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

// Doubts returns the findings about a task's file that matter for a change, without notes.
func (l *Loaded) Doubts() []report.Finding {
	var out []report.Finding
	for _, f := range l.Warnings() {
		if f.Severity != report.Info {
			out = append(out, f)
		}
	}
	return out
}

// Placed adds the file to findings of a package without I/O.
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

// WrittenIfApproved ends a finding about a link that leads outside the project.
const WrittenIfApproved = "baton writes there only if that place is approved"

// Located adds the file to an error of a package without I/O, which knows at most base names.
func Located(err error, name string) error {
	if e := report.As(err); e != nil && (e.Path == "" || e.Path == path.Base(name)) && e.Kind != report.Internal {
		with := *e
		with.Path = name
		return &with
	}
	return err
}

// Writable returns an error while it is undecided which folder is meant, or if its contract is
// broken.
func (f FolderPlace) Writable(op string) error {
	if err := f.Chosen(op); err != nil {
		return err
	}
	if f.Broken != nil {
		return InOp(f.Broken, op)
	}
	return nil
}

// InOp adds the operation to an error without one. It returns nil for nil.
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

// Remedy is a way to fix a finding.
type Remedy struct {
	Command string
	Advice  string
	Fixable bool
}

// NeedAny returns an error if there are neither tasks, digests nor state folders.
func (p *Workspace) NeedAny(op string) error {
	if _, digests := p.DigestRoot(); p.Found || len(digests) > 0 {
		return nil
	}
	if root, folders := p.FolderRoot(); root != "" && len(folders) > 0 {
		return nil
	}
	return p.NoProject(op)
}

// NoProject returns the error of a command that finds neither tasks, digests nor state folders.
func (p *Workspace) NoProject(op string) error {
	if err := p.Closed(op); err != nil {
		return err
	}
	return &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeNoProject,
		Message: "no baton project was found in " + p.Start() + " or above it",
		Hint:    "run `baton init` in the project's root, or name a folder with -C",
	}
}

// Closed returns an error that names an unreadable folder here or above, because the project may be
// in it.
func (p *Workspace) Closed(op string) (refused error) {
	Upward(Real(p.Start()), p.Env.Home, false, func(dir string) bool {
		_, err := os.Lstat(filepath.Join(dir, ".baton", "tasks"))
		if errors.Is(err, fs.ErrPermission) {
			refused = disk.Refused(err, filepath.Join(dir, ".baton"), "read")
		}
		return refused != nil
	})
	return InOp(refused, op)
}
