package cleanup

import (
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
)

// Outlook is what the contract says about an entry of a folder now (5.7).
type Outlook struct {
	Class     statedir.Class
	Inherited bool              // left over from an earlier workflow (5.16)
	Would     map[string]string // the sweeps that would move it now, with their reasons; never nil
}

// Outlooks returns the outlook of every entry, in the order of f.Entries. It gives the same result
// as the plans of the four sweeps without options, but at a quarter of their cost, because an audit
// needs all of them and no order.
func Outlooks(c *declaration.Contract, f declaration.Facts) []Outlook {
	once := newPlanner(c, f)
	out := make([]Outlook, len(f.Entries))
	for at := range out {
		out[at] = Outlook{Class: once.classes[at], Would: map[string]string{}}
	}
	for _, sweep := range [...]statedir.Sweep{
		statedir.SweepCleanup, statedir.SweepReset, statedir.SweepEvict, statedir.SweepBegin,
	} {
		p := *once
		p.hasty, p.why = true, make([]string, len(p.all))
		switch sweep {
		case statedir.SweepCleanup:
			p.cleanup(CleanupOptions{StaleDays: -1})
		case statedir.SweepReset:
			p.reset()
		case statedir.SweepEvict:
			p.evictNow()
		default:
			p.begin(false)
		}
		for at, why := range p.why {
			if why != "" {
				out[at].Would[string(sweep)] = why
			}
		}
	}
	inherited := c.InheritedIn(f)
	for at := range out {
		out[at].Inherited = inherited(f.Entries[at])
	}
	return out
}
