package hook

import (
	"encoding/json"
	"testing"
)

// TestF35_WhatACommandPrintsIsNoOutcome: each client's form of an exit code counts only for that client, and only where
// the client puts it.
func TestF35_WhatACommandPrintsIsNoOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ client, response, want string }{
		{claude, "Exit code 1\nFAIL", "exit 1"},
		{claude, "Error: Exit code 2", "exit 2"},
		{claude, "ok\nExit code 1", ""},
		{claude, "Exit code of the test", ""},
		{claude, "a log:\nExit Code: 3", ""},
		{gemini, "Output: FAIL\nExit Code: 3\nProcess Group PGID: 12", "exit 3"},
		{gemini, "Output: a log\nExit Code: 3\nthe end\nProcess Group PGID: 12", ""},
		{gemini, "Output: a log\nExit Code: 3\nand\nExit Code: 4\nSignal: (none)", "exit 4"},
		{gemini, "Exit code 1", ""},
		{qwen, "Command: x\nOutput: Exit Code: 9\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 1\n", ""},
		{qwen, "Command: x\nOutput: y\nError: (none)\nExit Code: 7\nSignal: (none)\nProcess Group PGID: 1\n", "exit 7"},
	} {
		response, err := json.Marshal(c.response)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(client{name: c.client}, payload{"tool_response": response}, false); got != c.want {
			t.Errorf("%s: %q: %q, want %q", c.client, c.response, got, c.want)
		}
	}
}
