package digests

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/workspace"
)

// phaseFolder is the folder of one phase as read.
type phaseFolder struct {
	dir      phases.Dir
	outside  bool
	findings []report.Finding
	fault    error
}

func readPhaseFolder(
	ctx context.Context, p *workspace.Workspace, r store.Reader, parent string, e store.Entry,
) phaseFolder {
	name := workspace.Join(parent, e.Name)
	f := phaseFolder{dir: phases.Dir{Name: e.Name, ModTime: e.ModTime}}
	if leadsOut(p, name) {
		f.outside, f.findings = true, []report.Finding{leadsOutside(name)}
		return f
	}
	entries, err := r.List(ctx, name)
	if err != nil {
		f.fault = err
		return f
	}
	f.dir.Files = phaseFilesOf(ctx, p, r, name, entries, &f)
	for _, sub := range entries {
		if sub.Name != "plans" || !sub.Dir {
			continue
		}
		plans := workspace.Join(name, sub.Name)
		if leadsOut(p, plans) {
			f.findings = append(f.findings, leadsOutside(plans))
			continue
		}
		nested, err := r.List(ctx, plans)
		if err != nil {
			f.fault = err
			return f
		}
		f.dir.Plans = phaseFilesOf(ctx, p, r, plans, nested, &f)
	}
	return f
}

// phaseFilesOf returns the documents of one folder. It reads the status only of those whose status
// matters.
func phaseFilesOf(
	ctx context.Context, p *workspace.Workspace, r store.Reader, dir string, entries []store.Entry, f *phaseFolder,
) []phases.File {
	out := make([]phases.File, 0, len(entries))
	for _, e := range entries {
		if e.Dir || !strings.HasSuffix(e.Name, ".md") {
			continue
		}
		file := phases.File{Name: e.Name}
		if e.Size > 0 && phases.Wants(e.Name) {
			name := workspace.Join(dir, e.Name)
			status, err := statusOf(ctx, p, r, name, e.Name)
			switch {
			case err != nil && ctx.Err() != nil:
				f.fault = err
				return nil
			case err != nil:
				f.findings = append(f.findings, report.CodePhaseUnreadable.Finding(name, 0,
					name+" is judged only by its name, because it cannot be read: "+report.As(err).Error()))
			case status != "" && leadsOut(p, name):
				f.findings = append(f.findings, leadsOutside(name))
			default:
				file.Status = status
			}
		}
		out = append(out, file)
	}
	return out
}

// FirstLook is how many bytes of a plan or a verification are read first. More are read only if the
// status is not in them.
const FirstLook = 512

// statusOf reads the head of a plan or a verification, and more of it only if the head is too short
// for the status.
func statusOf(ctx context.Context, p *workspace.Workspace, r store.Reader, name, base string) (string, error) {
	part, err := r.Head(ctx, name, FirstLook)
	if err != nil {
		return "", err
	}
	if part.Size > int64(len(part.Data)) && phases.Short(base, part.Data) {
		if part, err = r.Head(ctx, name, phases.HeadLimit); err != nil {
			return "", err
		}
	}
	return phases.StatusOf(part.Data), nil
}

// leadsOut reports whether a name is a link to a place outside the project (D36).
func leadsOut(p *workspace.Workspace, name string) bool {
	path := filepath.Join(p.Root, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return false
	}
	rel, err := filepath.Rel(p.Root, workspace.Real(path))
	return err != nil || !filepath.IsLocal(rel)
}

func leadsOutside(name string) report.Finding {
	return report.CodePathOutside.Finding(name, 0,
		name+" is a link that leads outside the project, so it is skipped")
}
