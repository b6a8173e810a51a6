package statusline

import (
	"bytes"
	"math"
	"strconv"

	"baton/internal/jsontext"
)

// Input is what the agent says on standard input (agents.md 6.1). A missing value, or one of an
// unexpected type, counts as null, because agents differ and the line must be printed in any case.
type Input struct {
	Session string // id of the session, or "" if unknown
	Model   string // display name, or else the id; "" if unknown
	Dir     string // folder the agent works in, or "" if unknown

	Broken bool // there was something, but not JSON; all other fields are empty then

	Transcript string // file with the session's transcript, or "" if unknown

	Remaining *float64 // percentage of the context window that is left, or nil before the first answer
	Left      string   // the percentage that is left as GSD's bridge file says it, or "" without one
	Used      *float64 // percentage in use according to the agent, or nil before the first answer
	Window    int      // size of the window in tokens, or 0 if unknown
	Total     int      // total_tokens, from which the compaction buffer is computed (1.10); 0 if unknown
	Tokens    int      // tokens in use, or 0 if unknown
}

// Parse reads the agent's object. From anything else, it learns at most that it was broken.
func Parse(data []byte) Input {
	var in Input
	var cwd, id string
	var usage [4]float64
	windowless := false // it says that the window has no size, so its percentages mean nothing
	whole := scalars(data, func(path string, value jsontext.Node) {
		switch path {
		case "session_id":
			in.Session = text(value, data)
		case "transcript_path":
			in.Transcript = text(value, data)
		case "cwd":
			cwd = text(value, data)
		case "model", "model.display_name":
			in.Model = text(value, data)
		case "model.id":
			id = text(value, data)
		case "workspace.current_dir":
			in.Dir = text(value, data)
		case "context_window.remaining_percentage":
			if in.Remaining, in.Left = percentage(value, data), ""; in.Remaining != nil {
				in.Left = left(value, data, *in.Remaining)
			}
		case "context_window.used_percentage":
			in.Used = number(value, data)
		case "context_window.context_window_size":
			in.Window = count(value, data)
			windowless = value.Kind != '"' && number(value, data) != nil && in.Window == 0
		case "context_window.total_tokens":
			if n := percentage(value, data); n != nil { // also as text, as GSD's line reads it
				in.Total = int(min(max(*n, 0), 1e12))
			}
		case "context_window.current_usage": // a number for one agent (agents.md 6.2), an object for the others
			usage = [4]float64{float64(count(value, data))}
		case "context_window.current_usage.input_tokens":
			usage[0] = float64(count(value, data))
		case "context_window.current_usage.cache_creation_input_tokens":
			usage[1] = float64(count(value, data))
		case "context_window.current_usage.cache_read_input_tokens":
			usage[2] = float64(count(value, data))
		case "context_window.current_usage.output_tokens":
			usage[3] = float64(count(value, data))
		}
	})
	if !whole {
		_, fault := jsontext.Parse(data, jsontext.Options{})
		return Input{Broken: fault != nil && len(bytes.TrimSpace(data)) > 0}
	}
	if in.Dir == "" {
		in.Dir = cwd
	}
	if in.Model == "" {
		in.Model = id
	}
	if windowless { // Qwen Code says so of a model that it does not know, with nothing used
		in.Remaining, in.Used, in.Left = nil, nil, ""
	}
	if in.Remaining == nil && in.Used != nil {
		left := 100 - *in.Used
		in.Remaining = &left
	}
	in.Tokens = int(usage[0] + usage[1] + usage[2] + usage[3])
	return in
}

// scalars calls visit for every string, number and literal of a JSON object that is not inside a
// list, in the order of data. path is its keys joined by dots. scalars reports whether data is
// exactly one JSON object.
func scalars(data []byte, visit func(path string, value jsontext.Node)) bool {
	object, fault := jsontext.Parse(data, jsontext.Options{})
	if fault != nil || object.Kind != '{' {
		return false
	}
	walk("", object, visit)
	return true
}

func walk(prefix string, object jsontext.Node, visit func(path string, value jsontext.Node)) {
	for _, m := range object.Members {
		switch m.Value.Kind {
		case '{':
			walk(prefix+m.Name+".", m.Value, visit)
		case '[':
		default:
			visit(prefix+m.Name, m.Value)
		}
	}
}

// text returns a string, or "" for a value of another type.
func text(value jsontext.Node, data []byte) string {
	if value.Kind != '"' {
		return ""
	}
	return value.ValidText(data)
}

// number returns a number, or nil for a value of another type or one that a float64 cannot
// represent.
func number(value jsontext.Node, data []byte) *float64 {
	f, err := strconv.ParseFloat(string(value.Span.Of(data)), 64)
	if err != nil {
		return nil
	}
	return &f
}

// percentage returns a number, also one that is given as text, which GSD's line draws too (F-61).
func percentage(value jsontext.Node, data []byte) *float64 {
	if value.Kind != '"' {
		return number(value, data)
	}
	f, err := strconv.ParseFloat(text(value, data), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// left writes a percentage as JavaScript does, and text as text.
func left(value jsontext.Node, data []byte, n float64) string {
	if value.Kind == '"' {
		return jsontext.Quote(text(value, data))
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// count returns a non-negative whole number of at most a trillion.
func count(value jsontext.Node, data []byte) int {
	f := number(value, data)
	if f == nil || *f < 0 {
		return 0
	}
	return int(min(*f, 1e12))
}

// ReadPlanning reads the settings in GSD's own file, .planning/config.json: statusline.* as one
// object or as keys with dots (gsd.md 1.10). A file that is not JSON changes nothing.
func (o *Options) ReadPlanning(data []byte) {
	scalars(data, func(path string, value jsontext.Node) {
		switch path {
		case "statusline.show_context_tokens":
			o.Tokens = value.Kind == 't'
		case "statusline.show_git":
			o.Git = value.Kind == 't'
		case "statusline.show_last_command":
			o.LastCommand = value.Kind == 't'
		case "statusline.context_position":
			o.Front = text(value, data) == "front"
		case "statusline.state_format":
			o.Format = text(value, data)
		}
	})
}
