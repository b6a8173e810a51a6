package app

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/workspace"
)

// MostIDs is how many ids a command takes at once.
const MostIDs = 64

// AnswerEach is Answer for a command that takes one word or several. One after the other, it does
// what use does with a word; the first failure ends that, and says what was done before. With
// --json, several words have a list as their answer.
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
	if len(seen) == 1 || d.DryRun {
		return d.oneByOne(seen, func(word string) error {
			return Answer(d, cmd, func(ctx context.Context, p *project.Project) (T, error) {
				return use(ctx, p, word)
			}, text)
		})
	}
	results := []T{}
	failed := d.oneByOne(seen, func(word string) error {
		result, err := Ask(d, cmd, d.Options(cmd), func(ctx context.Context, p *project.Project) (T, error) {
			return use(ctx, p, word)
		})
		if err != nil {
			return doneBefore(err, word, seen[:len(results)])
		}
		results = append(results, result)
		return nil
	})
	if failed != nil && len(results) == 0 {
		return failed
	}
	err := d.present(results, func(p *Page) {
		var hints []byte
		for i := range results {
			part := p.Part()
			text(part, results[i])
			body, after := part.Parts()
			if i > 0 && bytes.Count(body, []byte{'\n'}) > 8 {
				p.End() // pages of several paragraphs
			}
			p.Raw.Write(body)
			p.Remarks, hints = append(p.Remarks, part.Remarks...), after
		}
		if failed == nil { // what comes next is up to the last one
			p.HintsAre(hints)
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

// oneByOne calls do with each word. A dry run goes on to the next one.
func (d *App) oneByOne(words []string, do func(string) error) error {
	var rehearsed error
	for _, word := range words {
		err := do(word)
		switch {
		case errors.Is(err, workspace.ErrRehearsed):
			rehearsed = err
		case err != nil:
			return err
		}
	}
	return rehearsed
}

// doneBefore adds to the error about one of several words which were done before.
func doneBefore(err error, word string, done []string) error {
	e := *report.As(err)
	if !strings.Contains(e.Message, word) {
		e.Message = word + ": " + e.Message
	}
	if len(done) > 0 {
		before := "done before it: " + strings.Join(done, ", ")
		if e.Hint != "" {
			before += "; " + e.Hint
		}
		e.Hint = before
	}
	return &e
}
