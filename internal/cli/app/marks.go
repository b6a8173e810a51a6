package app

import "strings"

// Marks are the characters that pages draw with.
type Marks struct {
	Full, Empty                   string // cells of a bar
	Fork, Last, Trunk             string // a tree: a branch, the last one, what goes on
	Done, Failed, Free, Busy, Dot string // what a task or a criterion is
	Then, More                    string // an arrow, and that something was left out
}

var (
	drawn = Marks{
		Full: "█", Empty: "░", Fork: "├─ ", Last: "└─ ", Trunk: "│  ",
		Done: "✓", Failed: "✗", Free: "○", Busy: "●", Dot: "·", Then: "→", More: "…",
	}
	typed = Marks{
		Full: "#", Empty: "-", Fork: "|- ", Last: "`- ", Trunk: "|  ",
		Done: "x", Failed: "!", Free: "o", Busy: "*", Dot: "-", Then: "->", More: "...",
	}
)

// Marks returns the characters that the reader can see: ASCII where the locale names a character
// set that is not UTF-8, and on a terminal that can show nothing else.
func (p *Page) Marks() *Marks {
	if p.marks == nil {
		p.marks = &drawn
		if !p.unicode() {
			p.marks = &typed
		}
	}
	return p.marks
}

// unicode reports whether the reader can show more than ASCII. The first variable that is set
// decides.
func (p *Page) unicode() bool {
	if p.Env.Getenv == nil {
		return true
	}
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := p.Env.Getenv(name); value != "" {
			upper := strings.ToUpper(value)
			return strings.Contains(upper, "UTF-8") || strings.Contains(upper, "UTF8")
		}
	}
	return !p.Env.Terminal || p.Env.Getenv("TERM") != "dumb"
}
