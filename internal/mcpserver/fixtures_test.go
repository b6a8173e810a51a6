//lint:file-ignore SA1019 the suite asks for what older protocols have

package mcpserver

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the conformance suite calls when it judges a transport: tools, resources and prompts with the names and answers that
// its scenarios ask for (agents.md 13). No product has them; here they stand on our own handler of requests, guard and
// middleware, so that the suite judges these.

// fixtures serves them over HTTP for as long as the test runs, and gives the address.
func fixtures(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	handler := (&guard{loopback: true}).around(fixtureServer(emptyWorld(t)).httpHandler())
	go func() { ended <- serveOn(ctx, listener, handler, usualTimes()) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + strings.Replace(listener.Addr().String(), "127.0.0.1", "localhost", 1) + endpoint
}

func fixtureServer(w *world) *server {
	s := &server{env: w.env}
	s.watch = watcher{server: s, subscribed: map[string]map[*mcp.ServerSession]bool{}}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "fixtures", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{ListChanged: true}, Prompts: &mcp.PromptCapabilities{ListChanged: true},
			Resources:   &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
			Completions: &mcp.CompletionCapabilities{}, Logging: &mcp.LoggingCapabilities{},
		},
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"paris"}, Total: 1}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		SetCacheable:       cacheable,
	})
	for name, run := range fixtureTools(s) {
		s.mcp.AddTool(fixtureTool(name), run)
	}
	addFixtureResources(s.mcp)
	addFixturePrompts(s.mcp)
	s.mcp.AddReceivingMiddleware(s.around)
	return s
}

func fixtureTool(name string) *mcp.Tool {
	input := `{"type":"object"}`
	switch name {
	case "json_schema_2020_12_tool":
		input = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
			"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
			"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
				"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
			"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
			"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
			"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`
	case "test_x_mcp_header":
		input = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`
	}
	return &mcp.Tool{Name: name, Description: "Stands for a tool of the conformance suite", InputSchema: json.RawMessage(input)}
}

// The smallest picture and the smallest sound.
var (
	picture = []byte("\x89PNG\r\n\x1a\n")
	sound   = []byte("RIFF\x24\x00\x00\x00WAVEfmt ")
)

func words(said ...string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(said, " ")}}}
}

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource"}}
}

// fixtureTools are the tools. Those that ask the client for something are in two forms: the older protocols send a
// request of the server's own, the current one gives a result that says what is missing.
func fixtureTools(s *server) map[string]mcp.ToolHandler {
	says := func(content ...mcp.Content) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		}
	}
	text := &mcp.TextContent{Text: "This is a simple text response for testing."}
	image := &mcp.ImageContent{Data: picture, MIMEType: "image/png"}
	all := map[string]mcp.ToolHandler{
		"test_simple_text":            says(text),
		"test_image_content":          says(image),
		"test_audio_content":          says(&mcp.AudioContent{Data: sound, MIMEType: "audio/wav"}),
		"test_embedded_resource":      says(embedded("test://embedded-resource")),
		"test_multiple_content_types": says(text, image, embedded("test://embedded-in-multiple")),
		"json_schema_2020_12_tool":    says(text),
		"test_x_mcp_header":           says(text),
		"test_streaming_elicitation":  says(text),
		"test_error_handling": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r := words("this tool intentionally returns an error for testing")
			r.IsError = true
			return r, nil
		},
		"test_tool_with_progress": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			tell := progressTo(ctx, r)
			for _, step := range []string{"begun", "half", "done"} {
				tell(step)
			}
			return words("done"), nil
		},
		"test_tool_with_logging": logged("Tool execution started", "Tool processing data", "Tool execution completed"),
		"test_logging_tool":      logged("test_logging_tool executed"),
		"test_trigger_tool_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.mcp.AddTool(fixtureTool("come_and_gone"), says(text))
			return words("told"), nil
		},
		"test_trigger_prompt_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			addPrompt(s.mcp, "come_and_gone", nil, text)
			return words("told"), nil
		},
	}
	addAsking(all)
	return all
}

func logged(lines ...string) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, line := range lines {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}); err != nil {
				return nil, err
			}
		}
		return words("logged"), nil
	}
}

func addFixtureResources(s *mcp.Server) {
	read := func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		found := &mcp.ResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: "This is the content of the static text resource."}
		switch id, template := strings.CutPrefix(r.Params.URI, "test://template/"); {
		case template:
			id = strings.TrimSuffix(id, "/data")
			found.MIMEType, found.Text = jsonType, `{"id":`+quoted(id)+`,"templateTest":true,"data":`+quoted("Data for ID: "+id)+`}`
		case r.Params.URI == "test://static-binary":
			found.MIMEType, found.Text, found.Blob = "image/png", "", picture
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{found}}, nil
	}
	for _, name := range []string{"static-text", "static-binary", "watched-resource"} {
		s.AddResource(&mcp.Resource{URI: "test://" + name, Name: name, MIMEType: "text/plain"}, read)
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", MIMEType: jsonType}, read)
}

func addFixturePrompts(s *mcp.Server) {
	addPrompt(s, "test_simple_prompt", nil, &mcp.TextContent{Text: "This is a simple prompt for testing."})
	addPrompt(s, "test_prompt_with_arguments", []string{"arg1", "arg2"}, nil)
	addPrompt(s, "test_prompt_with_embedded_resource", []string{"resourceUri"}, nil)
	addPrompt(s, "test_prompt_with_image", nil, &mcp.ImageContent{Data: picture, MIMEType: "image/png"})
	s.AddPrompt(&mcp.Prompt{
		Name: "test_input_required_result_prompt", Description: "Asks for what it needs",
	}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if said, ok := accepted(r.Params.InputResponses, "user_context", "context"); ok {
			return said1("Context: " + said), nil
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": ask("context", "string")}}, nil
	})
}

func said1(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}

// addPrompt adds a prompt that says content, or without one what it was given.
func addPrompt(s *mcp.Server, name string, arguments []string, content mcp.Content) {
	p := &mcp.Prompt{Name: name, Description: "Stands for a prompt of the conformance suite"}
	for _, argument := range arguments {
		p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: argument, Required: true})
	}
	s.AddPrompt(p, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		out := said1("")
		given := r.Params.Arguments
		switch {
		case content != nil:
			out.Messages[0].Content = content
		case given["resourceUri"] != "":
			out.Messages = append(
				said1("Look at the resource.").Messages, &mcp.PromptMessage{Role: "user", Content: embedded(given["resourceUri"])},
			)
		default:
			out = said1("Prompt with arguments: arg1='" + given["arg1"] + "', arg2='" + given["arg2"] + "'")
		}
		return out, nil
	})
}
