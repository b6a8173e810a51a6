//go:build originals

package originals

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sftools is a SpecFlow project of a release that has a program, sf-tools. Its commands write the
// digest. What its prompts still write with an editor, the steps write as the prompts say.
type sftools struct {
	*specflow
	node, lib, reader string
	columns           int // of the table of decisions, as the play began
}

// reading is the script that reads the digest with sf-tools' own functions, because it has no
// command that lists the queue or the decisions.
const reading = `
const fs = require('fs'), lib = process.argv[2];
const table = require(lib + '/state-table.cjs'), decisions = require(lib + '/state-decisions.cjs');
const text = fs.readFileSync('.specflow/STATE.md', 'utf8'), lines = text.split('\n');
const part = table.findSection(lines, 'Decisions'), found = part && table.findTable(lines, part.start, part.end);
const cells = found ? found.rowIdxs.map(i => table.splitRow(lines[i], found.columns.length)) : [];
const real = cells.filter(row => row.some(c => c && c !== '—' && c !== '-'));
process.stdout.write(JSON.stringify({
  queue: require(lib + '/state.cjs').parseQueueTable(text),
  decisions: real.map(row => decisions.readEntry(found.columns, row)),
}));
`

// threeColumns is what releases before sf-tools began with: form A, and decisions with a column for
// the specification.
const threeColumns = "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** none\n- **Status:** idle\n" +
	"- **Next Step:** /sf:new\n\n## Queue\n\n| # | ID | Title | Priority | Status |\n|---|----|-------|----------|--------|\n\n" +
	"## Decisions\n\n| Date | Spec | Decision |\n|------|------|----------|\n\n## Project Patterns\n\n" +
	"- [Patterns discovered during work]\n\n## Warnings\n\n| Date | Specification | Reason |\n|------|---------------|--------|\n"

// playSFTools plays with sf-tools: from its template, from a digest that it migrates, and from the
// one that baton makes.
func playSFTools(t *testing.T, dir string) {
	template, err := os.ReadFile(filepath.Join(dir, "templates", "state.md"))
	if err != nil {
		t.Fatal(err)
	}
	specification := strings.Replace(threeColumns, "| Date | Spec | Decision |", "| Date | Specification | Decision |", 1)
	for name, text := range map[string]string{
		"template": string(template), "form A": threeColumns, "init": specification, "baton": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lib := filepath.Join(dir, "bin", "lib")
			w := newWorld(t, "sf-tools "+name, ".specflow", node(t), filepath.Join(dir, "bin", "sf-tools.cjs"))
			s := &sftools{specflow: &specflow{world: w}, node: node(t), lib: lib}
			s.reader = filepath.Join(w.root, "..", "reading.cjs")
			s.today = strings.TrimSpace(s.run("date", "+%F").out)
			if err := os.WriteFile(s.reader, []byte(reading), 0o600); err != nil {
				t.Fatal(err)
			}
			if name == "form A" {
				s.write("config.json", "{\"state_max_bytes\": 4000, \"state_keep_decisions\": 6}\n")
			}
			if s.begin(text); s.clean() != "" {
				t.Fatalf("sf-tools finds something in the first digest: %s", s.clean())
			}
			play(w, system{
				original: s.theirs(), baton: s.ours(), person: s.byHand(), compare: s.compare, exceptions: s.exceptions(),
			}, number("BATON_ALTERNATIONS", 20))
			for _, f := range slice(s.object(s.baton("doctor", "--json"))["findings"]) {
				if found := f.(map[string]any); found["severity"] == "error" && !strings.HasPrefix(pathOf(found, "code"), "over_") {
					w.fail("doctor finds %v", found)
				}
			}
		})
	}
}

// begin writes the first digest. Without a text, baton does.
func (s *sftools) begin(text string) {
	if text == "" {
		s.play("baton", "init", "--layout", "specflow")
		none := "## Project Patterns\n"
		text = strings.Replace(s.read("STATE.md"), none, none+"\n- [Patterns discovered during work]\n", 1)
	}
	// With these, the digest is near the limit of a hundred lines, so that rotations happen.
	patterns := strings.Repeat("- A pattern of this project\n", 36)
	s.write("STATE.md", strings.Replace(text, "- [Patterns discovered during work]\n", patterns, 1))
	s.tool("state", "migrate")
	s.columns = len(strings.Split(s.table("Decisions")[0], "|")) - 2
}

