package cli

import (
	"bytes"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
)

// detail is how much of a status to show.
type detail int

const (
	tight      detail = iota // what fits on a screen, however much there is to say
	loose                    // of a few things each, what matters
	everything               // without limits
)

// statusView is a status and how much of it to show.
type statusView struct {
	r      sessions.StatusResult
	detail detail
}

// first returns the parts that a status always has.
func (v statusView) first(p *app.Page) []byte {
	var out []byte
	for _, print := range [...]func(*app.Page){v.place, v.waiting, v.tasks, v.troubles} {
		text := partOf(p, print)
		if len(out) > 0 && len(text) > 0 {
			out = append(out, '\n')
		}
		out = append(out, text...)
	}
	return out
}

func partOf(p *app.Page, print func(*app.Page)) []byte {
	part := p.Part()
	print(part)
	return part.Bytes()
}

func lines(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

// most returns how many of n entries to show. If it is not all of them, a line says how many more
// there are.
func (v statusView) most(n, whenLoose, whenTight int) int {
	limit := whenLoose
	if v.detail == tight {
		limit = whenTight
	}
	if v.detail == everything || n <= limit {
		return n
	}
	return limit - 1
}

// short cuts a text, so that it takes one line of the terminal together with what follows it, or
// two if there is room.
func (v statusView) short(p *app.Page, text, behind string) string {
	text, behind = safetext.Visible(text), safetext.Visible(behind)
	if v.detail == everything {
		return text + behind
	}
	room := digest.ValueColumns
	if p.Width > 0 {
		const lead = 16 // more than any mark in front of a text takes
		room = min(room, (int(v.detail)+1)*(p.Width-lead))
	}
	return safetext.Columns(text, max(room-displaywidth.String(behind), 20)) + behind
}

// more says how many entries are left out.
func (v statusView) more(p *app.Page, n int, command string) {
	if n > 0 {
		p.Line(app.Faint, "  %s and %d more: %s", p.Marks().More, n, p.Here(command))
	}
}
