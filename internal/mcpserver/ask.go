package mcpserver

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/work"
)

// question asks a person about what no agent may decide: to take over a claim, and to complete a
// task of which entries are lost (D56). Its answer is a consent to exactly what the text says.
type question struct {
	text    string // for the person; it is asked again if it would be another one
	confirm func(request reflect.Value, reason string)
}

// questionOf returns the question that an error leads to; nil if no person can allow the call.
func questionOf(err error) *question {
	if err == nil {
		return nil
	}
	e := report.As(err)
	switch e.Code {
	case report.CodeClaimHeld:
		by, named := e.Details["by"].(string)
		if !named {
			return nil
		}
		return &question{
			text: "An agent wants to take over a task: " + safetext.Line(e.Message) + ". Take it from this holder?",
			confirm: func(request reflect.Value, reason string) {
				if r, ok := request.Addr().Interface().(*work.BeginRequest); ok {
					r.Steal, r.From, r.Reason = true, by, reason
				}
			},
		}
	case report.CodeTaskEntriesLost:
		if reasons, _ := e.Details["reasons"].([]string); len(reasons) != 1 {
			return nil // something else is missing, too, and that is work to do
		}
		return &question{
			text: "An agent wants to complete a task: " + safetext.Line(e.Message) + ". Complete it all the same?",
			confirm: func(request reflect.Value, reason string) {
				if r, ok := request.Addr().Interface().(*tasks.TaskRequest); ok {
					r.Force, r.Reason = true, reason
				}
			},
		}
	}
	return nil
}

// form is what the person fills in.
const form = `{"type":"object","properties":{
	"confirm":{"type":"boolean","title":"Yes, do it"},
	"reason":{"type":"string","title":"Why (kept with the task)"}},"required":["confirm"]}`

// params returns the question as the protocol puts it.
func (q *question) params() *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: q.text, RequestedSchema: json.RawMessage(form)}
}

// consent is what came of a question.
type consent struct {
	reason  string              // why the person agreed; "" if nobody did
	refused bool                // a person was asked and did not agree
	pending *mcp.CallToolResult // asks the client to ask
}

// consentTo asks a person, if the client can ask one. Since 2026-07-28 the client repeats the call
// with the answer. Before, the server asks by a request of its own, which a client without a
// session, as over HTTP, does not get.
func consentTo(ctx context.Context, r *mcp.CallToolRequest, q *question) consent {
	can := r.ClientCapabilities()
	if can == nil || can.Elicitation == nil || can.Elicitation.Form == nil && can.Elicitation.URL != nil {
		return consent{}
	}
	const key = "consent"
	answer, answered := r.Params.InputResponses[key].(*mcp.ElicitResult)
	if _, repeats := r.Params.Meta[mcp.MetaKeyClientCapabilities]; repeats {
		if !answered || r.Params.RequestState != q.text {
			return consent{pending: &mcp.CallToolResult{
				InputRequests: mcp.InputRequestMap{key: q.params()}, RequestState: q.text,
			}}
		}
	} else {
		var err error
		if answer, err = r.Session.Elicit(ctx, q.params()); err != nil {
			return consent{} // nobody was asked, so nobody agreed
		}
	}
	if answer == nil || answer.Action != "accept" || answer.Content["confirm"] != true {
		return consent{refused: true}
	}
	reason := "confirmed by a person"
	if why, ok := answer.Content["reason"].(string); ok && safetext.Line(why) != "" {
		reason += ": " + safetext.Line(why)
	}
	return consent{reason: reason}
}