// clean returns what sf-tools finds wrong with the digest.
func (s *sftools) clean() string {
	check := s.object(s.tool("state", "check"))
	if pathOf(check, "ok") == "true" && len(check["schema_drift"].([]any)) <= s.columns-2 {
		return ""
	}
	text, _ := json.Marshal(check)
	return string(text)
}

// active returns the id of an active specification.
func (s *sftools) active() (string, bool) {
	return s.oneOf("Active Specifications", 1)
}

// oneOf returns a cell of some row of a section's table.
func (s *sftools) oneOf(section string, cell int) (string, bool) {
	rows := s.rows(section)
	if len(rows) == 0 {
		return "", false
	}
	return strings.TrimSpace(strings.Split(rows[s.rng.IntN(len(rows))], "|")[cell]), true
}

// text returns a new text with characters that a table has to escape.
func (s *sftools) text(kind string) string {
	return s.entry(kind) + s.pick("", "", " | with a pipe", " and `a | b`", ` \| escaped`, ", 50 % — \"so\" (äöü)")
}

// long returns a text that is too long for a cell.
func (s *sftools) long(from, to string) string {
	return from + strings.Repeat(s.pick(" and so on", " … ünd", " a | b"), 70) + " " + to
}

// theirs are the steps of SpecFlow: sf-tools' commands in the order in which the prompts call them.
func (s *sftools) theirs() []step {
	tool := func(args ...string) answer { return s.play("sf-tools", args...) }
	withActive := func(do func(id string)) func() {
		return func() {
			if id, ok := s.active(); ok {
				do(id)
			}
		}
	}
	return []step{
		{4, func() {
			s.specs++
			id := fmt.Sprintf("SPEC-%03d", s.specs)
			title := s.words("A spec")
			if s.specs%3 > 0 { // else the file is written later, as by a person who only plans
				s.write("specs/"+id+".md", "---\nid: "+id+"\ntype: feature\nstatus: draft\n---\n\n# "+title+"\n")
			}
			tool("queue", "add", id, "--title", title, "--priority", s.pick("high", "medium", "low"), "--status", "draft")
			tool("state", "add-active", id, "drafting", "/sf:audit")
		}},
		{3, withActive(func(id string) {
			status := s.pick("audited", "revision_requested", "review")
			tool("state", "set-status", id, status, "--next", s.pick("/sf:run", "/sf:fix | /sf:done"))
		})},
		{2, withActive(func(id string) {
			tool("state", "set-status", id, "external_review")
			tool("state", "add-decision", id, "--summary", s.text("Their import"))
		})},
		{2, withActive(func(id string) {
			tool("state", "add-decision", id, "--force", "--summary", s.long(s.entry("Their long decision"), s.entry("its end")))
		})},
		{3, withActive(func(id string) {
			s.steps = append(s.steps, "/sf:run warns about "+id)
			row := "| " + s.today + " | " + id + " | Executed without audit approval, " + s.words("they") + " |"
			s.setRows("Warnings", append(s.rows("Warnings"), row))
			tool("state", "set-status", id, "running", "--next", "(in progress)")
			tool("state", "set-execution", id, "--mode", "orchestrated", "--progress", s.pick("Wave 1/3 (33%)", "Complete"))
		})},
		{5, withActive(func(id string) {
			s.steps = append(s.steps, "/sf:done adds a decision of "+id)
			s.setRows("Decisions", append(s.rows("Decisions"), "| "+s.today+" | "+id+" | "+s.entry("Their own decision")+" |"))
			tool("state", "remove-active", id)
			tool("queue", "remove", id)
			tool("state", "rotate")
		})},
		{2, withActive(func(id string) { tool("state", "clear-execution", id) })},
		{1, withActive(func(id string) {
			tool("state", "add-active", id, "drafting", strings.Repeat("Too long for a cell. ", 30))
		})},
		{2, func() {
			if id, ok := s.oneOf("Queue", 2); ok {
				tool("queue", "add", id, "--title", s.words("Another title"), "--status", s.pick("audited", "done"))
			}
		}},
		{2, func() { tool("state", "rotate", "--keep", s.pick("3", "7", "12")) }},
		{1, func() { tool("state", "normalize", "--apply") }},
		{1, func() { tool("state", "migrate") }},
		{1, func() {
			s.steps = append(s.steps, "/sf:priority")
			s.reorder()
		}},
	}
}

