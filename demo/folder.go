package main

import (
	"os"
	"path/filepath"
	"time"
)

// folder shows the agents' working folder: what agents leave there, what is allowed, and how it is
// cleaned up without losing anything.
func folder(s *stage) {
	s.act("The working folder: what agents leave behind")
	s.show("dir", "begin", "code_review", "Review the sign-in")
	s.say("The agents work, and leave more than was agreed:")
	s.state("review.md", "# Review\n\nConstant-time comparison: yes.\n", 0)
	s.state("review.json", `{"status": "DONE", "verdict": "OK", "agent": "code-reviewer"}`+"\n", 0)
	s.state("review-lane-api.md", "# Lane api\n", 30*24*time.Hour)
	s.state("Review API.md", "# what I saw\n", 0)
	s.state("final_FINAL.md", "# thoughts\n", 0)
	s.state("plan.md.tmp", "half a plan", 0)
	s.show("dir", "audit")
	s.say("A verdict that no program knows is found before a gate trusts it:")
	s.refusedPage(6, "dir", "validate")
	s.state("review.json", `{"status": "DONE", "verdict": "APPROVED", "agent": "code-reviewer"}`+"\n", 0)
	s.show("dir", "validate")
	s.say("A cleanup shows first, then moves; nothing is ever removed:")
	s.show("dir", "cleanup")
	s.show("dir", "cleanup", "--apply")
	s.expectFolder(map[string]bool{
		"review.md": true, "review.json": true, "workflow.yaml": true, "review-lane-api.md": false,
		"Review API.md": false, "final_FINAL.md": false, "plan.md.tmp": false,
	})
	s.say("Was one of them wanted after all? It comes back as it was:")
	var history struct {
		Snapshots []struct {
			Name string `json:"name"`
		} `json:"snapshots"`
	}
	s.ask(&history, "dir", "history")
	if s.err == nil && len(history.Snapshots) == 0 {
		s.fail("there is no snapshot after a cleanup")
	}
	if s.err == nil {
		s.show("dir", "restore", history.Snapshots[0].Name, "final_FINAL.md", "--apply")
	}
	s.expectFolder(map[string]bool{"final_FINAL.md": true})
	s.refusedPage(6, "dir", "contract", "Review API.md")
}

// state writes a file of the given age into the working folder.
func (s *stage) state(name, text string, age time.Duration) {
	s.write(".baton/work/"+name, text)
	if s.err != nil || age == 0 {
		return
	}
	when := time.Now().Add(-age)
	if err := os.Chtimes(filepath.Join(s.dir, ".baton", "work", name), when, when); err != nil {
		s.fail("%w", err)
	}
}

// expectFolder checks which files the working folder has, and which not.
func (s *stage) expectFolder(want map[string]bool) {
	for name, there := range want {
		_, err := os.Lstat(filepath.Join(s.dir, ".baton", "work", name))
		if s.err == nil && (err == nil) != there {
			s.fail("%s in the working folder: %v, not %v", name, err == nil, there)
		}
	}
}

// refusedPage is refused, for a command that prints its answer before it fails.
func (s *stage) refusedPage(want int, args ...string) {
	s.command(args)
	out, code, complaint := s.run(args, "")
	if code != want {
		s.fail("baton %s ended with %d, not %d: %s", quoted(args), code, want, complaint)
	}
	s.indent(out + complaint)
	s.say("  (exit %d)", code)
}
