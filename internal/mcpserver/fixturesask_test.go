//lint:file-ignore SA1019 the suite asks for what older protocols have

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ask is a question to the user with one field.
func ask(field, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "Please say: " + field, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{field: map[string]any{"type": kind}}, "required": []string{field},
	}}
}

// askModel is a question to the client's model.
func askModel(text string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}, MaxTokens: 100}
}

// accepted gives a field of an answer, when the user gave one.
func accepted(responses mcp.InputResponseMap, key, field string) (string, bool) {
	answer, ok := responses[key].(*mcp.ElicitResult)
	if !ok || answer == nil || answer.Action != "accept" || answer.Content[field] == nil {
		return "", false
	}
	return fmt.Sprint(answer.Content[field]), true
}

// completed gives what the client's model said.
func completed(responses mcp.InputResponseMap, key string) (string, bool) {
	answer, ok := responses[key].(*mcp.CreateMessageWithToolsResult)
	if !ok || answer == nil {
		return "", false
	}
	for _, c := range answer.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			return text.Text, true
		}
	}
	return "", true
}

func rooted(responses mcp.InputResponseMap) bool {
	_, ok := responses["client_roots"].(*mcp.ListRootsResult)
	return ok
}

// needs is a result that says what is missing, with what the server wants to have back.
func needs(state string, requests mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: requests, RequestState: state}, nil
}

// addAsking adds the tools that ask the client for something.
func addAsking(all map[string]mcp.ToolHandler) {
	all["test_sampling"] = func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		said, err := r.Session.CreateMessage(ctx, askModel("What is meant?"))
		if err != nil {
			return nil, err
		}
		text, _ := said.Content.(*mcp.TextContent)
		return words("LLM response:", text.Text), nil
	}
	all["test_elicitation"] = elicits(ask("username", "string"))
	all["test_elicitation_sep1034_defaults"] = elicits(fields(`{
		"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
		"verified":{"type":"boolean","default":true}}`))
	all["test_elicitation_sep1330_enums"] = elicits(fields(`{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2"],"enumNames":["Option One","Option Two"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2"]}},
		"titledMulti":{"type":"array","items":{"type":"string","anyOf":[{"const":"value1","title":"First"},{"const":"value2",` +
		`"title":"Second"}]}}}`))
	all["test_missing_capability"] = missingCapability
	for name, run := range map[string]mcp.ToolHandler{
		"elicitation": func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if name, ok := accepted(r.Params.InputResponses, "user_name", "name"); ok {
				return words("Hello,", name), nil
			}
			return needs("", mcp.InputRequestMap{"user_name": ask("name", "string")})
		},
		"sampling": func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if said, ok := completed(r.Params.InputResponses, "capital_question"); ok {
				return words("Sampling response:", said), nil
			}
			return needs("", mcp.InputRequestMap{"capital_question": askModel("What is the capital of France?")})
		},
		"list_roots": func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if rooted(r.Params.InputResponses) {
				return words("roots"), nil
			}
			return needs("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
		},
		"request_state":   confirmed,
		"tampered_state":  confirmed,
		"multiple_inputs": manyInputs,
		"multi_round":     rounds,
		"capabilities":    withinCapabilities,
	} {
		all["test_input_required_result_"+name] = run
	}
}

// fields is a question with several fields.
func fields(properties string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "Please choose", RequestedSchema: json.RawMessage(`{"type":"object","properties":` + properties +
		`}`)}
}

// elicits asks the user by a request of the server's own.
func elicits(question *mcp.ElicitParams) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		said, err := r.Session.Elicit(ctx, question)
		if err != nil {
			return nil, err
		}
		return words(fmt.Sprintf("Elicitation result: action=%s, content=%v", said.Action, said.Content)), nil
	}
}

func missingCapability(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if can := r.ClientCapabilities(); can != nil && can.Sampling != nil {
		return words("it can"), nil
	}
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is needed", Data: json.RawMessage(
			`{"requiredCapabilities":{"sampling":{}}}`,
		),
	}
}

// confirmed takes back only the state that it gave.
func confirmed(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	const state = "asked-to-confirm"
	switch _, ok := accepted(r.Params.InputResponses, "confirm", "ok"); {
	case r.Params.RequestState != "" && r.Params.RequestState != state, ok && r.Params.RequestState == "":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the state is not ours"}
	case ok:
		return words("state-ok: the state came back and was confirmed"), nil
	}
	return needs(state, mcp.InputRequestMap{"confirm": ask("ok", "boolean")})
}

func manyInputs(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name, named := accepted(r.Params.InputResponses, "user_name", "name")
	greeting, greeted := completed(r.Params.InputResponses, "greeting")
	if named && greeted && rooted(r.Params.InputResponses) {
		return words(greeting, name), nil
	}
	return needs("many", mcp.InputRequestMap{
		"user_name": ask("name", "string"), "greeting": askModel("Greet somebody"), "client_roots": &mcp.ListRootsParams{},
	})
}

// rounds asks twice; what the first answer was is in the state, since the server keeps nothing between requests.
func rounds(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	state := r.Params.RequestState
	name, named := accepted(r.Params.InputResponses, "step1", "name")
	color, colored := accepted(r.Params.InputResponses, "step2", "color")
	switch before, second := strings.CutPrefix(state, "2:"); {
	case second && colored:
		return words(before, "likes", color), nil
	case state == "1" && named:
		return needs("2:"+name, mcp.InputRequestMap{"step2": ask("color", "string")})
	}
	return needs("1", mcp.InputRequestMap{"step1": ask("name", "string")})
}

// withinCapabilities asks only for what the client can do.
func withinCapabilities(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(r.Params.InputResponses) > 0 {
		return words("thanks"), nil
	}
	requests := mcp.InputRequestMap{}
	if can := r.ClientCapabilities(); can != nil {
		if can.Elicitation != nil {
			requests["user_name"] = ask("name", "string")
		}
		if can.Sampling != nil {
			requests["greeting"] = askModel("Greet somebody")
		}
	}
	if len(requests) == 0 {
		return words("nothing to ask"), nil
	}
	return needs("", requests)
}
