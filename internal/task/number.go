package task

// maxNumber is the highest number that a session is counted on from. A heading with a higher one is
// a session without a number: somebody's slip must not decide what all later sessions are called.
const maxNumber = 999_999_999

// NextNumber is the number of the next session (D7): one more than the highest of the live
// sessions, the end of the archived summary's range, and the "Sessions archived:" lines in the tail
// of the archive. Metadata is not asked. Entries of style D carry no number; they count from the
// last archived one on. Where no higher number is left, it is the lowest that no live session has.
func (s *State) NextNumber(archiveTail []byte) int {
	next := s.LastNumber(archiveTail)
	used := make(map[int]bool, len(s.Sessions))
	for _, n := range s.Numbers(archiveTail) {
		next = max(next, n)
		used[n] = true
	}
	if next++; next <= maxNumber {
		return next
	}
	for next = 1; used[next]; {
		next++
	}
	return next
}

// LastNumber is the highest number that file and archive's tail know of archived sessions.
func (s *State) LastNumber(archiveTail []byte) int {
	return max(s.rangeEnd, LastArchived(archiveTail))
}

// Numbers returns the numbers of the live sessions in file order, 0 for a heading without one that
// counts. Bullets have none of their own: they count on from the last archived session and from
// what stands before them, and pass over numbers that headings have, so that no two sessions share
// one because of a bullet (D7).
func (s *State) Numbers(archiveTail []byte) []int {
	return numbersFrom(s.Sessions, s.LastNumber(archiveTail))
}

// numbersFrom returns the numbers of sessions; base is the last archived one.
func numbersFrom(sessions []Session, base int) []int {
	written := map[int]bool{}
	for _, session := range sessions {
		if session.Number > 0 {
			written[session.Number] = true
		}
	}
	numbers := make([]int, len(sessions))
	last := base
	for i, session := range sessions {
		numbers[i] = session.Number
		if session.Style == StyleD && session.Number == 0 {
			for last++; written[last]; {
				last++
			}
			numbers[i] = last
		}
		last = max(last, numbers[i])
	}
	return numbers
}
