package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/agentsession"
)

// sameTime is how long an event without an id of its own counts as the same one (agents.md 2.6).
const sameTime = 2 * time.Second

// key returns what tells the event from others of its kind in the session: the client's family, and
// what the table of agents.md 2.6 names. Two configurations of one client give the same key, and
// one of the two copies is answered. The window is 0 where the key is unique, and "" is no key.
func (in *message) key(p payload) (key string, window time.Duration) {
	e := in.event
	var parts []string
	switch e.Event {
	case agentsession.PreTool, agentsession.PostTool:
		parts, window = in.toolKey(p)
	case agentsession.Stop, agentsession.SubStop:
		parts, window = in.stopKey(p)
	case agentsession.Prompt:
		if parts, window = in.instant(p); len(parts) == 0 && e.Prompt != "" {
			parts = []string{e.Prompt}
		}
	case agentsession.SubStart:
		parts = []string{e.SubAgent}
		if e.SubAgent == e.SubType || in.client.name == copilot { // a type is no id
			at, _ := in.instant(p)
			parts, window = append(parts, at...), sameTime
		}
	default:
		parts, window = []string{e.Source}, sameTime
		if e.Source == "" { // it waits, which has no id either
			parts = []string{e.Prompt, hashed(e.About + "\x00" + e.Text), e.SubAgent}
		}
		if at, _ := in.instant(p); in.client.name == copilot && len(at) > 0 {
			parts, window = append(parts, at...), 0
		}
	}
	if len(parts) == 0 {
		return "", 0
	}
	return in.client.name + " " + strings.Join(parts, " "), window
}

// toolKey is the key of calls: their ids; for Copilot the instant, together with what is called,
// because several calls may share it; else a hash of tool and input within a time.
func (in *message) toolKey(p payload) ([]string, time.Duration) {
	if at, _ := in.instant(p); in.client.name == copilot && len(at) > 0 {
		return append(at, callsHash(in.event.Calls)), 0
	}
	var ids []string
	for _, c := range in.event.Calls {
		if c.ID == "" {
			ids = nil
			break
		}
		ids = append(ids, c.ID)
	}
	if len(ids) == 1 {
		return ids, 0
	}
	if len(ids) > 1 {
		return []string{hashed(strings.Join(ids, " "))}, 0
	}
	return []string{hashed(string(p.raw("tool_name", "toolName")) +
		string(p.raw("tool_input", "toolArgs", "tool_calls", "command")))}, sameTime
}

// stopKey is the key of stops. Whether background work runs is part of it: a turn may stop a second
// time when that work is done.
func (in *message) stopKey(p payload) (parts []string, window time.Duration) {
	e := in.event
	switch at, _ := in.instant(p); {
	case len(at) > 0 && (in.client.name == copilot || in.client.name == gemini):
		parts = at
	case e.Prompt != "" && in.client.name != cursor:
		// whether a continuation of Cursor's has an id of its own is not known
		parts = []string{e.Prompt}
	default:
		parts, window = []string{e.Prompt, hashed(e.Text)}, sameTime
	}
	if e.SubAgent != "" {
		parts = append(parts, e.SubAgent)
	}
	return append(
		parts, strconv.FormatBool(p.truth("stop_hook_active", "stopHookActive")), strconv.FormatBool(e.Background),
	), window
}

// instant returns the time stamp of those clients whose copies of an event share it, in
// milliseconds: Copilot sends the same instant as a number and as text. It returns nothing for
// other clients.
func (in *message) instant(p payload) ([]string, time.Duration) {
	if in.client.name != copilot && in.client.name != gemini {
		return nil, 0
	}
	if at, ok := p.number("timestamp"); ok {
		return []string{strconv.FormatInt(int64(at), 10)}, 0
	}
	if at, err := time.Parse(time.RFC3339Nano, p.text("timestamp")); err == nil {
		return []string{strconv.FormatInt(at.UnixMilli(), 10)}, 0
	}
	return nil, 0
}

// callsHash is a hash of what calls touch; the names of tools differ between Copilot's two forms.
func callsHash(calls []agentsession.ToolCall) string {
	var touched []string
	for _, c := range calls {
		touched = append(touched, c.Command)
		for _, e := range c.Edits {
			touched = append(touched, e.Path)
		}
	}
	slices.Sort(touched)
	data, err := json.Marshal(touched)
	if err != nil {
		return ""
	}
	return hashed(string(data))
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
