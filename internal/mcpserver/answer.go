package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/agentsession"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
)

// mostAnswer bounds an answer in bytes. A token is three bytes of JSON or more, so it is never over
// 25,000 tokens (agents.md 7.4).
const mostAnswer = 75_000

// handler answers the calls of one tool. Every failure of a use case is a result that is marked as
// an error, with the object that the command line gives with --json; protocol errors are left to
// faults of the protocol (D14).
func (s *server) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				_, _ = fmt.Fprintf(s.env.Stderr, "baton: defect in %s: %v\n%s", t.name, p, debug.Stack())
				result, err = failed(&report.Error{Kind: report.Internal, Op: t.name, Message: fmt.Sprint(p)}), nil
			}
		}()
		value, c, err := s.call(ctx, t, r, nil)
		if q := questionOf(err); q != nil && t.asking {
			switch got := consentTo(ctx, r, q); {
			case got.pending != nil:
				return got.pending, nil
			case got.refused:
				declined := *report.As(err)
				declined.Message += "; a person was asked and did not agree"
				err = &declined
			case got.reason != "":
				value, c, err = s.call(ctx, t, r, func(request reflect.Value) { q.confirm(request, got.reason) })
			}
		}
		if err != nil {
			result = failed(s.named(err, t.name))
			if t.plain != nil {
				result.Content = []mcp.Content{&mcp.TextContent{Text: report.As(err).Error()}}
			}
			return result, nil
		}
		s.speech.sayIn(value)
		data, err := c.encode(t, value)
		if err != nil {
			return failed(err), nil
		}
		result = &mcp.CallToolResult{
			StructuredContent: json.RawMessage(data), Content: []mcp.Content{&mcp.TextContent{Text: string(data)}},
		}
		if t.plain != nil {
			result.Content = []mcp.Content{&mcp.TextContent{Text: t.plain(value)}}
		}
		if !t.reads {
			s.watch.wrote(ctx, created(value))
		}
		return result, nil
	}
}

// created reports whether an answer is about new tasks.
func created(value any) bool {
	switch r := value.(type) {
	case *tasks.NewResult:
		return true
	case *tasks.SplitResult:
		return r.Applied
	}
	return false
}

// call runs the use case of a tool on the project as it is now. confirm adds to the request what a
// person agreed to; it may be nil.
func (s *server) call(
	ctx context.Context, t tool, r *mcp.CallToolRequest, confirm func(reflect.Value),
) (any, *call, error) {
	request, common, err := parse(t, r.Params.Arguments)
	if err != nil {
		return nil, nil, err
	}
	if confirm != nil {
		confirm(request)
	}
	p, err := project.Open(ctx, s.projectOptions(t.name, sessionOf(r.Params.Meta)))
	if err != nil {
		return nil, nil, err
	}
	defer p.Close() // what was written is durable before the use case returns
	c := &call{shared: common, request: request, project: p, progress: progressTo(ctx, r)}
	value, err := t.run(ctx, c)
	return value, c, err
}

// sessionOf returns the id of the session that a client names with a call: Codex says the thread,
// which is the session of its hooks (agents.md 7.2). It is a name and proves nothing.
func sessionOf(meta mcp.Meta) string {
	turn, _ := meta["x-codex-turn-metadata"].(map[string]any)
	for _, value := range []any{meta["threadId"], turn["thread_id"], turn["session_id"], meta["sessionId"]} {
		if id, ok := value.(string); ok && agentsession.IsSession(id) {
			return id
		}
	}
	return ""
}

// progressTo returns a function that tells the client how far a call is, if it asked for that.
func progressTo(ctx context.Context, r *mcp.CallToolRequest) func(string) {
	token := r.Params.GetProgressToken()
	if token == nil || r.Session == nil {
		return func(string) {}
	}
	steps := 0.0
	return func(message string) {
		steps++
		// A client that misses the progress still gets the result.
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: steps, Message: safetext.Line(message),
		})
	}
}

// failed returns the result of a call that failed.
func failed(err error) *mcp.CallToolResult {
	object := struct {
		Error report.Failure `json:"error"`
	}{report.FailureOf(err)}
	data, bad := report.EncodeJSON(object, "")
	if bad != nil {
		data = []byte(`{"error":{"kind":"internal","code":"internal","message":"the error cannot be written as JSON"}}`)
	}
	data = safetext.CleanJSON(bytes.TrimSpace(data))
	return &mcp.CallToolResult{IsError: true, StructuredContent: json.RawMessage(
		data,
	), Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}
}

// named returns the error with the tool as its operation, in the words of tools (F-40). Clauses of
// its hint that say how a person would force it are left out: no tool forces anything.
func (s *server) named(err error, tool string) error {
	with := *report.As(err)
	with.Op = tool
	with.Message, with.Hint = s.speech.Say(with.Message), s.speech.Say(unforced(with.Hint))
	return &with
}

// unforced returns a hint without the clauses that only a person may follow.
func unforced(hint string) string {
	kept, before := "", ""
	for hint != "" {
		at, mark := len(hint), ""
		for _, m := range [...]string{"; ", ", or "} {
			if i := strings.Index(hint, m); i >= 0 && i < at {
				at, mark = i, m
			}
		}
		clause := hint[:at]
		if !strings.Contains(clause, "--force") && !strings.Contains(clause, "--steal") &&
			!strings.Contains(clause, "--accept ID") {
			if kept != "" {
				kept += before
			}
			kept += clause
		}
		before, hint = mark, hint[at+len(mark):]
	}
	return kept
}

// page says which part of a list an answer has.
type page struct {
	Total int  `json:"total"`
	Next  *int `json:"next_offset,omitempty"`
}

// paged keeps the part of a list that was asked for.
func paged[T any](c *call, items *[]T) {
	total := len(*items)
	from := min(c.Offset, total)
	to := min(from+cmp.Or(c.Limit, usualPage), total)
	*items = (*items)[from:to]
	c.page = &page{Total: total}
	if to < total {
		c.page.Next = &to
	}
}

// encode makes the JSON of an answer within its bounds. value is a pointer to the result.
func (c *call) encode(t tool, value any) ([]byte, error) {
	cut := cutter{text: 1200, list: 20, whole: t.whole, newest: t.newest}
	if t.paged {
		cut.list = mostPage
	}
	if c.Format == "detailed" || !t.long && !t.brief {
		cut.text, cut.list = 8000, 200
	}
	return cut.encode(reflect.ValueOf(value).Elem(), c.page)
}
