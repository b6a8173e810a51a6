//lint:file-ignore SA1019 the suite asks for what older protocols have

package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agents.md 13: the fixtures over our lines, with a client of the library. What a server without sessions cannot do over
// HTTP works here in the older protocols: a request of the server's own while a call runs.
func TestFixturesOverLines(t *testing.T) {
	t.Parallel()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	if _, err := fixtureServer(emptyWorld(t)).mcp.Connect(
		context.Background(), newLines(toServer, fromServer, usualPatience()), nil,
	); err != nil {
		t.Fatal(err)
	}
	steps := make(chan string, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: "forty-two"}}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"username": "ada"}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { steps <- r.Params.Message },
	})
	session, err := client.Connect(context.Background(), &mcp.IOTransport{
		Reader: toClient, Writer: fromClient,
	}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fromClient.Close(); _ = toClient.Close() })
	for tool, want := range map[string]string{
		"test_sampling": "forty-two", "test_elicitation": "username:ada", "test_simple_text": "simple text",
		"test_error_handling": "intentionally",
	} {
		r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		if said, _ := json.Marshal(r.Content); !strings.Contains(string(said), want) {
			t.Errorf("%s: %s", tool, said)
		}
	}
	call := &mcp.CallToolParams{Name: "test_tool_with_progress", Meta: mcp.Meta{"progressToken": "p"}}
	if _, err := session.CallTool(context.Background(), call); err != nil {
		t.Fatal(err)
	}
	if heard := <-steps + <-steps + <-steps; heard != "begunhalfdone" {
		t.Errorf("progress: %s", heard)
	}
}
