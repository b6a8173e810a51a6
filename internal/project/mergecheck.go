package project

import (
	"context"
	"fmt"
	"path"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
)

// MergeCheck looks for what a merge can leave behind and no single file shows: conflict markers, a task in two files,
// a session number given twice in a task and its archive, and names of tasks that are not there. It writes nothing.
// NotFound no_project; the errors of reading.
func (p *Project) MergeCheck(ctx context.Context) (MergeCheck, error) {
	at, _, err := p.mergePlaces(ctx, "merge.check")
	if err != nil {
		return MergeCheck{}, err
	}
	c := mergeChecker{p: at, ctx: ctx, out: MergeCheck{Findings: []report.Finding{}}}
	for _, d := range lookDigests(at.root, at.env.Getenv) {
		for _, name := range [...]string{d.State, d.Archive, d.StateArchive} {
			if _, err := c.read(name); err != nil {
				return MergeCheck{}, err
			}
		}
	}
	if at.found {
		err = c.tasks()
	}
	return c.out, err
}

type mergeChecker struct {
	p   *Project
	ctx context.Context
	out MergeCheck
}

func (c *mergeChecker) find(code, name string, line int, text string) {
	c.out.Findings = append(c.out.Findings, report.Finding{Code: code, Severity: report.Severe, Path: name, Line: line, Text: text})
}

// read gives a document, and says where conflict markers stand in it.
func (c *mergeChecker) read(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	doc, err := c.p.store.Read(c.ctx, name)
	if err != nil || !doc.Exists {
		return nil, err
	}
	c.out.Files++
	if problem, bad := markdown.Unsafe(doc.Data); bad && problem.Code == "conflict_markers" {
		c.find("conflict_markers", name, problem.Line, "a merge left its markers here; nothing is written into the file until it is mended")
	}
	return doc.Data, nil
}

// tasks looks at all task files.
func (c *mergeChecker) tasks() error {
	first, known := map[string]string{}, map[task.ID]bool{}
	var states []*task.State
	var names []string
	for _, d := range c.p.dirs {
		entries, err := c.p.store.List(c.ctx, d.Dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			id, ok := task.IDOfFile(e.Name)
			if !ok || e.Dir || e.Name != task.StateName(id) {
				continue
			}
			name := join(d.Dir, e.Name)
			folded := strings.ToLower(string(id))
			if other := first[folded]; other != "" {
				c.find("task_doubled", name, 0, "task "+id.Ref()+" stands in "+other+" too")
			} else {
				first[folded] = name
			}
			data, err := c.read(name)
			if err != nil {
				return err
			}
			known[id] = true
			s := task.Parse(id, data)
			states, names = append(states, s), append(names, name)
			if err := c.sessions(s, name, d); err != nil {
				return err
			}
		}
	}
	for i, s := range states {
		c.references(s, names[i], known)
	}
	return nil
}

// sessions looks for numbers that stand twice with different texts.
func (c *mergeChecker) sessions(s *task.State, name string, d taskDir) error {
	archive := d.archive(s.ID)
	if named := s.Meta.ArchivePath; named != "" && task.ArchivePathInside(named) && path.Base(named) == task.ArchiveName(s.ID) {
		archive = path.Clean(named)
	}
	old, err := c.read(archive)
	if err != nil {
		return err
	}
	seen := map[int]string{}
	look := func(src []byte, sessions []task.Session, file string) {
		doc := markdown.Parse(src)
		for _, one := range sessions {
			if one.Number == 0 {
				continue
			}
			text := strings.TrimLeft(strings.TrimSpace(string(one.Span.Of(src))), "#")
			if was, twice := seen[one.Number]; twice && was != text {
				c.find("session_number_doubled", file, doc.LineNumber(one.Span.Start), fmt.Sprintf("task %s has another session %d", s.ID.Ref(), one.Number))
				continue
			}
			seen[one.Number] = text
		}
	}
	look(old, task.ParseArchive(old).Sessions, archive)
	look(s.Bytes(), s.Sessions, name)
	return nil
}

// references looks for tasks that are named and not there.
func (c *mergeChecker) references(s *task.State, name string, known map[task.ID]bool) {
	missing := func(what string, ids ...task.ID) {
		for _, id := range ids {
			if id != "" && !known[id] {
				c.find("reference_missing", name, 0, "task "+s.ID.Ref()+" names "+id.Ref()+" as "+what+", and there is no such task")
			}
		}
	}
	missing("a dependency", s.Meta.Dependencies...)
	missing("its parent", s.Meta.Parent)
	missing("a part", s.Meta.Children...)
}