// ours are the steps of baton.
func (s *sftools) ours() []step {
	state := func(args ...string) { s.play("baton", append([]string{"state"}, args...)...) }
	queued := func(do func(id string)) func() {
		return func() {
			if id, ok := s.oneOf("Queue", 2); ok {
				do(id)
			}
		}
	}
	return []step{
		{3, func() {
			s.specs++
			state("queue", "add", fmt.Sprintf("SPEC-%03d", s.specs), "--title", s.words("A spec"), "--priority", s.pick("high", "low"))
		}},
		{1, queued(func(id string) { state("queue", "remove", id) })},
		{1, queued(func(id string) { state("queue", "move", id, "--to", "1") })},
		{3, queued(func(id string) { state("active", "add", id, "drafting", "/sf:audit") })},
		{2, func() {
			if id, ok := s.active(); ok {
				state("active", "set", id, "--status", s.pick("running", "review", "audited"), "--next", s.pick("/sf:run", "a | b"))
			}
		}},
		{1, func() {
			if id, ok := s.active(); ok {
				state("active", "remove", id)
			}
		}},
		{5, func() { s.play("baton", "decision", "add", s.text("Our decision")) }},
		{2, func() { s.play("baton", "decision", "add", s.text("Our decision"), "--spec", "SPEC-900") }},
		{1, func() {
			s.play("baton", "decision", "add", "--split", s.long(s.entry("Our long decision"), s.entry("its end")))
		}},
		{2, func() { s.play("baton", "blocker", "add", s.words("Our warning")) }},
		{2, func() {
			if n := len(s.rows("Warnings")); n > 0 {
				s.play("baton", "blocker", "resolve", fmt.Sprint(1+s.rng.IntN(n)))
			}
		}},
		{1, func() { state("pause", s.words("Our pause")) }},
		{1, func() { state("resume") }},
		{2, func() { state("sync") }},
		{2, func() { state("rotate", "--keep", "5") }},
		{2, func() { state("rotate", "--compress") }},
		{1, func() { state("migrate") }},
	}
}

// byHand are the steps of a person.
func (s *sftools) byHand() []step {
	return []step{
		{2, func() {
			if rows := s.rows("Warnings"); len(rows) > 0 {
				s.steps = append(s.steps, "ann deletes the warning "+rows[0])
				s.setRows("Warnings", rows[1:])
			}
		}},
		{2, func() {
			text := s.entry("Ann's decision") + s.pick("", " | and a pipe")
			s.steps = append(s.steps, "ann adds a decision: "+text)
			cells := "| " + s.today + " | "
			if s.columns == 3 {
				cells += s.pick("SPEC-901", "—") + " | "
			}
			s.setRows("Decisions", append(s.rows("Decisions"), cells+text+" |"))
		}},
		{1, func() {
			s.steps = append(s.steps, "ann adds a long decision")
			cells := "| " + s.pick(s.today, "2026-05-01") + strings.Repeat(" | SPEC-902", s.columns-2)
			text := s.long(s.entry("Ann's long decision"), s.entry("its end"))
			s.setRows("Decisions", append(s.rows("Decisions"), cells+" | "+text+" |"))
		}},
		{1, func() {
			if rows := s.rows("Active Specifications"); len(rows) > 0 {
				s.steps = append(s.steps, "ann writes a story into Next Step")
				id := strings.TrimSpace(strings.Split(rows[0], "|")[1])
				rows[0] = "| " + id + " | running | " + s.long(s.words("Ann's story"), "end") + " |"
				s.setRows("Active Specifications", rows)
			}
		}},
	}
}

