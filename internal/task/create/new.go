package create

import (
	"strconv"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Request describes a new task file. Fields with zero values are left out of the file. All texts
// except Requirements are written on one line: line breaks in them become blanks.
type Request struct {
	ID           task.ID
	Title        string
	EpicID       string
	EpicTitle    string
	Repository   string // the caller passes the project's name if nothing else is known
	PRD          string // a link; the document itself is never embedded (5.12.3)
	Agent        string
	Requirements string // its headings are written deeper than the file's own, so that it stays one part
	Criteria     []Criterion
	Dependencies []task.ID
	Dialect      task.Dialect // V1C, or V2 for every other value
	Parent       task.ID      // the task from which this one was split
	Priority     task.Priority
	From         task.ID // the task during which this one was found (D52)
	Source       string  // where it was imported from (D52)
	Now          time.Time
	ArchivePath  string // archive_path in the metadata of a v1 file; "" writes null, because there is no archive yet
}

// Criterion is one acceptance criterion of a new task.
type Criterion struct {
	Text   string
	Verify string // command that shows that the criterion holds; "" if there is none
}

// New returns a new task file exactly as 5.5 defines it, with status ready (TS-D28) and LF line
// ends.
func New(n Request) []byte {
	var b strings.Builder
	heading := "# Task " + n.ID.Ref() + ": " + safetext.OneLine(n.Title)
	if n.Dialect.V1() {
		heading += " - State"
	} else if strings.HasSuffix(heading, "#") {
		heading += " #" // a closing sequence, so that the title keeps its own "#" (TS-45)
	}
	b.WriteString(heading + "\n\n")
	if n.Dialect.V1() {
		n.writeV1(&b)
		return sized(n.ID, []byte(b.String()))
	}
	b.WriteString("## 0. Metadata\n```json\n" + n.metadata() + "\n```\n\n## 1. Context\n\n")
	n.writeLines(&b)
	n.writeTexts(&b, "Requirements", true)
	b.WriteString("## 3. Progress Log\n\n(No sessions yet)\n\n## 4. Chain Output\n\n(To be completed)\n")
	return []byte(b.String())
}

func (n Request) writeV1(b *strings.Builder) {
	b.WriteString("## 0. Metadata\n\n```json\n" + n.metadataV1() + "\n```\n\n## 1. Static Context\n\n")
	n.writeLines(b)
	n.writeTexts(b, "Task Description", false)
	b.WriteString("## 2. Chain Inputs\n\n## 3. Feature Checklist\n\n```json\n" + n.checklist() + "\n```\n\n" +
		"## 4. Progress Log\n\n(Agent will append entries here)\n\n## 5. Git History\n\n" +
		"## 6. Chain Output\n\n(Agent will finalize when task is complete)\n")
}

// writeLines writes the bold key lines of the context.
func (n Request) writeLines(b *strings.Builder) {
	epic := safetext.OneLine(n.EpicTitle)
	if n.EpicID != "" {
		ref := task.ID(n.EpicID).Ref()
		if epic == "" {
			epic = ref
		} else {
			epic += " (" + ref + ")"
		}
	}
	any := false
	for _, line := range [...][2]string{
		{"PRD", n.PRD}, {"Epic", epic}, {"Repository", n.Repository}, {"Agent", n.Agent},
	} {
		if value := safetext.OneLine(line[1]); value != "" {
			b.WriteString("**" + line[0] + ":** " + value + "\n")
			any = true
		}
	}
	if any {
		b.WriteString("\n")
	}
}

// writeTexts writes requirements and check boxes. The command of a box is on an indented line below
// it; a v1 file has it in the checklist.
func (n Request) writeTexts(b *strings.Builder, name string, verify bool) {
	b.WriteString("### " + name + "\n")
	if text := markdown.Contain(n.Requirements, 4); text != "" {
		b.WriteString(text + "\n")
	}
	b.WriteString("\n### Acceptance Criteria\n")
	for _, criterion := range n.Criteria {
		text := safetext.OneLine(criterion.Text)
		if text == "" {
			continue
		}
		b.WriteString("- [ ] " + text + "\n")
		if command := safetext.OneLine(criterion.Verify); verify && command != "" {
			b.WriteString(task.VerifyLine(command) + "\n")
		}
	}
	b.WriteString("\n")
}

// metadata returns the JSON of a v2 file.
func (n Request) metadata() string {
	var keys []task.KeyValue
	keys = append(keys, task.KeyValue{Key: "task_id", JSON: task.JSONID(string(n.ID))},
		task.KeyValue{Key: "epic_id", JSON: task.JSONID(n.EpicID)}, task.KeyValue{Key: "status", JSON: `"ready"`})
	if len(n.Dependencies) > 0 {
		keys = append(keys, task.KeyValue{Key: "dependencies", JSON: task.JSONIDs(n.Dependencies)})
	}
	keys = append(keys, task.KeyValue{Key: "total_sessions", JSON: "0"})
	return task.JSONObject(append(keys, n.origin()...))
}

// origin returns the keys that say where a task comes from and how urgent it is.
func (n Request) origin() []task.KeyValue {
	var keys []task.KeyValue
	if n.Parent != "" {
		keys = append(keys, task.KeyValue{Key: "parent", JSON: task.JSONID(string(n.Parent))})
	}
	if word := n.Priority.Shown(); word != "" {
		keys = append(keys, task.KeyValue{Key: task.PriorityKey, JSON: jsontext.Quote(word)})
	}
	if n.From != "" {
		keys = append(keys, task.KeyValue{Key: task.DiscoveredFromKey, JSON: task.JSONID(string(n.From))})
	}
	if n.Source != "" {
		keys = append(keys, task.KeyValue{Key: task.SourceKey, JSON: jsontext.Quote(safetext.OneLine(n.Source))})
	}
	return keys
}

// metadataV1 returns the JSON of a v1 file. It has completed_at from the start, so that completing
// the task can fill it (5.12.2).
func (n Request) metadataV1() string {
	now, path := jsontext.Quote(task.JSONStamp(n.Now)), "null"
	if n.ArchivePath != "" {
		path = jsontext.Quote(n.ArchivePath)
	}
	keys := []task.KeyValue{
		{Key: "task_id", JSON: task.JSONID(string(n.ID))},
		{Key: "created_at", JSON: now},
		{Key: "updated_at", JSON: now},
		{Key: "total_sessions", JSON: "0"},
		{Key: "archived_sessions", JSON: "0"},
		{Key: "recent_sessions", JSON: "0"},
		{Key: "file_size_kb", JSON: "0"},
		{Key: "archive_path", JSON: path},
	}
	if n.EpicID != "" {
		keys = append(keys, task.KeyValue{Key: "epic_id", JSON: task.JSONID(n.EpicID)})
	}
	keys = append(keys, task.KeyValue{Key: "status", JSON: `"ready"`})
	if len(n.Dependencies) > 0 {
		keys = append(keys, task.KeyValue{Key: "dependencies", JSON: task.JSONIDs(n.Dependencies)})
	}
	keys = append(keys, task.KeyValue{Key: "completed_at", JSON: "null"})
	return task.JSONObject(append(keys, n.origin()...))
}

// sized sets file_size_kb in a new file.
func sized(id task.ID, src []byte) []byte {
	s := task.Parse(id, src)
	next, ok := s.SizeFixpoint()
	if !ok {
		return src
	}
	return next.Bytes()
}

// checklist returns the JSON of a new v1 file: one feature per criterion, none of which passes.
func (n Request) checklist() string {
	var b strings.Builder
	b.WriteString("{\n  \"features\": [")
	base, count := task.Slug(n.Title), 0
	for _, criterion := range n.Criteria {
		text := safetext.OneLine(criterion.Text)
		if text == "" {
			continue
		}
		if count++; count > 1 {
			b.WriteString(",")
		}
		b.WriteString("\n    {\n      \"id\": " + jsontext.Quote(base+"-"+strconv.Itoa(count)) +
			",\n      \"description\": " + jsontext.Quote(text) + ",\n")
		if command := safetext.OneLine(criterion.Verify); command != "" {
			b.WriteString("      \"verify\": " + jsontext.Quote(command) + ",\n")
		}
		b.WriteString("      \"passes\": false,\n      \"tested_at\": null\n    }")
	}
	if count > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("],\n  \"overall_progress\": \"0%\"\n}")
	return b.String()
}
