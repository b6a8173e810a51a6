package loss

import (
	"context"
	"slices"

	"baton/internal/report"
)

// LostIn reports whether a document misses entries. git says whether git may be asked what belongs to another branch (D9).
func (p Loss) LostIn(ctx context.Context, name string, git bool) bool {
	list, err := p.Losses(ctx, Question{Families: []string{name}, Git: git})
	return err == nil && slices.ContainsFunc(list, func(l Entry) bool { return l.Doc == name })
}

// LostFrom warns who takes a task up of what its documents lost, once for each document. What git is not asked in time about is left to
// `baton lost`, and so is what cannot be judged: that is no reason to keep anybody from the task.
func (p Loss) LostFrom(ctx context.Context, name string) []report.Finding {
	family, ok := p.FamilyOf(name)
	if !ok {
		return nil
	}
	found, err := p.Losses(ctx, Question{Families: []string{family}, Git: true})
	if err != nil {
		return nil
	}
	var out []report.Finding
	names, lists := ByDocument(found)
	for _, doc := range names {
		back := "it"
		if len(lists[doc]) > 1 {
			back = "them"
		}
		out = append(out, report.Finding{
			Code: "entries_lost", Severity: report.Warning, Path: doc,
			Text: GoneWords(lists[doc]) + "; `baton lost --restore` puts " + back + " back",
		})
	}
	return out
}
