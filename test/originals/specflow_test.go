//go:build originals

package originals

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// specflow is a SpecFlow project in play. SpecFlow's commands are prompts: an agent edits STATE.md
// as they say. The steps here write what the prompts of new, audit, run, review, done, pause and
// priority say, into the template of the checkout. Only the rotation is a program: the shell script
// in the prompt of done, which runs as it is. What "the original reads" is read with the
// expressions of the same prompts.
type specflow struct {
	*world
	rotation string // the script
	specs    int
	today    string
}

func TestSpecFlowAndBatonReadTheSame(t *testing.T) {
	dir := checkout(t, "specflow")
	if exists(filepath.Join(dir, "bin", "sf-tools.cjs")) {
		playSFTools(t, dir)
		return
	}
	s := &specflow{world: newWorld(t, "specflow", ".specflow", "bash", "-c")}
	s.today = strings.TrimSpace(s.run("date", "+%F").out)
	s.rotation = s.script(filepath.Join(dir, "commands", "sf", "done.md"))
	template, err := os.ReadFile(filepath.Join(dir, "templates", "state.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(template)
	for _, field := range [][2]string{{"Active Specification", "none"}, {"Status", "idle"}, {"Next Step", "/sf:new"}} {
		text = regexp.MustCompile(`(?m)^(- \*\*`+field[0]+`:\*\*).*$`).ReplaceAllString(text, "$1 "+field[1])
	}
	// With these, the digest is near the limit of a hundred lines, so that rotations happen.
	text = strings.Replace(text, "- [Patterns discovered during work]\n", strings.Repeat("- A pattern of this project\n", 36), 1)
	s.write("STATE.md", text)
	play(s.world, system{original: s.theirs(), baton: s.ours(), person: s.byHand(), compare: s.compare}, number("BATON_ALTERNATIONS", 20))
	if s.read("DECISIONS_ARCHIVE.md") == "" && s.specs > 20 {
		t.Error("no decision was ever rotated")
	}
}

// script returns the shell script of a prompt that rotates decisions.
func (s *specflow) script(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```bash\n(.*?)\n```\n").FindAllStringSubmatch(string(data), -1) {
		if strings.Contains(block[1], "DECISIONS_ARCHIVE.md") {
			return block[1]
		}
	}
	s.t.Fatalf("%s has no script that rotates decisions", path)
	return ""
}

// field returns a field of Current Position as the prompts extract it.
func (s *specflow) field(name string) string {
	found := regexp.MustCompile(`(?m)^- \*\*` + name + `:\*\* *(.*)$`).FindStringSubmatch(s.read("STATE.md"))
	if found == nil {
		return ""
	}
	return found[1]
}

// set writes a field of Current Position.
func (s *specflow) set(name, value string) {
	line := regexp.MustCompile(`(?m)^- \*\*` + name + `:\*\*.*$`)
	s.write("STATE.md", line.ReplaceAllLiteralString(s.read("STATE.md"), "- **"+name+":** "+value))
}

// rows returns the rows of a section's table, without a row of dashes only.
func (s *specflow) rows(section string) []string {
	var out []string
	for i, line := range s.table(section) {
		if i > 1 && strings.Trim(line, "|— ") != "" {
			out = append(out, line)
		}
	}
	return out
}

// table returns the lines of a section's first table.
func (s *specflow) table(section string) []string {
	_, text, _ := strings.Cut(s.read("STATE.md"), "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "|") {
			out = append(out, line)
		} else if len(out) > 0 {
			break
		}
	}
	return out
}

// setRows writes the rows of a section's table.
func (s *specflow) setRows(section string, rows []string) {
	old := s.table(section)
	if len(old) < 2 {
		s.fail("the section %s has no table", section)
	}
	if len(rows) == 0 {
		rows = []string{strings.Repeat("| — ", strings.Count(old[0], "|")-1) + "|"}
	}
	now := append(slices.Clone(old[:2]), rows...)
	head, tail, _ := strings.Cut(s.read("STATE.md"), "\n## "+section+"\n")
	tail = strings.Replace(tail, strings.Join(old, "\n"), strings.Join(now, "\n"), 1)
	s.write("STATE.md", head+"\n## "+section+"\n"+tail)
}

