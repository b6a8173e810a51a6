package statusline

import (
	"math"
	"strconv"
)

// Input is what the agent says on standard input (agents.md 6.1). What is missing or of another
// type than expected is as if it were null: agents differ, and the line must be there all the same.
type Input struct {
	Session string // id of the session, "" when unknown
	Model   string // display name, else the id; "" when unknown
	Dir     string // folder the agent works in, "" when unknown

	Remaining *float64 // per cent of the context window that is left, nil before the first answer
	Used      *float64 // per cent in use as the agent reckons it, nil likewise
	Window    int      // tokens that the window holds, 0 when unknown
	Total     int      // total_tokens, by which the window for compaction is measured (1.10); 0 when unknown
	Tokens    int      // tokens in use, 0 when unknown
}

// Parse reads the agent's object. Anything that is not a JSON object gives the zero Input.
func Parse(data []byte) Input {
	var in Input
	var cwd, id string
	var usage [4]float64
	whole := scalars(data, func(path string, value []byte) {
		switch path {
		case "session_id":
			in.Session = text(value)
		case "cwd":
			cwd = text(value)
		case "model", "model.display_name":
			in.Model = text(value)
		case "model.id":
			id = text(value)
		case "workspace.current_dir":
			in.Dir = text(value)
		case "context_window.remaining_percentage":
			in.Remaining = number(value)
		case "context_window.used_percentage":
			in.Used = number(value)
		case "context_window.context_window_size":
			in.Window = count(value)
		case "context_window.total_tokens":
			in.Total = count(value)
		case "context_window.current_usage": // a number in one agent (agents.md 6.2), an object in the others
			usage = [4]float64{float64(count(value))}
		case "context_window.current_usage.input_tokens":
			usage[0] = float64(count(value))
		case "context_window.current_usage.cache_creation_input_tokens":
			usage[1] = float64(count(value))
		case "context_window.current_usage.cache_read_input_tokens":
			usage[2] = float64(count(value))
		case "context_window.current_usage.output_tokens":
			usage[3] = float64(count(value))
		}
	})
	if !whole {
		return Input{}
	}
	if in.Dir == "" {
		in.Dir = cwd
	}
	if in.Model == "" {
		in.Model = id
	}
	if in.Remaining == nil && in.Used != nil {
		left := 100 - *in.Used
		in.Remaining = &left
	}
	in.Tokens = int(usage[0] + usage[1] + usage[2] + usage[3])
	return in
}

// text is a text, "" for a value of another type.
func text(value []byte) string {
	if value[0] != '"' {
		return ""
	}
	return unescape(value)
}

// number is a number, nil for a value of another type and for what no number can hold.
func number(value []byte) *float64 {
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return nil
	}
	return &f
}

// count is a number of things: whole, not negative, and no more than a trillion.
func count(value []byte) int {
	f := number(value)
	if f == nil || math.IsNaN(*f) || *f < 0 {
		return 0
	}
	return int(min(*f, 1e12))
}

// ReadPlanning takes in the settings of GSD's own file, .planning/config.json: statusline.* as one
// object or as keys with a dot (gsd.md 1.10). A file that is not JSON says nothing.
func (o *Options) ReadPlanning(data []byte) {
	read := *o
	whole := scalars(data, func(path string, value []byte) {
		switch path {
		case "statusline.show_context_tokens":
			read.Tokens = string(value) == "true"
		case "statusline.context_position":
			read.Front = text(value) == "front"
		case "statusline.state_format":
			read.Format = text(value)
		}
	})
	if whole {
		*o = read
	}
}
