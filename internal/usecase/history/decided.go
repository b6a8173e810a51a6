package history

import (
	"context"

	"baton/internal/ledger"
	"baton/internal/store/history"
	"baton/internal/usecase/loss"
)

// decisions finds the decisions that changes recorded. It reads the ledger of a digest when the
// first change asks for it.
type decisions struct {
	p     History
	known map[string]map[origin]string // by family: labels by change
}

func (p History) decisions() *decisions {
	return &decisions{p: p, known: map[string]map[origin]string{}}
}

// of returns the decision that a change recorded, as `blame` names it; "" if there is none, or if
// the ledger cannot tell.
func (d *decisions) of(ctx context.Context, c *history.Change) string {
	if c.Command != "decision add" {
		return ""
	}
	at := origin{at: c.At.UnixNano(), by: c.By, command: c.Command}
	for _, doc := range c.Docs {
		family, ok := d.p.FamilyOf(doc.Name)
		if !ok {
			continue
		}
		if _, read := d.known[family]; !read {
			d.known[family] = d.added(ctx, family)
		}
		if label := d.known[family][at]; label != "" {
			return label
		}
	}
	return ""
}

// added returns the decisions of a family by the change with which they came.
func (d *decisions) added(ctx context.Context, family string) map[origin]string {
	book, err := d.p.Kept.Book(ctx, family)
	if err != nil || book == nil {
		return nil
	}
	out := map[origin]string{}
	for _, k := range book.Entries {
		if k.Kind == ledger.Decision {
			out[origin{at: k.First.At.UnixNano(), by: k.First.By, command: k.First.Command}] = loss.LabelShown(k.Label)
		}
	}
	return out
}
