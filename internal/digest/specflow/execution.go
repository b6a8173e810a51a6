package specflow

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// ExecutionFile is the content of a file in .specflow/execution/ (specflow.md 5.15).
type ExecutionFile struct {
	ID       string // id of the specification
	Mode     string // "" if the file has none
	Progress string // completed waves, such as "2/4 waves"; the file's status if it has no waves
	Updated  string // YYYY-MM-DD, or "" if unknown
	Path     string // for findings
}

// ExecutionID returns the specification of a file in execution/, such as SPEC-012-state.json, or ""
// for other names.
func ExecutionID(name string) string {
	const suffix = "-state.json"
	if len(name) <= len(suffix) || !strings.EqualFold(name[len(name)-len(suffix):], suffix) {
		return ""
	}
	return name[:len(name)-len(suffix)]
}

// ReadExecution reads the state of an execution leniently. It ignores comments, trailing commas and
// the dots of a sample, and leaves out keys that are missing or of another type (SF-43). The id
// comes from the name. If the text is still not JSON, the result is a Corrupt error
// execution_invalid, together with the id.
func ReadExecution(name string, data []byte) (ExecutionFile, error) {
	f := ExecutionFile{ID: ExecutionID(name)}
	var all map[string]any
	if err := json.Unmarshal(plainJSON(data), &all); err != nil {
		return f, &report.Error{
			Kind: report.Corrupt, Code: report.CodeExecutionInvalid, Message: name + " is not JSON",
			Hint: "repair it, or remove it if the execution is finished", Err: err,
		}
	}
	text := func(m map[string]any, key string) string {
		s, _ := m[key].(string)
		return s
	}
	f.Mode = text(all, "mode")
	for _, key := range [...]string{"last_checkpoint", "started", "completed"} {
		if day := text(all, key); f.Updated == "" && isDate(day) {
			f.Updated = day[:len(time.DateOnly)]
		}
	}
	waves, _ := all["waves"].([]any)
	done := 0
	for _, w := range waves {
		if wave, ok := w.(map[string]any); ok && Word(text(wave, "status")) == "done" {
			done++
		}
	}
	if f.Progress = text(all, "status"); len(waves) > 0 {
		f.Progress = itoa(done) + "/" + itoa(len(waves)) + " waves"
	}
	return f, nil
}

// ReadContinue returns the state file that a .continue-here names, or "". It reads as leniently as
// ReadExecution. Errors: Corrupt continue_invalid.
func ReadContinue(data []byte) (string, error) {
	var all map[string]any
	if err := json.Unmarshal(plainJSON(data), &all); err != nil {
		return "", &report.Error{
			Kind: report.Corrupt, Code: report.CodeContinueInvalid, Message: "it is not JSON",
			Hint: "repair it, or remove it",
			Err:  err,
		}
	}
	file, _ := all["state_file"].(string)
	return strings.TrimSpace(file), nil
}

// SyncExecution adds a row to Execution Status for every execution file that has none, and removes
// rows without a file (5.15). The progress in existing rows stays, because the files are more
// accurate and people read those. Gone has the removed rows, except placeholders (SF-D12).
func (d *Doc) SyncExecution(files []ExecutionFile) (Edited, error) {
	e := d.begin()
	t, ok := d.executionTable()
	has, running := idSet{}, idsOf(files, fileID)
	if ok {
		for _, r := range t.real() {
			id := idOf(t.cell(r, colSpec))
			if id == "" {
				continue
			}
			has.add(id)
			if !running.has(id) {
				e.remove(r.line)
				e.gone(&t, r.line)
				e.note("execution", id, "")
			}
		}
	}
	var rows []string
	for _, f := range files {
		if has.has(f.ID) {
			continue
		}
		has.add(f.ID)
		values := map[string]string{colSpec: f.ID, colMode: f.Mode, colProgress: f.Progress, colUpdated: f.Updated}
		if ok {
			rows = append(rows, t.newRow(values))
		} else {
			rows = append(rows, markdown.Row(escape(f.ID), escape(f.Mode), escape(f.Progress), escape(f.Updated)))
		}
		e.note("execution", "", f.ID)
	}
	e.addRows(t, ok, rows)
	return e.done()
}

// addRows adds rows after the last one of the table of executions, or creates the table.
func (e *edit) addRows(t table, has bool, rows []string) {
	if len(rows) == 0 {
		return
	}
	if !has {
		table := append([]string{
			"| Spec ID | Mode | Progress | Last Updated |", "|---------|------|----------|--------------|",
		}, rows...)
		if s, ok := e.d.first(execution); ok {
			e.addTable(s, table...)
		} else {
			e.append("Execution Status", table...)
		}
		return
	}
	last := t.delimiter
	for _, r := range t.rows {
		if r.placeholder {
			e.remove(r.line)
		}
		last = r.line
	}
	e.insert(last+1, rows...)
}

// plainJSON removes everything that JSON does not have: comments, the dots that mean "and so on" in
// a sample, and commas before a closing bracket. Strings are not changed.
func plainJSON(src []byte) []byte {
	out := make([]byte, 0, len(src))
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	for i := 0; i < len(src); {
		rest := src[i:]
		switch {
		case rest[0] == '"':
			n := stringEnd(rest)
			out = append(out, rest[:n]...)
			i += n
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '/', rest[0] == '#':
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '*':
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				n = len(rest) - 2
			}
			i += n + 2
		case bytes.HasPrefix(rest, []byte("...")):
			i += 3
		case rest[0] == ']' || rest[0] == '}':
			out = append(bytes.TrimRight(out, ", \t\r\n"), rest[0])
			i++
		default:
			out = append(out, rest[0])
			i++
		}
	}
	return out
}

// stringEnd returns the length of the string at the start of src.
func stringEnd(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}