// act plays a command of SpecFlow.
func (s *specflow) act(name string, edit func()) {
	s.steps = append(s.steps, "specflow /sf:"+name+" "+s.field("Active Specification"))
	edit()
}

// decide adds a decision at the end of the table, and rotates as the prompt says.
func (s *specflow) decide(text string) {
	s.setRows("Decisions", append(s.rows("Decisions"), "| "+s.today+" | "+text+" |"))
	s.play("shell", s.rotation)
	at := len(s.steps) - 1
	s.steps[at] = "the rotation of /sf:done" + s.steps[at][strings.LastIndex(s.steps[at], "  → "):]
}

// theirs are the steps of SpecFlow.
func (s *specflow) theirs() []step {
	active := func() string { return s.field("Active Specification") }
	return []step{
		{4, func() {
			s.specs++
			id := fmt.Sprintf("SPEC-%03d", s.specs)
			s.act("new "+id, func() {
				s.set("Active Specification", id)
				s.set("Status", "drafting")
				s.set("Next Step", "/sf:audit")
				rows := s.rows("Queue")
				last := 0
				for _, row := range rows {
					n, _ := strconv.Atoi(strings.TrimSpace(strings.Split(row, "|")[1]))
					last = max(last, n)
				}
				s.setRows("Queue", append(rows, fmt.Sprintf("| %d | %s | %s | medium | draft |", last+1, id, s.words("A spec"))))
			})
		}},
		{3, func() {
			s.act("audit", func() {
				s.set("Status", s.pick("audited", "revision_requested"))
				s.set("Next Step", s.pick("/sf:run", "/sf:revise"))
			})
		}},
		{2, func() {
			s.act("audit --import", func() {
				s.set("Status", "external_review")
				s.decide("Imported external feedback for " + active() + ": " + s.entry("Their import"))
			})
		}},
		{3, func() {
			s.act("run", func() {
				if active() != "none" {
					s.setRows("Warnings", append(s.rows("Warnings"),
						"| "+s.today+" | "+active()+" | Executed without audit approval, "+s.words("they")+" |"))
				}
				s.set("Status", "running")
				s.set("Next Step", "(in progress)")
			})
		}},
		{2, func() {
			s.act("review", func() { s.set("Status", s.pick("done", "review")); s.set("Next Step", s.pick("/sf:done", "/sf:fix")) })
		}},
		{6, func() {
			s.act("done", func() {
				id := active()
				s.set("Active Specification", "none")
				s.set("Status", "idle")
				s.set("Next Step", "/sf:new or /sf:next")
				s.setRows("Queue", slices.DeleteFunc(s.rows("Queue"), func(row string) bool { return strings.Contains(row, "| "+id+" |") }))
				s.decide(id + ": " + s.entry("Their decision"))
			})
		}},
		{1, func() { s.act("priority", s.reorder) }},
	}
}

// reorder gives the queue another order, and its rows new numbers.
func (s *specflow) reorder() {
	rows := s.rows("Queue")
	s.rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for i, row := range rows {
		rows[i] = regexp.MustCompile(`^\|[^|]*`).ReplaceAllString(row, fmt.Sprintf("| %d ", i+1))
	}
	s.setRows("Queue", rows)
}

