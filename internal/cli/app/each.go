package app

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// MostIDs is how many ids a command takes at once.
const MostIDs = 64

// AnswerEach is Answer for a command that takes one word or several. One after the other, it does
// what use does with a word. The first failure ends that, and says what was done before and what
// was not tried. With --json, several words have a list as their answer. A dry run shows each as if
// it were alone.
func AnswerEach[T any](
	d *App, cmd *cobra.Command, words []string, use func(context.Context, *project.Project, string) (T, error),
	text func(*Page, T),
) error {
	var seen []string
	for _, word := range words {
		if !slices.Contains(seen, word) {
			seen = append(seen, word)
		}
	}
	if len(seen) == 1 {
		return Answer(d, cmd, func(ctx context.Context, p *project.Project) (T, error) {
			return use(ctx, p, seen[0])
		}, text)
	}
	d.each = true
	var ended error // the failure, or that this was a dry run
	results, pages := []any{}, []func(*Page){}
	for i, word := range seen {
		o := d.Options(cmd)
		result, err := Ask(d, cmd, o, func(ctx context.Context, p *project.Project) (T, error) {
			return use(ctx, p, word)
		})
		if errors.Is(err, workspace.ErrRehearsed) {
			ended = err
			results = append(results, o.Rehearsal)
			pages = append(pages, func(p *Page) { pageRehearsal(p, o.Rehearsal, d.Again) })
			continue
		}
		if err != nil {
			ended = endedAt(err, seen, i, d.DryRun)
			break
		}
		results = append(results, result)
		pages = append(pages, func(p *Page) { text(p, result) })
	}
	failed := ended != nil && !errors.Is(ended, workspace.ErrRehearsed)
	if failed && len(results) == 0 {
		return ended
	}
	err := d.present(results, func(p *Page) {
		if hints := p.parts(pages); !failed { // what comes next is up to the last one
			p.HintsAre(hints)
		}
	})
	if ended != nil {
		return ended
	}
	return err
}

// parts writes pages one after the other, and returns the hints of the last one.
func (p *Page) parts(pages []func(*Page)) []byte {
	var hints []byte
	for i, write := range pages {
		part := p.Part()
		write(part)
		body, after := part.Parts()
		if i > 0 && bytes.Count(body, []byte{'\n'}) > 8 {
			p.End() // pages of several paragraphs
		}
		p.Raw.Write(body)
		p.Remarks, hints = append(p.Remarks, part.Remarks...), after
	}
	p.Remarks = mentionedOnce(p.Remarks)
	return hints
}

// mentionedOnce replaces the notes about several tasks without criteria by one.
func mentionedOnce(remarks []report.Finding) []report.Finding {
	about := func(f report.Finding) bool { return f.Code == report.CodeNoCriteria }
	first, n := slices.IndexFunc(remarks, about), 0
	for _, f := range remarks {
		if about(f) {
			n++
		}
	}
	if n < 2 {
		return remarks
	}
	one := remarks[first]
	one.Path, one.Line, one.Text = "", 0, safetext.Count(n, "task")+" were completed without any criteria"
	return slices.Insert(slices.DeleteFunc(slices.Clone(remarks), about), first, one)
}

// endedAt adds to the error about words[at] which words were done before it and which were not
// tried, in the hint and in the details.
func endedAt(err error, words []string, at int, dry bool) error {
	e := *report.As(err)
	if !strings.Contains(e.Message, words[at]) {
		e.Message = words[at] + ": " + e.Message
	}
	e.Details = maps.Clone(e.Details)
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	done, left := words[:at], words[at+1:]
	if dry {
		done = words[:0]
	}
	e.Details["done"], e.Details["not_tried"] = done, left
	var hints []string
	if len(done) > 0 {
		hints = append(hints, "done before it: "+strings.Join(done, ", "))
	}
	if len(left) > 0 {
		hints = append(hints, "not tried: "+strings.Join(left, ", "))
	}
	if e.Hint != "" {
		hints = append(hints, e.Hint)
	}
	e.Hint = strings.Join(hints, "; ")
	return &e
}
