package statusline

import (
	"encoding/json"
	"math"
	"strconv"
)

// Input is what the agent says on standard input (agents.md 6.1). What is missing or of another type than expected is
// as if it were null: agents differ, and the line must be there all the same.
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

// wire is the agent's object. Every level is decoded on its own, so that one odd value costs only itself.
type wire struct {
	Session   string          `json:"session_id"`
	Cwd       string          `json:"cwd"`
	Model     json.RawMessage `json:"model"`
	Workspace struct {
		Dir string `json:"current_dir"`
	} `json:"workspace"`
	Window struct {
		Remaining json.RawMessage `json:"remaining_percentage"`
		Used      json.RawMessage `json:"used_percentage"`
		Size      float64         `json:"context_window_size"`
		Total     float64         `json:"total_tokens"`
		Usage     json.RawMessage `json:"current_usage"`
	} `json:"context_window"`
}

// Parse reads the agent's object. Anything that is not a JSON object gives the zero Input.
func Parse(data []byte) Input {
	var w wire
	// An error about a value of another type leaves the other values in place; broken JSON leaves all of them out.
	_ = json.Unmarshal(data, &w)
	in := Input{
		Session: w.Session, Dir: w.Workspace.Dir, Model: modelName(w.Model),
		Remaining: number(w.Window.Remaining), Used: number(w.Window.Used),
		Window: count(w.Window.Size), Total: count(w.Window.Total), Tokens: tokens(w.Window.Usage),
	}
	if in.Dir == "" {
		in.Dir = w.Cwd
	}
	if in.Remaining == nil && in.Used != nil {
		left := 100 - *in.Used
		in.Remaining = &left
	}
	return in
}

// number reads a number; nil for null and anything else. (Decoding into a pointer would leave 0 behind a text.)
func number(raw json.RawMessage) *float64 {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return nil
	}
	return &f
}

// modelName reads an object with a name, or a name alone.
func modelName(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return name
	}
	var model struct {
		ID   string `json:"id"`
		Name string `json:"display_name"`
	}
	_ = json.Unmarshal(raw, &model)
	if model.Name != "" {
		return model.Name
	}
	return model.ID
}

// tokens adds up what the agent says about its usage: an object, or a number in one agent (agents.md 6.2).
func tokens(raw json.RawMessage) int {
	if len(raw) == 0 {
		return 0
	}
	var number float64
	if json.Unmarshal(raw, &number) == nil {
		return count(number)
	}
	var usage struct {
		Input    float64 `json:"input_tokens"`
		Creation float64 `json:"cache_creation_input_tokens"`
		Read     float64 `json:"cache_read_input_tokens"`
		Output   float64 `json:"output_tokens"`
	}
	_ = json.Unmarshal(raw, &usage)
	return count(usage.Input + usage.Creation + usage.Read + usage.Output)
}

// count is a number of things: whole, not negative, and no more than a trillion.
func count(f float64) int {
	if math.IsNaN(f) || f < 0 {
		return 0
	}
	return int(min(f, 1e12))
}
