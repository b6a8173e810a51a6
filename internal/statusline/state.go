package statusline

import (
	"strconv"
	"strings"

	"baton/internal/digest/gsd"
)

// state returns the text about the milestone and its state: the milestone with its bar, then the
// first scene that matches (gsd.md N10).
func state(s *gsd.Head, m marks) string {
	parts := make([]string, 0, 3)
	if milestone := milestone(s, m); milestone != "" {
		parts = append(parts, milestone)
	}
	_, scene := scene(s)
	return strings.Join(append(parts, scene...), m.dot)
}

// milestone returns version, name and bar, or "" if there is neither version nor name. The original
// tools write the name "milestone" if they know none; the line leaves it out, but not the bar.
func milestone(s *gsd.Head, m marks) string {
	words := make([]string, 0, 4)
	if s.Milestone != "" {
		words = append(words, s.Milestone)
	}
	if s.MilestoneName != "" && s.MilestoneName != "milestone" {
		words = append(words, s.MilestoneName)
	}
	if len(words) == 0 && s.MilestoneName == "" {
		return ""
	}
	if n := gsd.Number(s.Percent); n >= 0 {
		n = min(n, 100)
		words = append(words, "["+m.cells(n)+"]", strconv.Itoa(n)+"%")
	}
	return strings.Join(words, " ")
}

// scene returns the number of the first scene that matches, 1 to 4, and its text in parts.
func scene(s *gsd.Head) (number int, parts []string) {
	status := s.StatusText()
	switch {
	case s.Active() != "" && status != "":
		return 1, []string{"Phase " + s.ActivePhase + " " + status}
	case s.Active() != "":
		return 1, []string{"Phase " + s.ActivePhase}
	case s.Next():
		return 2, []string{next(s)}
	case s.Complete():
		return 3, []string{"milestone complete"}
	}
	if status != "" {
		parts = append(parts, status)
	}
	if s.Phase != "" {
		of := s.Phase + "/" + s.PhaseTotal
		if s.PhaseName != "" {
			parts = append(parts, s.PhaseName+" ("+of+")")
		} else {
			parts = append(parts, "ph "+of)
		}
	}
	return 4, parts
}

func next(s *gsd.Head) string {
	return "next " + s.NextAction + " " + strings.Join(s.NextPhases, "/")
}

// compact returns the short form of state: version, phase, and one word (gsd.md 1.10).
func compact(s *gsd.Head, m marks) string {
	var parts []string
	if s.Milestone != "" {
		parts = append(parts, s.Milestone)
	}
	id, total := s.Active(), s.PhaseTotal // of the body, as in the original (F-59)
	if id == "" {
		id = s.Phase
	}
	if id != "" {
		if total != "" {
			total = "/" + total
		}
		parts = append(parts, "P"+id+total)
	}
	status := shortStatus(s.StatusText())
	switch {
	case s.Active() == "" && s.Complete():
		parts = append(parts, "complete")
	case status != "":
		parts = append(parts, status)
	case id == "" && s.NextAction != "" && !s.Running: // also without phases, as the original does
		parts = append(parts, strings.TrimSpace(next(s)))
	}
	return strings.Join(parts, m.dot)
}

// shortStatus returns the canonical word of a status by the tests of N4 in their order, or else the
// first word of the text.
func shortStatus(raw string) string {
	text := strings.ToLower(raw)
	has := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	switch {
	case has("paused", "stopped"):
		return "PAUSED"
	case has("executing", "in progress"):
		return "executing"
	case has("planning", "ready to plan"):
		return "planning"
	case has("discussing"):
		return "discussing"
	case has("verif"):
		return "verifying"
	case has("complete", "done"):
		return "completed"
	case has("ready to execute"):
		return "executing"
	}
	words := strings.FieldsFunc(raw, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '-' || r == '–' || r == '—'
	})
	if len(words) == 0 {
		return ""
	}
	short := []rune(words[0])
	return string(short[:min(len(short), 16)])
}
