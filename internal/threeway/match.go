package threeway

import (
	"slices"
	"strconv"
	"strings"
)

// match gives the versions of a session the same key and the same number, and different sessions
// different keys. A number does not identify a session: earlier merges may have changed it on
// either side, and in two worktrees a session with the same number may have begun in the same
// minute. So the text counts first, and the first number and time only where the text was edited.
func (m *merger) match(o, a, b []unit) (x, y, z []unit) {
	s := &sessionMatch{note: m.form.Note, lists: [3][]unit{slices.Clone(o), slices.Clone(a), slices.Clone(b)}}
	s.members = make([][3]int, 1)
	for i, list := range s.lists {
		s.group[i] = make([]int, len(list))
		for j := range list {
			if list[j].digits != "" {
				s.group[i][j] = len(s.members)
				var at [3]int
				at[i] = j + 1
				s.members = append(s.members, at)
			}
		}
	}
	if len(s.members) == 1 {
		return o, a, b
	}
	unchanged := func(u *unit) string { return s.first(u) + "\x00" + u.withoutNumber() }
	for _, identity := range [...]func(*unit) string{unchanged, (*unit).withoutNumber} {
		s.pair(0, 1, identity)
		s.pair(0, 2, identity)
		s.pair(1, 2, identity)
	}
	unedited := slices.Clone(s.members)
	s.edited(1, unedited)
	s.edited(2, unedited)
	s.unify()
	return s.lists[0], s.lists[1], s.lists[2]
}

// sessionMatch divides the sessions of base, ours and theirs into groups with at most one of each.
type sessionMatch struct {
	note    func(digits string) string
	lists   [3][]unit
	group   [3][]int // the group of each unit; 0 for a unit that is no session
	members [][3]int // by group from 1: the position of its unit in each list plus 1; 0 for none
}

// pair unites the groups of sessions of two lists that have the same identity. Sessions with the
// same identity in one list are paired in their order.
func (s *sessionMatch) pair(p, q int, identity func(*unit) string) {
	waiting := map[string][]int{}
	for j := range s.lists[q] {
		if n := s.group[q][j]; n > 0 && s.members[n][p] == 0 {
			text := identity(&s.lists[q][j])
			waiting[text] = append(waiting[text], n)
		}
	}
	for i := range s.lists[p] {
		n := s.group[p][i]
		if n == 0 || s.members[n][q] > 0 {
			continue
		}
		text := identity(&s.lists[p][i])
		if of := waiting[text]; len(of) > 0 && s.unite(n, of[0]) {
			waiting[text] = of[1:]
		}
	}
}

// edited pairs sessions of the base with those of a side that have the same first number and time.
// If neither side has the session as it was, only a line that no other session of the base has
// shows that it was edited. Otherwise it is gone, and the side's one began in the same minute.
func (s *sessionMatch) edited(side int, unedited [][3]int) {
	seen := map[string]int{}
	for i := range s.lists[0] {
		if s.group[0][i] > 0 {
			for line := range linesOf(&s.lists[0][i]) {
				seen[line]++
			}
		}
	}
	for i := range s.lists[0] {
		was, n := &s.lists[0][i], s.group[0][i]
		if n == 0 || s.members[n][side] > 0 {
			continue
		}
		for j := range s.lists[side] {
			now, m := &s.lists[side][j], s.group[side][j]
			if m == 0 || s.members[m][0] > 0 || now.stamp != was.stamp || s.first(now) != s.first(was) {
				continue
			}
			if (unedited[n][3-side] > 0 || shareLine(was, now, seen)) && s.unite(n, m) {
				break
			}
		}
	}
}

// shareLine reports whether two sessions share a line that is in no other session.
func shareLine(was, now *unit, seen map[string]int) bool {
	lines := linesOf(now)
	for line := range linesOf(was) {
		if seen[line] == 1 && lines[line] {
			return true
		}
	}
	return false
}

// linesOf returns the lines below the heading of a session.
func linesOf(u *unit) map[string]bool {
	lines := map[string]bool{}
	_, text, _ := strings.Cut(u.whole(), "\n")
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines[line] = true
		}
	}
	return lines
}

// unite moves the sessions of one group to another, unless one list has a session in both.
func (s *sessionMatch) unite(to, from int) bool {
	for i := range s.lists {
		if s.members[to][i] > 0 && s.members[from][i] > 0 {
			return false
		}
	}
	for i, at := range s.members[from] {
		if at > 0 {
			s.group[i][at-1], s.members[to][i] = to, at
		}
	}
	s.members[from] = [3]int{}
	return true
}

// unify gives the versions of each session one key, one number and one note.
func (s *sessionMatch) unify() {
	for n, members := range s.members {
		var versions []*unit
		for i, at := range members {
			if at > 0 {
				versions = append(versions, &s.lists[i][at-1])
			}
		}
		if len(versions) == 0 {
			continue
		}
		digits, other := s.numbers(members)
		was, before := "", versions[0].digits
		for _, u := range versions {
			was = max(was, u.was)
		}
		if was == "" && other != digits && s.note != nil {
			was = s.note(other)
		}
		for _, u := range versions {
			u.key, u.was, u.moved = "session\x00"+strconv.Itoa(n), was, members[0] > 0 && before != digits
			u.setNumber(digits)
		}
	}
}

// numbers returns the number of a session, and the one that it has on the other side. If both sides
// changed it, the higher one counts.
func (s *sessionMatch) numbers(members [3]int) (number, other string) {
	var digits [3]string
	for i, at := range members {
		if at > 0 {
			digits[i] = s.lists[i][at-1].digits
		}
	}
	o, a, b := digits[0], digits[1], digits[2]
	switch {
	case a == "" && b == "":
		return o, o
	case a == "":
		return b, b
	case b == "" || a == b:
		return a, a
	case pick(o, a, b, lower(b, a)) == a:
		return a, b
	}
	return b, a
}

// first returns the note of the first number that a session had. Without a note, it still has that
// number.
func (s *sessionMatch) first(u *unit) string {
	if u.was == "" && s.note != nil {
		return s.note(u.digits)
	}
	return u.was
}

// lower compares two numbers as they are written.
func lower(x, y string) bool {
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	return x < y
}

// withoutNumber returns a session's text without its number, without the note of an old one, and
// without the footer that follows it in an archive if it was the last one of its batch.
func (u *unit) withoutNumber() string {
	var b strings.Builder
	b.WriteString(strings.Replace(u.text, u.digits, "", 1))
	b.WriteString(u.lead)
	for i := range u.below {
		if !u.below[i].footer {
			u.below[i].write(&b)
			b.WriteString(u.below[i].gap)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// setNumber changes the number in the heading of a session.
func (u *unit) setNumber(digits string) {
	u.text = strings.Replace(u.text, u.digits, digits, 1)
	if u.number > 0 {
		u.number, _ = strconv.Atoi(digits) // a label such as 12a is no number, and 0 says so
	}
	u.digits = digits
}
