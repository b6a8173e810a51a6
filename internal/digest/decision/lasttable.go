package decision

import (
	"baton/internal/markdown"
	"baton/internal/report"
)

// EndWithDecisions returns an archive whose last table takes decisions. SpecFlow's own program adds
// decisions to whatever table is last (specflow.md 5.16), and loses what that table has no columns
// for. So an empty table of decisions follows another one. Its columns are those of the digest.
//
// Errors: Corrupt "unclosed_fence" if the table would be after an unclosed fence or comment.
func EndWithDecisions(archive, doc []byte, form Form, titles []string) ([]byte, error) {
	if form != Specflow {
		return archive, nil
	}
	a := scanArchive(archive, form)
	n := len(a.tables)
	if n == 0 || a.tables[n-1].decisions {
		return archive, nil
	}
	to := newSchema([]string{"Date", "Decision"})
	digest := scanDigest(doc, form, titles)
	for k := range digest.tables {
		if digest.tables[k].decisions {
			to = digest.schemaOf(k)
		}
	}
	if a.hidden < len(archive) {
		return archive, unclosed(a, "the archive")
	}
	block := []string{"## " + archiveHeading, "", to.header, to.delimiter}
	text, err := markdown.Apply(archive, appendBlock(a.d, block))
	if err != nil {
		return archive, &report.Error{Kind: report.Internal, Message: "plan the archive: " + err.Error(), Err: err}
	}
	return text, nil
}
