//go:build agents && linux

package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// turn is one answer of a scripted model: text, then calls of tools.
type turn struct {
	text   string
	calls  []call
	input  int // tokens that the client is told; 0 is 1000
	cached int
	before func()        // what happens in the meantime, before the answer
	hangs  chan struct{} // closed when the model is asked; it then gives no answer
}

// call is one call of a tool.
type call struct {
	name      string
	namespace string // Codex only: of the tools of an MCP server
	input     map[string]any
	patch     string // Codex only: the text of a patch, instead of input
}

// asked is one request that a model received.
type asked struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Main   bool            `json:"main"`
	Body   json.RawMessage `json:"body,omitempty"`
	body   map[string]any
}

// dialect is one family of model interfaces.
type dialect interface {
	// main reports whether the request belongs to the conversation itself: it offers tools and asks for no fixed
	// format.
	main(body map[string]any) bool
	// answer writes a turn.
	answer(w http.ResponseWriter, path string, body map[string]any, t turn)
	// said returns the texts that the request tells the model, in order.
	said(body map[string]any) []said
}

// said is one text in a request: who said it, and whether it is the result of a tool.
type said struct {
	role   string
	result bool
	text   string
}

// model is a scripted model on loopback. It answers main requests with its turns, in order, and then with "Done."
// (agents.md 12.4).
type model struct {
	dialect
	url string

	mu    sync.Mutex
	turns []turn
	next  int
	got   []asked

	sub  string // prompt of a sub-agent, which has turns of its own, because it asks at the same time as the session
	subs []turn
}

// play starts a model.
func play(t *testing.T, d dialect, turns ...turn) *model {
	t.Helper()
	m := &model{dialect: d, turns: turns}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	a := asked{Method: r.Method, Path: r.URL.Path}
	if json.Unmarshal(data, &a.body) == nil {
		a.Body = data
	}
	a.Main = r.Method == http.MethodPost && isModelPath(r.URL.Path) && m.main(a.body)
	m.mu.Lock()
	m.got = append(m.got, a)
	answer := turn{text: "Done."}
	switch {
	case !a.Main:
	case m.isSub(a.body):
		if len(m.subs) > 0 {
			answer, m.subs = m.subs[0], m.subs[1:]
		}
	case m.next < len(m.turns):
		answer = m.turns[m.next]
		m.next++
	}
	m.mu.Unlock()
	if answer.before != nil {
		answer.before()
	}
	if answer.hangs != nil {
		close(answer.hangs)
		<-r.Context().Done()
		return
	}
	if answer.input == 0 {
		answer.input = 1000
	}
	switch {
	case isModelPath(r.URL.Path) && r.Method == http.MethodPost:
		m.answer(w, r.URL.Path, a.body, answer)
	case strings.HasSuffix(r.URL.Path, "count_tokens"):
		object(w, map[string]any{"input_tokens": 1000})
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		object(w, map[string]any{"totalTokens": 1000})
	case strings.HasSuffix(r.URL.Path, "/models"):
		object(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": "mock-model", "object": "model"}}, "models": []any{}})
	default:
		w.WriteHeader(http.StatusNotFound)
		object(w, map[string]any{"type": "error", "error": map[string]any{"type": "not_found_error", "message": "no such thing"}})
	}
}

// isSub reports whether the sub-agent asks.
func (m *model) isSub(body map[string]any) bool {
	return m.sub != "" && slices.ContainsFunc(m.said(body), func(s said) bool { return strings.TrimSpace(s.text) == m.sub })
}

func isModelPath(path string) bool {
	for _, end := range []string{"/v1/messages", "/v1/responses", "/v1/chat/completions", ":streamGenerateContent", ":generateContent"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// mains returns the requests of the conversation, in order.
func (m *model) mains() []asked {
	m.mu.Lock()
	defer m.mu.Unlock()
	var mains []asked
	for _, a := range m.got {
		if a.Main {
			mains = append(mains, a)
		}
	}
	return mains
}

// keep writes all requests below the folder in BATON_AGENTS_KEEP.
func (m *model) keep(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, err := json.MarshalIndent(m.got, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "model.json"), data, 0o644)
}

// object answers with one JSON object.
func object(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// stream answers with server-sent events.
type stream struct{ w http.ResponseWriter }

func newStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	return stream{w}
}

// event sends an event whose name is the object's type.
func (s stream) event(kind string, v map[string]any) {
	v["type"] = kind
	fmt.Fprintf(s.w, "event: %s\n", kind)
	s.data(v)
}

// data sends an event without a name.
func (s stream) data(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", text)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// text returns v as JSON.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// These return a zero value if an object has another type.
func list(v any) []any             { l, _ := v.([]any); return l }
func member(v any, key string) any { o, _ := v.(map[string]any); return o[key] }
func word(v any) string            { s, _ := v.(string); return s }

// textOf joins the texts of a content that is a string or a list of parts.
func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var parts []string
	for _, part := range list(v) {
		if s, ok := part.(string); ok {
			parts = append(parts, s)
		} else if s := word(member(part, "text")); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}
