package mcpserver

import (
	"context"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// person answers the questions of a server.
type person struct {
	asked  []string
	answer *mcp.ElicitResult
}

// options are those of a client that can ask the person; without one it cannot ask.
func (p *person) options() *mcp.ClientOptions {
	if p == nil {
		return nil
	}
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		p.asked = append(p.asked, r.Params.Message)
		return p.answer, nil
	}}
}

// connected connects a client with a person before it, over lines, in one family of the protocol.
func (w *world) connected(o Options, version string, who *person) *mcp.ClientSession {
	w.t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	if _, err := newServer(w.env, o).mcp.Connect(
		context.Background(), newLines(toServer, fromServer, usualPatience()), nil,
	); err != nil {
		w.t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, who.options()).Connect(
		context.Background(), &mcp.IOTransport{Reader: toClient, Writer: fromClient},
		&mcp.ClientSessionOptions{ProtocolVersion: version},
	)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = fromClient.Close(); _ = toClient.Close() })
	return session
}

var (
	yes      = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true, "reason": "it hangs"}}
	unticked = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": false}}
	no       = &mcp.ElicitResult{Action: "decline"}
)

// D56: a claim is taken over only if a person confirms it, in both families of the protocol; and also if the server runs nothing.
func TestD56_AClaimIsTakenOverIfAPersonConfirms(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			must(t, w.client(newServer(w.env, Options{As: "other"}), nil), "task_claim", map[string]any{"id": "1"})
			claim := map[string]any{"id": "1"}
			if said := failure(t, w.connected(Options{}, version, nil), "task_claim", claim); said["code"] != "claim_held" {
				t.Errorf("a client without a person: %v", said)
			}
			for _, answer := range []*mcp.ElicitResult{no, unticked} {
				who := &person{answer: answer}
				said := failure(t, w.connected(Options{}, version, who), "task_claim", claim)
				message, _ := said["message"].(string)
				if said["code"] != "claim_held" || len(who.asked) != 1 || !strings.HasSuffix(message, "asked and did not agree") {
					t.Errorf("%v: %v, asked %q", answer.Action, said, who.asked)
				}
			}
			who := &person{answer: yes}
			session := w.connected(Options{NoRun: true}, version, who)
			if got := must(t, session, "task_claim", claim); got["stolen_from"] != "other" || len(who.asked) != 1 ||
				!strings.Contains(who.asked[0], "task #1 is claimed by other until") {
				t.Errorf("%v, asked %q", got, who.asked)
			}
			must(t, session, "task_claim", claim)
			if len(who.asked) != 1 {
				t.Errorf("asked about the own claim: %q", who.asked)
			}
			for tool, arguments := range map[string]map[string]any{
				"task_edit": {"id": "1", "title": "x"}, "task_check": {"id": "1", "criterion": 1, "evidence": "x"},
			} {
				other := w.connected(Options{As: "third"}, version, who)
				if said := failure(t, other, tool, arguments); said["code"] != "claim_held" || len(who.asked) != 1 {
					t.Errorf("%s: %v, asked %q", tool, said, who.asked)
				}
			}
		})
	}
}

// D56: a task that lost criteria is completed only if a person confirms it, and nothing else is missing.
func TestD56_ATaskIsCompletedOverLostCriteriaIfAPersonConfirms(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			who := &person{answer: yes}
			session := w.connected(Options{}, version, who)
			must(t, session, "task_output", map[string]any{"id": "1", "summary": "tokens are signed"})
			name := filepath.Join(w.dir, ".baton", "tasks", "task-1-state.md")
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			wiped := strings.Replace(string(text), "- [ ] It is tested\n", "", 1)
			if err := os.WriteFile(name, []byte(wiped), 0o600); err != nil {
				t.Fatal(err)
			}
			complete := map[string]any{"id": "1"}
			if said := failure(t, session, "task_complete", complete); said["code"] != "task_entries_lost" || len(who.asked) != 0 {
				t.Errorf("with an open criterion: %v, asked %q", said, who.asked)
			}
			must(t, session, "task_check", map[string]any{"id": "1", "criterion": 1, "evidence": "seen"})
			who.answer = no
			if said := failure(t, session, "task_complete", complete); said["code"] != "task_entries_lost" || len(who.asked) != 1 ||
				!strings.Contains(who.asked[0], "It is tested") {
				t.Errorf("%v, asked %q", said, who.asked)
			}
			who.answer = yes
			if got := must(t, session, "task_complete", complete); got["forced"] != true {
				t.Errorf("%v", got)
			}
			shown := must(t, session, "task_show", map[string]any{"id": "1"})
			if reason := at(shown, "forced", "reason"); reason != "confirmed by a person: it hangs" {
				t.Errorf("%v", shown["forced"])
			}
		})
	}
}

// An answer counts only for the question that the person saw.
func TestAnAnswerToAnotherQuestionIsNoConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, w.client(newServer(w.env, Options{As: "other"}), nil), "task_claim", map[string]any{"id": "1"})
	c := w.talk(Options{})
	meta := strings.Replace(modernMeta, `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{"form":{}}}`, 1)
	for _, state := range []string{"", `,"requestState":"An agent wants something else."`} {
		c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_claim","arguments":{"id":"1"},` +
			`"inputResponses":{"consent":{"action":"accept","content":{"confirm":true}}}` + state + `,` + meta + `}}`)
		if r := c.hear(); at(r, "result", "resultType") != "input_required" ||
			at(r, "result", "inputRequests", "consent", "method") != "elicitation/create" {
			t.Errorf("%s: %v", state, r)
		}
	}
	_ = c.in.Close()
	c.end()
}

// Over HTTP, only the newer family can ask; in the older one nobody is asked, and so nothing is taken over.
func TestD56_OverHTTP(t *testing.T) {
	t.Parallel()
	for version, asked := range map[string]int{"2025-11-25": 0, "2026-07-28": 1} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			must(t, w.client(newServer(w.env, Options{As: "other"}), nil), "task_claim", map[string]any{"id": "1"})
			served := httptest.NewServer(newServer(w.env, Options{HTTP: "127.0.0.1:0", As: "here"}).httpHandler())
			t.Cleanup(served.Close)
			who := &person{answer: yes}
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, who.options()).Connect(
				t.Context(), &mcp.StreamableClientTransport{Endpoint: served.URL + "/mcp"},
				&mcp.ClientSessionOptions{ProtocolVersion: version},
			)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = session.Close() })
			got, _ := call1(t, session, "task_claim", map[string]any{"id": "1"})
			if taken := got["stolen_from"] == "other"; len(who.asked) != asked || taken != (asked > 0) {
				t.Errorf("asked %q: %v", who.asked, got)
			}
		})
	}
}
