package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/report"
	"baton/internal/safetext"
)

// server is one server for one project and any number of clients.
type server struct {
	env     report.Env
	options Options
	speech  spoken
	mcp     *mcp.Server
	watch   watcher
	working sync.WaitGroup // calls that are being answered
}

// newServer returns a server with everything that it offers.
func newServer(env report.Env, o Options) *server {
	s := &server{env: env, options: o}
	s.watch = watcher{server: s, subscribed: map[string]map[*mcp.ServerSession]bool{}}
	version := o.Version
	if version == "" {
		version = "dev"
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "baton", Title: "baton", Version: version}, &mcp.ServerOptions{
		Instructions: instructions(o.AllTools),
		// Named one by one: by default the library would also offer logging, which is deprecated
		// (agents.md 7.4).
		Capabilities: &mcp.ServerCapabilities{
			Tools:       &mcp.ToolCapabilities{},
			Prompts:     &mcp.PromptCapabilities{},
			Resources:   &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
			Completions: &mcp.CompletionCapabilities{},
			Extensions:  map[string]any{skillsExtension: map[string]any{}},
		},
		CompletionHandler:  s.complete,
		SubscribeHandler:   s.watch.subscribe,
		UnsubscribeHandler: s.watch.unsubscribe,
		SetCacheable:       cacheable,
	})
	all := tools(o)
	s.speech = speechOf(all)
	for _, t := range all {
		s.mcp.AddTool(t.declared(), s.handler(t))
	}
	s.addResources()
	s.addPrompts()
	s.addSkills()
	s.mcp.AddReceivingMiddleware(s.around)
	return s
}

// fresh is how long clients may keep what does not change while a server runs, in milliseconds.
const fresh = 3_600_000

// cacheable says what clients may keep: the lists of tools and prompts, never what the project's
// files say.
func cacheable(_ context.Context, r mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	switch r.(type) {
	case *mcp.ListToolsRequest, *mcp.ListPromptsRequest, *mcp.ListResourceTemplatesRequest:
		c.TTLMs, c.CacheScope = fresh, "public"
	}
}

// around wraps every request: a defect answers one request and does not end the server, calls of
// tools are counted so that an end can wait for them, lists of resources are made for each request,
// and texts are clean.
func (s *server) around(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				_, _ = fmt.Fprintf(s.env.Stderr, "baton: defect in %s: %v\n%s", method, p, debug.Stack())
				result, err = nil,
					&jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "this is a bug in baton: " + method}
			}
		}()
		switch method {
		case "tools/call":
			s.working.Add(1)
			defer s.working.Done()
			if err := s.unknownTool(r); err != nil {
				return nil, err
			}
		case "subscriptions/listen":
			defer s.watch.listen(ctx, r)()
		case "resources/list":
			return s.listResources(ctx, method, r, next)
		}
		result, err = next(ctx, method, r)
		if err == nil {
			clean(result)
		}
		return result, err
	}
}

// unknownTool returns the error for the call of a tool that there is not, with the names that could
// have been meant; nil for a tool that there is.
func (s *server) unknownTool(r mcp.Request) error {
	call, ok := r.(*mcp.CallToolRequest)
	if !ok || s.speech.Speech == nil || s.speech.Speech[call.Params.Name] != nil {
		return nil
	}
	known := slices.Sorted(maps.Keys(s.speech.Speech))
	message := "there is no tool " + safetext.Quote(safetext.Runes(call.Params.Name, 40))
	if near := nearest(call.Params.Name, known); len(near) > 0 {
		message += "; did you mean " + strings.Join(near, ", ") + "?"
	} else {
		message += "; the tools are " + strings.Join(known, ", ")
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// clean removes from the texts of an answer what a model must not get (F-79). JSON is cleaned where
// it is made.
func clean(result mcp.Result) {
	switch result := result.(type) {
	case *mcp.CallToolResult:
		for _, content := range result.Content {
			cleanContent(content)
		}
	case *mcp.GetPromptResult:
		for _, message := range result.Messages {
			cleanContent(message.Content)
		}
	case *mcp.ReadResourceResult:
		for _, content := range result.Contents {
			content.Text = safetext.Clean(content.Text)
		}
	}
}

func cleanContent(content mcp.Content) {
	if text, ok := content.(*mcp.TextContent); ok {
		text.Text = safetext.Clean(text.Text)
	}
}
