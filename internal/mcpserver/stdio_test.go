package mcpserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t",` +
	`"version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// agents.md 7.1: the current protocol has no handshake, the older ones begin with one.
func TestBothEras(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	t.Run("2026-07-28", func(t *testing.T) {
		t.Parallel()
		c := w.talk(Options{Version: "v1"})
		c.say(`{"jsonrpc":"2.0","id":"d-1","method":"server/discover","params":{` + modernMeta + `}}`)
		r := c.hear()
		if at(r, "id") != "d-1" || !strings.Contains(fmt.Sprint(at(r, "result", "supportedVersions")), "2026-07-28") {
			t.Fatalf("%v", r)
		}
		capabilities := at(r, "result", "capabilities").(map[string]any)
		for _, deprecated := range []string{"logging", "roots", "sampling"} {
			if _, there := capabilities[deprecated]; there {
				t.Errorf("%s is offered", deprecated)
			}
		}
		c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + modernMeta + `}}`)
		if r = c.hear(); len(at(r, "result", "tools").([]any)) != 16 || at(r, "result", "resultType") != "complete" ||
			at(r, "result", "ttlMs") == nil {
			t.Errorf("%v", r)
		}
		c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"task_show","arguments":{"id":"1"},` + modernMeta + `}}`)
		if r = c.hear(); at(r, "result", "structuredContent", "title") != "Sign tokens" {
			t.Errorf("%v", r)
		}
		_ = c.in.Close()
		c.end()
	})
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := w.talk(Options{})
			c.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version +
				`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
			r := c.hear()
			if at(r, "result", "protocolVersion") != version || at(r, "result", "serverInfo", "name") != "baton" ||
				len(fmt.Sprint(at(r, "result", "instructions"))) >= 2048 {
				t.Fatalf("%v", r)
			}
			c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			c.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
			if r = c.hear(); at(r, "result") == nil {
				t.Errorf("%v", r)
			}
			c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"task_show","arguments":{"id":9}}}`)
			if r = c.hear(); at(r, "result", "isError") != true || at(r, "result", "structuredContent", "error", "kind") != "not_found" {
				t.Errorf("%v", r)
			}
			_ = c.in.Close()
			c.end()
		})
	}
}

func greet(c *talk) {
	c.say(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}`,
	)
	c.hear()
	c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// What is no message is answered, and the server goes on.
func TestLinesThatAreNoMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talk(Options{})
	greet(c)
	for _, l := range []struct {
		line string
		code float64
	}{
		{`{"jsonrpc":"2.0","id":7,"meth`, -32700},
		{"\x00\xff\xfe", -32700},
		{`5`, -32600},
		{`[{"jsonrpc":"2.0","id":8,"method":"ping"}]`, -32600},
		{`{"id":8}`, -32600},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"` + strings.Repeat("x", mostLine) + `"}}`, -32600},
	} {
		c.say(l.line)
		if r := c.hear(); at(r, "error", "code") != l.code {
			t.Errorf("%.60s: %v", l.line, r)
		}
	}
	c.say(``)
	c.say(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nothing"}}`)
	if r := c.hear(); at(r, "error", "code") != -32602.0 {
		t.Errorf("an unknown tool is a fault of the protocol: %v", r)
	}
	c.say(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"status","arguments":[1]}}`)
	if r := c.hear(); at(r, "result", "structuredContent", "error", "code") != "arguments_invalid" {
		t.Errorf("%v", r)
	}
	_ = c.in.Close()
	c.end()
}

// A pipe is enough of a client: what was asked before the end of input is answered, also when the last line has no end.
func TestTheEndOfInputLetsCallsFinish(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var out bytes.Buffer
	env := w.env
	env.Stdout = &out
	env.Stdin = strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_log","arguments":{"id":"1","did":"piped"}}}`,
	)
	if err := Run(t.Context(), env, Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"session":1`) {
		t.Errorf("%s", out.String())
	}
	if data, _ := os.ReadFile(filepath.Join(w.dir, ".baton/tasks/task-1-state.md")); !strings.Contains(string(data), "piped") {
		t.Error("the entry is not in the file")
	}
}

// agents.md 7.2: an open stream or a command that runs does not hold up the end, and the command goes too.
func TestTheServerEndsWithItsInputAndWithSignals(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*talk){
		"input":  func(c *talk) { _ = c.in.Close() },
		"signal": func(c *talk) { c.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.talk(Options{})
			c.say(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},` +
				modernMeta + `}}`)
			if r := c.hear(); at(r, "method") != "notifications/subscriptions/acknowledged" {
				t.Fatalf("%v", r)
			}
			c.say(
				`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"task_check","arguments":{"id":"1","criterion":"1",` +
					`"run":"echo begun; exec sleep 1000"},"_meta":{"progressToken":"p",` + strings.TrimPrefix(
					modernMeta, `"_meta":{`,
				) + `}}`,
			)
			if r := c.hear(); at(r, "method") != "notifications/progress" || at(r, "params", "message") != "begun" {
				t.Fatalf("%v", r)
			}
			started := time.Now()
			end(c)
			c.end()
			if took := time.Since(started); took > 5*time.Second { // 100 ms on a quiet machine; a server that waits would take 1,000 s
				t.Errorf("the end took %v", took)
			}
		})
	}
}

// A defect answers one call; nothing but messages is on standard output.
func TestADefectDoesNotEndTheServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env.Now = func() time.Time { panic("no clock") }
	session := w.client(newServer(w.env, Options{}), nil)
	if said := failure(t, session, "task_claim", map[string]any{"id": "1"}); said["kind"] != "internal" || said["hint"] == nil {
		t.Errorf("%v", said)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if !strings.Contains(w.errors.String(), "defect in task_claim: no clock") {
		t.Errorf("standard error: %.200s", w.errors.String())
	}
}
