package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// safety shows an agent that deletes decisions by mistake, and how they are restored.
func safety(s *stage) {
	s.act("The safety net: what an agent wipes comes back")
	s.holder = "agent-7"
	before := s.decided()
	wiped := s.wipe(".baton/STATE.md")
	s.say("An agent tidies the digest with its own tools. %d decisions are gone, and no command has failed:", wiped)
	var lost struct {
		Lost []struct {
			Kind string `json:"kind"`
		} `json:"lost"`
	}
	s.ask(&lost, "lost")
	if s.err == nil && (wiped < 2 || len(lost.Lost) != wiped) {
		s.fail("%d decisions were wiped, and %d are named", wiped, len(lost.Lost))
	}
	s.show("lost")
	s.firstLines(s.text("lost", "--restore"), 1)
	if after := s.decided(); s.err == nil && !slices.Equal(before, after) {
		s.fail("the decisions are %q, and were %q", after, before)
	}
	s.say("All are back, in their order. What baton does is in a log, and can be taken back:")
	s.show("log", "--limit", "2")
	foreseen := s.text("undo", "--dry-run")
	s.firstLines(foreseen[strings.LastIndex(foreseen, "\nWould undo")+1:], 2)
	s.expectText(foreseen, "Would undo")
	s.firstLines(s.text("log", "--check"), 1)
}

// decided returns the decisions of the digest and its archive.
func (s *stage) decided() []string {
	var list struct {
		Decisions []struct {
			Text string `json:"text"`
		} `json:"decisions"`
	}
	s.ask(&list, "decision", "list", "--all")
	texts := make([]string, len(list.Decisions))
	for i, d := range list.Decisions {
		texts[i] = d.Text
	}
	return texts
}

// wipe removes the rows of decisions from a digest, and returns their number.
func (s *stage) wipe(name string) (rows int) {
	if s.err != nil {
		return 0
	}
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fail("%w", err)
		return 0
	}
	var kept strings.Builder
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "| 20") {
			rows++
			continue
		}
		kept.WriteString(line)
	}
	s.write(name, kept.String())
	return rows
}
