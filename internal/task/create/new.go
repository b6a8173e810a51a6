package create

import (
	"strconv"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Request is what a new file is made from. Zero fields are left out of it. Texts other than
// Requirements are written on one line: line breaks in them become blanks.
type Request struct {
	ID           task.ID
	Title        string
	EpicID       string
	EpicTitle    string
	Repository   string // the caller gives the project's name when nothing else is known
	PRD          string // link, never embedded (5.12.3)
	Agent        string
	Requirements string // headings in it are written deeper than the file's own, so that it stays one part
	Criteria     []Criterion
	Dependencies []task.ID
	Dialect      task.Dialect // V1C, or V2 for anything else
	Parent       task.ID      // task that this one was split from
	Now          time.Time
	ArchivePath  string // metadata archive_path of a v1 file; "" writes null, as long as there is no archive
}

// Criterion is one acceptance criterion of a new task.
type Criterion struct {
	Text   string
	Verify string // command whose success is the evidence; "" if there is none
}

// New writes a new task state file exactly as 5.5 says, status ready (TS-D28), with LF line ends.
func New(n Request) []byte {
	var b strings.Builder
	heading := "# Task " + n.ID.Ref() + ": " + safetext.OneLine(n.Title)
	if n.Dialect.V1() {
		heading += " - State"
	} else if strings.HasSuffix(heading, "#") {
		heading += " #" // a closing sequence, so that the title's own sign stays (TS-45)
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

// writeTexts writes requirements and check boxes. A box carries its command on an indented line
// below; a v1 file keeps it in the checklist.
func (n Request) writeTexts(b *strings.Builder, name string, verify bool) {
	b.WriteString("### " + name + "\n")
	if text := task.Contain(n.Requirements, 4); text != "" {
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

// metadata is the JSON of a v2 file.
func (n Request) metadata() string {
	var keys []task.KeyValue
	keys = append(keys, task.KeyValue{Key: "task_id", JSON: task.JSONID(string(n.ID))},
		task.KeyValue{Key: "epic_id", JSON: task.JSONID(n.EpicID)}, task.KeyValue{Key: "status", JSON: `"ready"`})
	if len(n.Dependencies) > 0 {
		keys = append(keys, task.KeyValue{Key: "dependencies", JSON: task.JSONIDs(n.Dependencies)})
	}
	keys = append(keys, task.KeyValue{Key: "total_sessions", JSON: "0"})
	if n.Parent != "" {
		keys = append(keys, task.KeyValue{Key: "parent", JSON: task.JSONID(string(n.Parent))})
	}
	return task.JSONObject(keys)
}

// metadataV1 is the JSON of a v1 file. completed_at is there from the start, so that completing can
// fill it (5.12.2).
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
	if n.Parent != "" {
		keys = append(keys, task.KeyValue{Key: "parent", JSON: task.JSONID(string(n.Parent))})
	}
	return task.JSONObject(keys)
}

// sized fills in file_size_kb of a new file.
func sized(id task.ID, src []byte) []byte {
	s := task.Parse(id, src)
	next, ok := s.SizeFixpoint()
	if !ok {
		return src
	}
	return next.Bytes()
}

// checklist is the JSON of a new v1 file: one feature per criterion, none passing.
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
