package folder

import (
	"context"
	"math"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/workspace"
)

// DirAudit classifies everything in the state folder (5.7). It writes nothing and takes no lock. A
// missing folder counts as empty. It fails with the errors of ForFolder, and with Refused for a
// folder that cannot be listed.
func (p Folder) DirAudit(ctx context.Context, r DirRequest) (DirAudit, error) {
	const op = "dir.audit"
	at, place, err := p.ForFolder(ctx, op, r)
	if err != nil {
		return DirAudit{}, err
	}
	out, err := Of(at).auditOf(ctx, place)
	if err != nil {
		return DirAudit{}, workspace.InOp(err, op)
	}
	out.Findings = append(append([]report.Finding{}, Of(at).folderFindings(place)...), out.Findings...)
	others, err := Of(at).siblings(ctx, op, r, place)
	if err != nil {
		return DirAudit{}, err
	}
	for _, other := range others {
		one, err := Of(at).auditOf(ctx, other)
		if err != nil {
			out.Findings = append(out.Findings, other.Unseen(err))
			continue
		}
		one.Findings = append(append([]report.Finding{}, other.Doubts()...), one.Findings...)
		out.Others = append(out.Others, one)
	}
	return out, ctx.Err()
}

// auditOf returns the audit of one folder.
func (p Folder) auditOf(ctx context.Context, place workspace.FolderPlace) (DirAudit, error) {
	v, err := p.ViewFolder(ctx, p.Store, place, p.Now())
	if err != nil {
		return DirAudit{}, err
	}
	out := v.audit()
	out.Findings = v.oddities(ctx, p.Store)
	return out, nil
}

// audit assigns every entry to its bucket.
func (v *FolderView) audit() DirAudit {
	out := DirAudit{
		Layout: v.place.Layout, Folder: v.place.Dir, Exists: v.exists,
		Buckets: map[statedir.Bucket][]AuditEntry{}, Counts: map[string]int{"total": len(v.facts.Entries)},
	}
	for _, bucket := range statedir.Buckets() {
		out.Buckets[bucket], out.Counts[string(bucket)] = []AuditEntry{}, 0
	}
	sorting.By(v.facts.Entries, func(a, b statedir.Entry) int { return strings.Compare(a.Name, b.Name) })
	v.outlooks = cleanup.Outlooks(v.place.Contract, v.facts)
	for i, e := range v.facts.Entries {
		if ofLock(e) { // no sweep moves it; the next one that moves anything removes it
			v.outlooks[i].Class.Exempt, v.outlooks[i].Would = true, map[string]string{}
		}
	}
	for i, e := range v.facts.Entries {
		bucket := v.outlooks[i].Class.Bucket
		out.Buckets[bucket] = append(out.Buckets[bucket], v.auditEntry(e, v.outlooks[i]))
		out.Counts[string(bucket)]++
		out.TotalBytes += e.Size
	}
	return out
}

func (v *FolderView) auditEntry(e statedir.Entry, look cleanup.Outlook) AuditEntry {
	one := AuditEntry{
		Kind: e.Kind, Size: e.Size, ModTime: e.ModTime.UTC().Format(time.RFC3339Nano),
		AgeS:   ageOf(v.facts.Now, e.ModTime),
		Exempt: look.Class.Exempt, Inherited: look.Inherited, Link: e.Broken, Would: look.Would,
		Reason: look.Class.Reason,
	}
	if v.faulty != nil {
		delete(one.Would, string(statedir.SweepBegin)) // begin is refused until the record can be read
	}
	one.Name, one.NameBytes = statedir.ShownName(e.Name)
	if row := look.Class.Name(); row != "" {
		one.Row = &row
	}
	if look.Class.Bucket == statedir.AdHoc {
		if near := v.nearest(e); near != "" {
			one.Suggestion = &near
		}
	}
	return one
}

// nearest returns the allowed name that was probably meant, or "" if none is close. A folder gets
// the name of a folder. If the closest name is the entry's own, its kind is wrong and not its name,
// so the result is "".
func (v *FolderView) nearest(e statedir.Entry) string {
	name := e.Name
	if e.Kind == statedir.Dir {
		name += "/"
	}
	near := v.place.Contract.Nearest(name)
	if strings.TrimSuffix(near, "/") == e.Name {
		return ""
	}
	return near
}

// ageOf returns an age in seconds, to the millisecond. It does not subtract durations, because they
// end at 292 years and a file's time may be older.
func ageOf(now, then time.Time) float64 {
	seconds := float64(now.Unix()-then.Unix()) + float64(now.Nanosecond()-then.Nanosecond())/1e9
	return math.Round(seconds*1000) / 1000
}
