package cleanup

import (
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
)

// Outlook is what the contract says of one entry of a folder as it is now (5.7).
type Outlook struct {
	Class     statedir.Class
	Inherited bool              // left by an earlier workflow (5.16)
	Would     map[string]string // the sweeps that would move it now, with the reason; never nil
}

// Outlooks returns the outlook of every entry, in the order of f.Entries. It says what the plans of
// the four sweeps, asked for without options, say, at a quarter of their price: an audit asks for
// all of them and needs no order.
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
