package decision

import "strings"

// dateShape is how a bullet begins with its date: "2026-01-31: ", "**2026-01-31** — ".
type dateShape struct{ before, behind string }

// bulletDate splits the date off a bullet's text. Marks around the date that open before it are
// closed in what stands after: those of the text itself stay there.
func bulletDate(text string) (shape dateShape, date, rest string, ok bool) {
	open := len(text) - len(strings.TrimLeft(text, "*_[(`"))
	if len(text) < open+10 || day([]byte(text[open:open+10])) == undated {
		return dateShape{}, "", text, false
	}
	marks := strings.NewReplacer("[", "]", "(", ")").Replace(text[:open])
	end := open + 10
	for end < len(text) {
		if k := strings.IndexByte(marks, text[end]); k >= 0 {
			marks = marks[:k] + marks[k+1:]
			end++
			continue
		}
		n := 0
		for _, part := range [...]string{" ", "\t", ":", "-", "–", "—"} {
			if strings.HasPrefix(text[end:], part) {
				n = len(part)
			}
		}
		if n == 0 {
			break
		}
		end += n
	}
	behind := text[open+10 : end]
	if marks != "" || behind == "" || strings.Trim(behind, "-") == "" { // a name such as 2026-01-31-plan
		return dateShape{}, "", text, false
	}
	return dateShape{text[:open], behind}, text[open : open+10], text[end:], true
}

// dates reads the days of the bullets that the items from the given index on are.
func (sc *scan) dates(from int) {
	for i := range sc.items[from:] {
		it := &sc.items[from+i]
		if _, date, _, ok := bulletDate(string(bulletText(sc.d.Text(it.line)))); ok {
			it.day = day([]byte(date))
		}
	}
}

// bullet returns the text of a new bullet. Where most bullets of the list begin with their date, it
// does so too, in the shape of the one beside which it will stand; newest is nil for none.
func (sc *scan) bullet(e Entry, newest *item) string {
	bullets, dated := 0, 0
	like := newest
	for i := range sc.items {
		if it := &sc.items[i]; it.bullet {
			bullets++
			if it.day != undated {
				dated++
				if like == nil || like.day == undated {
					like = it
				}
			}
		}
	}
	text := e.bullet(sc.form)
	if e.Date == "" || 2*dated <= bullets {
		return text
	}
	shape, _, _, ok := bulletDate(string(bulletText(sc.d.Text(like.line))))
	if !ok {
		return text
	}
	return shape.before + e.Date + shape.behind + text
}
