package folder

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/store/disk"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// MostLint limits the bytes of a text that is checked. Texts for agents are shorter.
const MostLint = 8 << 20

// lintPlaces returns the usual places of texts for agents and workflows, below the root (5.15).
func lintPlaces() []string {
	return []string{"agents", "workflows", "commands", "skills", ".claude", "CLAUDE.md", "AGENTS.md"}
}

// lintExtensions returns the extensions of texts that are checked in folders. A file that is named
// explicitly is always checked.
func lintExtensions() []string { return []string{".md", ".yaml", ".yml", ".json", ".toml", ".sh"} }

// DirLint searches the texts of agents and workflows for references to state files that the
// contract does not know (5.15). Findings are an answer, not an error. It works without a project
// too. It fails with NotFound path_unknown, and with Violation path_outside.
func (p Folder) DirLint(ctx context.Context, r LintRequest) (LintResult, error) {
	const op = "dir.lint"
	contract, findings, err := p.anyContract(ctx, op)
	if err != nil {
		return LintResult{}, err
	}
	root, rules := p.Root, ""
	if at, place, err := p.FindFolder(ctx, op); err == nil {
		root, rules = at.Root, place.ContractName()
	}
	l := &linter{
		root: root, contract: contract, rules: rules, known: declaration.NewVerdicts(), seen: map[string]bool{},
		out: LintResult{Findings: []LintFinding{}, Warnings: append([]report.Finding{}, findings...)},
	}
	for _, path := range r.Paths {
		if err := l.named(ctx, op, path, p.Absolute(path)); err != nil {
			return LintResult{}, err
		}
	}
	if len(r.Paths) == 0 {
		for _, place := range lintPlaces() {
			if path := filepath.Join(root, place); workspace.Exists(path) {
				l.visit(ctx, path, !workspace.IsDir(path))
			}
		}
	}
	if l.known.Exhausted() {
		return LintResult{}, workspace.InOp(declaration.TooMuch(l.rules, "the texts"), op)
	}
	l.out.OK = len(l.out.Findings) == 0
	return l.out, ctx.Err()
}

// linter is one check of texts.
type linter struct {
	root     string
	contract *declaration.Contract
	rules    string // the name of the project's contract.yaml
	known    *declaration.Verdicts
	seen     map[string]bool // real paths that were checked, because links may form circles
	out      LintResult
}

// named checks a place that was given explicitly. It must exist inside the project.
func (l *linter) named(ctx context.Context, op, given, path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodePathUnknown,
			Message: "there is no file or folder " + safetext.Quote(given),
			Hint:    "paths are relative to the current folder, or to -C DIR", Err: err,
		}
	}
	if !l.inside(target) {
		return &report.Error{
			Op: op, Kind: report.Violation, Code: report.CodePathOutside,
			Message: safetext.Quote(given) + " is outside the project " + l.root,
			Hint:    "name files and folders of the project, or give its folder with -C",
		}
	}
	l.visit(ctx, path, true)
	return nil
}

func (l *linter) inside(path string) bool {
	rel, err := filepath.Rel(l.root, path)
	return err == nil && filepath.IsLocal(rel)
}

// visit checks a file, or everything in a folder. It follows links only inside the project.
func (l *linter) visit(ctx context.Context, path string, named bool) {
	target, err := filepath.EvalSymlinks(path)
	switch {
	case ctx.Err() != nil, errors.Is(err, fs.ErrNotExist): // interrupted, or a dangling link
		return
	case err != nil:
		l.warn(report.CodeUnreadable, path, "cannot be read: "+config.ReasonOf(err))
		return
	case !l.inside(target):
		l.warn(report.CodeOutside, path, "is a link that leads outside the project; it was not followed")
		return
	case l.seen[target]:
		return
	}
	l.seen[target] = true
	info, err := os.Stat(target)
	switch {
	case err != nil:
		l.warn(report.CodeUnreadable, path, "cannot be read: "+config.ReasonOf(err))
	case info.IsDir():
		l.folder(ctx, path, target)
	case info.Mode().IsRegular() && (named || slices.Contains(lintExtensions(), strings.ToLower(filepath.Ext(path)))):
		l.file(path, target)
	}
}

// folder checks the contents of a folder in the order of their names. It skips the folders of git,
// of package managers and of agents' state, because they contain no texts for agents.
func (l *linter) folder(ctx context.Context, path, target string) {
	entries, err := os.ReadDir(target)
	if err != nil {
		l.warn(report.CodeUnreadable, path, "cannot be read: "+config.ReasonOf(err))
		return
	}
	for _, e := range entries {
		below := filepath.Join(path, e.Name())
		if e.Name() == ".git" || e.Name() == "node_modules" || l.stateFolder(below) {
			continue
		}
		l.visit(ctx, below, false)
	}
}

func (l *linter) stateFolder(path string) bool {
	dirs := []string{l.contract.Folder()} // "" is the root, which is never below itself
	for _, f := range statedir.Folders() {
		dirs = append(dirs, f.Dir)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return path == filepath.Join(l.root, filepath.FromSlash(dir))
	})
}

func (l *linter) file(path, target string) {
	data, err := disk.ReadFile(target, l.shown(path), MostLint)
	switch {
	case report.CodeOf(err) == report.CodeTooLarge:
		l.warn(report.CodeTooLarge, path, "is larger than 8 MB, so it was not checked")
		return
	case err != nil:
		l.warn(report.CodeUnreadable, path, "cannot be read: "+config.ReasonOf(err))
		return
	case bytes.IndexByte(data, 0) >= 0:
		l.warn(report.CodeBinary, path, "is not text, so it was not checked")
		return
	}
	l.out.Files++
	for _, reference := range l.contract.Lint(data, l.known) {
		l.out.Findings = append(l.out.Findings, LintFinding{File: l.shown(path), Reference: reference})
	}
}

// shown returns a path for answers: relative to the root, with slashes.
func (l *linter) shown(path string) string {
	if rel, err := filepath.Rel(l.root, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return workspace.ShownEntry(filepath.ToSlash(path))
}

func (l *linter) warn(code report.Code, path, text string) {
	l.out.Warnings = append(l.out.Warnings, code.Finding(l.shown(path), 0, safetext.Quote(l.shown(path))+" "+text))
}
