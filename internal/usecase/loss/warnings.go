package loss

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// LossPatience is how long a command that a person runs lets git search the history. Other callers
// wait 300 ms.
const LossPatience = 5 * time.Second

// mostReason limits git's own words in a message, in characters.
const mostReason = 100

// AllWarnings returns the documents that could not be judged, and a warning if git gave no answer.
func (r *Result) AllWarnings() []report.Finding {
	if r.Unsure == 0 {
		return r.Warnings
	}
	return append(slices.Clip(r.Warnings), report.CodeGitSilent.Finding("", 0,
		NoAnswerText(r.Silent, r.Unsure)+"; `baton lost --all` lists the entries that may be lost, and `baton "+
			"lost --restore ID` restores it"))
}

// NoAnswerText explains that git gave no answer about some entries.
func NoAnswerText(why string, n int) string {
	entries := "1 entry"
	if n > 1 {
		entries = strconv.Itoa(n) + " entries"
	}
	return "git did not answer (" + workspace.PlainWord(why, mostReason) + "), so " + entries + " may be lost"
}

// Books lists the families with a ledger, and records the unreadable ones.
func (k *Scan) Books(ctx context.Context) ([]string, error) {
	families, faults, err := k.P.Kept.Books(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		k.unjudged = append(k.unjudged, UnusableBook(f.Path, f.Why))
	}
	return families, nil
}

// UnusableBook warns that a book of the ledger cannot be read.
func UnusableBook(path, why string) report.Finding {
	return report.CodeBookUnusable.Finding(path, 0,
		"baton's records in "+safetext.OneLine(path)+" cannot be read, so lost entries may not be listed: "+
			safetext.Line(why))
}

// fault records that a family cannot be judged. Only the end of the context is an error, so that
// other families are still judged.
func (k *Scan) fault(ctx context.Context, code report.Code, family string, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	e := report.As(err)
	path := cmp.Or(e.Path, family)
	f := UnusableBook(path, e.Message)
	if code != report.CodeBookUnusable {
		why := safetext.Line(strings.TrimPrefix(e.Message, path+": "))
		f = code.Finding(path, e.Line,
			"baton does not know what is missing from "+safetext.OneLine(family)+": "+why)
	}
	k.unjudged = append(k.unjudged, f)
	return nil
}

// AlsoDone adds to an error about one root what was already done below another root.
func AlsoDone(err error, what string, done []LostEntry) error {
	if len(done) == 0 {
		return err
	}
	var docs []string
	for _, e := range done {
		docs = append(docs, safetext.OneLine(e.Document))
	}
	some := "1 entry was"
	if len(done) > 1 {
		some = strconv.Itoa(len(done)) + " entries were"
	}
	e := *report.As(err)
	e.Message += "; before that, " + some + " " + what + ": of " + strings.Join(workspace.Compact(docs), ", ")
	return &e
}