// ours are the steps of baton.
func (s *specflow) ours() []step {
	state := func(args ...string) { s.play("baton", append([]string{"state"}, args...)...) }
	queued := func() (string, bool) {
		rows := s.rows("Queue")
		if len(rows) == 0 {
			return "", false
		}
		return strings.TrimSpace(strings.Split(rows[s.rng.IntN(len(rows))], "|")[2]), true
	}
	return []step{
		{3, func() {
			s.specs++
			state("queue", "add", fmt.Sprintf("SPEC-%03d", s.specs), "--title", s.words("A spec"), "--priority", s.pick("high", "low"))
		}},
		{1, func() {
			if id, ok := queued(); ok {
				state("queue", "remove", id)
			}
		}},
		{3, func() {
			if id, ok := queued(); ok {
				state("active", "add", id, "drafting", "/sf:audit", "--replace")
			}
		}},
		{2, func() {
			if id := s.field("Active Specification"); id != "none" {
				state("active", "set", id, "--status", s.pick("running", "review", "audited"), "--next", s.pick("/sf:run", "/sf:done"))
			}
		}},
		{1, func() {
			if id := s.field("Active Specification"); id != "none" {
				state("active", "remove", id)
			}
		}},
		{6, func() { s.play("baton", "decision", "add", s.entry("Our decision")) }},
		{2, func() { s.play("baton", "blocker", "add", s.words("Our warning")) }},
		{2, func() {
			if n := len(s.rows("Warnings")); n > 0 {
				s.play("baton", "blocker", "resolve", fmt.Sprint(1+s.rng.IntN(n)))
			}
		}},
		{1, func() { state("pause", s.words("Our pause")) }},
		{1, func() { state("resume") }},
		{1, func() { state("sync") }},
		{2, func() { state("rotate", "--keep", "5") }},
	}
}

// byHand are the steps of a person.
func (s *specflow) byHand() []step {
	return []step{
		{2, func() {
			if rows := s.rows("Warnings"); len(rows) > 0 {
				s.steps = append(s.steps, "ann deletes the warning "+rows[0])
				s.setRows("Warnings", rows[1:])
			}
		}},
		{1, func() {
			text := s.entry("Ann's decision")
			s.steps = append(s.steps, "ann adds a decision: "+text)
			s.setRows("Decisions", append(s.rows("Decisions"), "| "+s.today+" | "+text+" |"))
		}},
		{1, func() {
			s.steps = append(s.steps, "ann sets a status")
			s.set("Status", s.pick("running", "auditing", "drafting"))
		}},
	}
}

// compare reads the digest with both programs.
func (s *specflow) compare() []difference {
	shown := s.object(s.baton("state", "show", "--json"))
	digest := shown["specflow"].(map[string]any)
	var out []difference
	for name, key := range map[string]string{"Active Specification": "active", "Status": "status", "Next Step": "next"} {
		got := s.baton("state", "get", key, "--json")
		ours := pathOf(s.object(got), "value")
		out = different(out, key, s.field(name), ours)
	}
	out = different(out, "queue", s.cells("Queue", 2, 3), s.ids(digest["queue"], "id", "title"))
	out = different(out, "decisions", s.cells("Decisions", 1, 2), s.decided(shown["decisions"]))
	var warnings []string
	list, _ := digest["warnings"].([]any)
	for _, text := range list {
		warnings = append(warnings, fmt.Sprint(text))
	}
	return different(out, "warnings", strings.ReplaceAll(s.cells("Warnings", 1, 2, 3), " | ", " · "), strings.Join(warnings, "\n"))
}

// cells returns some cells of each row of a section's table, without those that have a dash only.
func (s *specflow) cells(section string, at ...int) string {
	var out []string
	for _, row := range s.rows(section) {
		cells := strings.Split(row, "|")
		var kept []string
		for _, n := range at {
			if text := strings.TrimSpace(cells[n]); text != "—" {
				kept = append(kept, text)
			}
		}
		out = append(out, strings.Join(kept, " | "))
	}
	return strings.Join(out, "\n")
}

// ids returns some values of each row of a list.
func (s *specflow) ids(list any, keys ...string) string {
	rows, _ := list.([]any)
	var out []string
	for _, row := range rows {
		var kept []string
		for _, key := range keys {
			kept = append(kept, pathOf(row.(map[string]any), key))
		}
		out = append(out, strings.Join(kept, " | "))
	}
	return strings.Join(out, "\n")
}

// decided returns a list of decisions in the form of a table in which a decision begins with its
// specification. A dash stands for none (specflow.md 5.6.3).
func (s *specflow) decided(list any) string {
	rows, _ := list.([]any)
	var out []string
	for _, row := range rows {
		one := row.(map[string]any)
		text := pathOf(one, "text")
		if spec := pathOf(one, "spec"); spec != "" && spec != "—" {
			text = spec + ": " + text
		}
		out = append(out, pathOf(one, "date")+" | "+text)
	}
	return strings.Join(out, "\n")
}