// compare reads the digest with both programs.
func (s *sftools) compare() []difference {
	waits := []func() answer{
		s.reading("state", "list-active"), s.reading("state", "resolve"), s.reading("queue", "next"), s.reading("state", "check"),
		s.start(s.node, s.reader, s.lib),
	}
	var theirs []map[string]any
	for _, wait := range waits {
		theirs = append(theirs, s.object(wait()))
	}
	list, resolve, next, check, read := theirs[0], theirs[1], theirs[2], theirs[3], theirs[4]
	shown := s.object(s.baton("state", "show", "--json"))
	digest := shown["specflow"].(map[string]any)
	var out []difference
	out = different(out, "active", s.ids(list["active_specs"], "id", "status", "nextStep"), s.ids(digest["active"], "id", "status", "next"))
	ours := s.object(s.baton("state", "active", "resolve", "--json"))
	for _, key := range []string{"action", "id", "code"} {
		out = different(out, "resolve."+key, pathOf(resolve, key), pathOf(ours, key))
	}
	columns := []string{"id", "title", "status"}
	out = different(out, "resolve.options", s.ids(resolve["options"], columns...), s.ids(ours["options"], columns...))
	columns = append(columns, "priority")
	out = different(out, "queue", s.ids(read["queue"], columns...), s.ids(digest["queue"], columns...))
	first := s.object(s.baton("state", "queue", "next", "--json"))
	out = different(out, "queue.next", pathOf(next, "id"), s.ids(first["queue"], "id"))
	out = different(out, "decisions", inOrder(s.decided(read["decisions"])), inOrder(s.decided(shown["decisions"])))
	var warnings []string
	for _, text := range slice(digest["warnings"]) {
		warnings = append(warnings, fmt.Sprint(text))
	}
	out = different(out, "warnings", strings.ReplaceAll(s.cells("Warnings", 1, 2, 3), " | ", " · "), strings.Join(warnings, "\n"))
	out = append(out, s.checked(check)...)
	return append(out, s.listed()...)
}

// checked compares what both programs find wrong with the digest, and its sizes.
func (s *sftools) checked(check map[string]any) []difference {
	valid := s.object(s.baton("state", "validate", "--json"))
	var codes []string
	for _, f := range slice(valid["findings"]) {
		codes = append(codes, pathOf(f.(map[string]any), "code"))
	}
	found := func(code string) string { return fmt.Sprint(slices.Contains(codes, code)) }
	some := func(key string) string { return fmt.Sprint(len(slice(check[key])) > 0) }
	out := different(nil, "check.over_limit", pathOf(check, "over_limit"), found("over_bytes"))
	out = different(out, "check.oversized_cells", some("oversized_cells"), found("oversize_cell"))
	out = different(out, "check.oversized_rows", some("oversized_rows"), found("oversize_row"))
	out = different(out, "check.broken_tables", some("broken_tables"), found("ragged_rows"))
	out = different(out, "check.truncation_scar", fmt.Sprint(check["truncation_scar"] != nil), found("truncation_scar"))
	sizes := s.object(s.baton("state", "rotate", "--dry-run", "--keep", "1000", "--json"))
	for theirs, ours := range map[string]string{
		"decision_rows": "decision_rows", "active_rows": "active_rows", "bytes": "before.bytes",
	} {
		out = different(out, "size."+theirs, pathOf(check, "integrity."+theirs), pathOf(sizes, "rotation."+ours))
	}
	return out
}

// listed compares what baton says about entries with what is true: nothing is lost, and each decision
// is there once.
func (s *sftools) listed() []difference {
	lost := s.object(s.baton("lost", "--json"))
	out := different(nil, "lost", "", s.ids(lost["lost"], "doc", "text"))
	rows := slice(s.object(s.baton("decision", "list", "--all", "--json"))["decisions"])
	var wrong []string
	for entry := range s.entries {
		times := 0
		for _, row := range rows {
			times += strings.Count(pathOf(row.(map[string]any), "text"), entry)
		}
		if times != 1 {
			wrong = append(wrong, fmt.Sprintf("%s %d×", entry, times))
		}
	}
	for _, row := range rows {
		if text := pathOf(row.(map[string]any), "text"); strings.Contains(text, "Ann's story") {
			wrong = append(wrong, "no decision: "+text)
		}
	}
	slices.Sort(wrong)
	return different(out, "listed", "", strings.Join(wrong, "\n"))
}

// inOrder sorts the lines of a list, because baton shows the oldest decision first.
func inOrder(list string) string {
	lines := strings.Split(list, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func slice(value any) []any {
	list, _ := value.([]any)
	return list
}
