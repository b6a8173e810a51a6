package main

import (
	"os"
	"path/filepath"
	"strings"
)

// The largest number of lines that are shown of one session in a file; the rest is counted.
const mostDetails = 2

// file prints one task file with its size. It cuts long lists of session notes, and says so.
func (s *stage) file(id string) {
	name := ".baton/tasks/task-" + id + "-state.md"
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fail("%w", err)
		return
	}
	s.act(name + "  " + strings.TrimSuffix(strings.TrimSuffix(formatKB(len(data)), "0"), ".") + " KB")
	items, cut := 0, 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") && strings.Contains(line, ": compared with") {
			if items++; items > mostDetails {
				cut++
				continue
			}
		} else {
			if cut > 0 {
				s.say("  … %d more lines here in the file", cut)
			}
			items, cut = 0, 0
		}
		s.say("  %s", line)
	}
	archive := filepath.Join(s.dir, ".baton/archive/task-"+id+"-archive.md")
	if info, err := os.Stat(archive); err == nil {
		s.say("  (and %s KB in .baton/archive/task-%s-archive.md)", formatKB(int(info.Size())), id)
	}
	s.sizes = append(s.sizes, name+"  "+formatKB(len(data))+" KB")
	if len(data) > 75*1024 {
		s.fail("%s is over 75 KB", name)
	}
}

// firstLines prints the beginning of a text.
func (s *stage) firstLines(text string, most int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, line := range lines[:min(most, len(lines))] {
		s.say("  %s", line)
	}
	if len(lines) > most {
		s.say("  … %d more lines", len(lines)-most)
	}
}

// tidy checks that git does not see baton's runtime folder.
func (s *stage) tidy() {
	if status := s.git("status", "--porcelain", "--untracked-files=all"); strings.Contains(status, ".baton/local") {
		s.fail("git sees baton's runtime folder:\n%s", status)
	}
}

func formatKB(size int) string {
	whole, tenth := size/1024, size%1024*10/1024
	return itoa(whole) + "." + itoa(tenth)
}
