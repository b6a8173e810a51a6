package loss

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// LossPatience is how long a command that a person runs for it lets git look for missing entries in the history. Others have 300 ms.
const LossPatience = 5 * time.Second

// Findings of a look for missing entries.
const (
	GitSilent       = "git_silent"
	BookUnusable    = "book_unusable"
	EntriesUnjudged = "entries_unjudged"
)

// mostWhy bounds what is told of git's own words, in characters.
const mostWhy = 100

// warnings tells what is not known, in this order: what could not be judged, and what git gave no answer on.
func (t *Answer) AllWarnings() []report.Finding {
	if t.Unsure == 0 {
		return t.Warnings
	}
	return append(t.Warnings[:len(t.Warnings):len(t.Warnings)], report.Finding{
		Code: GitSilent, Severity: report.Warning,
		Text: SilentWords(t.Silent, t.Unsure) + "; `baton lost --all` lists what may be, and `baton lost --restore ID` puts it back",
	})
}

// SilentWords says that git gave no answer on some entries.
func SilentWords(why string, n int) string {
	entries := "1 entry"
	if n > 1 {
		entries = strconv.Itoa(n) + " entries"
	}
	return "git gave no answer (" + workspace.PlainWord(why, mostWhy) + "), so that " + entries + " may be lost"
}

// Books gives the families that have a book, and notes what is none where one should be.
func (k *Look) Books(ctx context.Context) ([]string, error) {
	families, faults, err := k.P.Kept.Books(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		k.unjudged = append(k.unjudged, Unusable(f.Path, f.Why))
	}
	return families, nil
}

func Unusable(path, why string) report.Finding {
	return report.Finding{
		Code: BookUnusable, Severity: report.Warning, Path: path,
		Text: "what baton remembers in " + safetext.OneLine(path) + " cannot be read, so that what is gone from documents may not show: " + safetext.Line(why),
	}
}

// fault notes that a family cannot be judged. Only the end of the context is an error: the others are judged.
func (k *Look) fault(ctx context.Context, code, family string, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	e := report.As(err)
	path := cmp.Or(e.Path, family)
	f := report.Finding{
		Code: code, Severity: report.Warning, Path: path, Line: e.Line,
		Text: "what is missing from " + safetext.OneLine(family) + " is not known: " + safetext.Line(strings.TrimPrefix(e.Message, path+": ")),
	}
	if code == BookUnusable {
		f = Unusable(path, e.Message)
	}
	k.unjudged = append(k.unjudged, f)
	return nil
}
