package task

import (
	"strings"
	"time"
	"unicode"

	"baton/internal/safetext"
)

// NewTask is what a new file is made from. Zero fields are left out of it. Texts other than Requirements are written
// on one line: line breaks in them become blanks.
type NewTask struct {
	ID           ID
	Title        string
	EpicID       string
	EpicTitle    string
	Repository   string // the caller gives the project's name when nothing else is known
	PRD          string // link, never embedded (5.12.3)
	Agent        string
	Requirements string // headings in it are written deeper than the file's own, so that it stays one part
	Criteria     []NewCriterion
	Dependencies []ID
	Dialect      Dialect // V1C, or V2 for anything else
	Parent       ID      // task that this one was split from
	Now          time.Time
	ArchivePath  string // metadata archive_path of a v1 file; "" writes null, as long as there is no archive
}

// NewCriterion is one acceptance criterion of a new task.
type NewCriterion struct {
	Text   string
	Verify string // command whose success is the evidence; "" when there is none
}

// New writes a new task state file exactly as 5.5 says, status ready (TS-D28), with LF line ends.
func New(n NewTask) []byte {
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

func (n NewTask) writeV1(b *strings.Builder) {
	b.WriteString("## 0. Metadata\n\n```json\n" + n.metadataV1() + "\n```\n\n## 1. Static Context\n\n")
	n.writeLines(b)
	n.writeTexts(b, "Task Description", false)
	b.WriteString("## 2. Chain Inputs\n\n## 3. Feature Checklist\n\n```json\n" + n.checklist() + "\n```\n\n" +
		"## 4. Progress Log\n\n(Agent will append entries here)\n\n## 5. Git History\n\n" +
		"## 6. Chain Output\n\n(Agent will finalize when task is complete)\n")
}

// writeLines writes the bold key lines of the context.
func (n NewTask) writeLines(b *strings.Builder) {
	epic := safetext.OneLine(n.EpicTitle)
	if n.EpicID != "" {
		ref := ID(n.EpicID).Ref()
		if epic == "" {
			epic = ref
		} else {
			epic += " (" + ref + ")"
		}
	}
	any := false
	for _, line := range [...][2]string{{"PRD", n.PRD}, {"Epic", epic}, {"Repository", n.Repository}, {"Agent", n.Agent}} {
		if value := safetext.OneLine(line[1]); value != "" {
			b.WriteString("**" + line[0] + ":** " + value + "\n")
			any = true
		}
	}
	if any {
		b.WriteString("\n")
	}
}

// writeTexts writes requirements and check boxes. A box carries its command on an indented line below; a v1 file
// keeps it in the checklist.
func (n NewTask) writeTexts(b *strings.Builder, name string, verify bool) {
	b.WriteString("### " + name + "\n")
	if text := contain(n.Requirements, 4); text != "" {
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
			b.WriteString(verifyLine(command) + "\n")
		}
	}
	b.WriteString("\n")
}

// metadata is the JSON of a v2 file.
func (n NewTask) metadata() string {
	var keys []KeyValue
	keys = append(keys, KeyValue{"task_id", jsonID(string(n.ID))}, KeyValue{"epic_id", jsonID(n.EpicID)}, KeyValue{"status", `"ready"`})
	if len(n.Dependencies) > 0 {
		keys = append(keys, KeyValue{"dependencies", jsonIDs(n.Dependencies)})
	}
	keys = append(keys, KeyValue{"total_sessions", "0"})
	if n.Parent != "" {
		keys = append(keys, KeyValue{"parent", jsonID(string(n.Parent))})
	}
	return jsonObject(keys)
}

// metadataV1 is the JSON of a v1 file. completed_at is there from the start, so that completing can fill it (5.12.2).
func (n NewTask) metadataV1() string {
	now, path := quoteJSON(jsonStamp(n.Now)), "null"
	if n.ArchivePath != "" {
		path = quoteJSON(n.ArchivePath)
	}
	keys := []KeyValue{
		{"task_id", jsonID(string(n.ID))},
		{"created_at", now},
		{"updated_at", now},
		{"total_sessions", "0"},
		{"archived_sessions", "0"},
		{"recent_sessions", "0"},
		{"file_size_kb", "0"},
		{"archive_path", path},
	}
	if n.EpicID != "" {
		keys = append(keys, KeyValue{"epic_id", jsonID(n.EpicID)})
	}
	keys = append(keys, KeyValue{"status", `"ready"`})
	if len(n.Dependencies) > 0 {
		keys = append(keys, KeyValue{"dependencies", jsonIDs(n.Dependencies)})
	}
	keys = append(keys, KeyValue{"completed_at", "null"})
	if n.Parent != "" {
		keys = append(keys, KeyValue{"parent", jsonID(string(n.Parent))})
	}
	return jsonObject(keys)
}

// sized fills in file_size_kb of a new file.
func sized(id ID, src []byte) []byte {
	s := Parse(id, src)
	next, ok := s.sizeFixpoint()
	if !ok {
		return src
	}
	return next.Bytes()
}

// jsonObject writes keys one to a line with two blanks of indentation.
func jsonObject(keys []KeyValue) string {
	var b strings.Builder
	b.WriteString("{")
	for i, key := range keys {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  " + quoteJSON(key.Key) + ": " + key.JSON)
	}
	b.WriteString("\n}")
	return b.String()
}

// jsonID writes an id as D21 says; "" is null.
func jsonID(id string) string {
	switch {
	case id == "":
		return "null"
	case ID(id).Numeric():
		return id
	}
	return quoteJSON(id)
}

func jsonIDs(ids []ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = jsonID(string(id))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// slug is the beginning of new feature ids: the first word of the title in lower case, at most 12 characters.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return "f"
	}
	runes := []rune(words[0])
	return string(runes[:min(len(runes), 12)])
}
