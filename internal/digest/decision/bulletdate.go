package decision

import "strings"

// dateShape describes how a bullet begins with its date: "2026-01-31: ", "**2026-01-31** — ".
type dateShape struct{ before, behind string }

// bulletDate splits the date off a bullet's text. Marks that open before the date and close after
// it belong to the date; other marks belong to the text.
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

// dates reads the dates of the bullets among the items from the given index on.
func (sc *scan) dates(from int) {
	for i := range sc.items[from:] {
		it := &sc.items[from+i]
		if _, date, _, ok := bulletDate(string(bulletText(sc.d.Text(it.line)))); ok {
			it.day = day([]byte(date))
		}
	}
}

// bullet returns the text of a new bullet. If most bullets of the list begin with a date, so does
// the new one, in the form of its neighbour. newest may be nil.
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
