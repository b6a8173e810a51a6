package specflow

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// ExecutionFile is what a file of .specflow/execution/ says (specflow.md 5.15).
type ExecutionFile struct {
	ID       string // of the specification
	Mode     string // "" when the file says none
	Progress string // waves that are complete, as "2/4 waves"; the file's status when it has no waves
	Updated  string // YYYY-MM-DD, or "" if unknown
	Path     string // for findings
}

// ExecutionID returns the specification that a name of the folder execution/ is for:
// SPEC-012-state.json; "" for others.
func ExecutionID(name string) string {
	const suffix = "-state.json"
	if len(name) <= len(suffix) || !strings.EqualFold(name[len(name)-len(suffix):], suffix) {
		return ""
	}
	return name[:len(name)-len(suffix)]
}

// ReadExecution reads the state of an execution leniently: comments, trailing commas and dots of a
// sample are passed over, keys that are missing or of another kind are left out (SF-43). The name
// decides the id. A file that is no JSON even then is a Corrupt error execution_invalid, and the
// result still has the id.
func ReadExecution(name string, data []byte) (ExecutionFile, error) {
	f := ExecutionFile{ID: ExecutionID(name)}
	var all map[string]any
	if err := json.Unmarshal(plainJSON(data), &all); err != nil {
		return f, &report.Error{
			Kind: report.Corrupt, Code: report.CodeExecutionInvalid, Message: name + " is not JSON",
			Hint: "repair it, or remove it when the execution is over", Err: err,
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

// ReadContinue returns the state file that a .continue-here names, or "" if it names none. It is
// read as leniently as the states of executions; Corrupt continue_invalid.
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

// SyncExecution returns every execution file a row in Execution Status, and takes out the rows that
// have no file (5.15). What a row says about its progress stays: the files know it better, and
// people read them. Gone has what was taken out; a placeholder is nothing to keep (SF-D12).
func (d *Doc) SyncExecution(files []ExecutionFile) (Edited, error) {
	e := d.begin()
	t, ok := d.executionTable()
	has := map[string]bool{}
	if ok {
		for _, r := range t.real() {
			id := idOf(t.cell(r, colSpec))
			if id == "" {
				continue
			}
			has[strings.ToLower(id)] = true
			if !hasFile(files, id) {
				e.remove(r.line)
				e.gone(&t, r.line)
				e.note("execution", id, "")
			}
		}
	}
	var rows []string
	for _, f := range files {
		if has[strings.ToLower(f.ID)] {
			continue
		}
		has[strings.ToLower(f.ID)] = true
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

// addRows puts new rows after the last one of the table of executions, or begins the table.
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

func hasFile(files []ExecutionFile, id string) bool {
	for _, f := range files {
		if SameID(f.ID, id) {
			return true
		}
	}
	return false
}

// plainJSON takes out of a text what JSON does not have: comments, the dots that stand for more in
// a sample, and commas before a closing bracket. Strings stay as they are.
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

// stringEnd returns the length of the string that begins src.
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
