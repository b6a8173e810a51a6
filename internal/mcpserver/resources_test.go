package mcpserver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/usecase/tasks"
)

func TestResources(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	all, err := session.ListResources(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range all.Resources {
		uris = append(uris, r.URI)
	}
	want := []string{
		"skill://baton/SKILL.md", "state://contract", "state://decisions", "state://digest", "state://task/1", "state://task/2",
		"state://task/DOC-7",
	}
	slices.Sort(uris)
	if diff := cmp.Diff(want, uris); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for uri, part := range map[string]string{
		"skill://baton/SKILL.md": "name: baton", "state://contract": `"workflow_types"`, "state://decisions": `"decisions":[]`,
		"state://digest": "---\n",
		"state://task/1": "# Task #1: Sign tokens", "state://task/DOC%2D7": "Write it down",
	} {
		r, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 || !strings.Contains(r.Contents[0].Text, part) || r.Contents[0].MIMEType == "" {
			t.Errorf("%s: %v %+v", uri, err, r)
		}
	}
	templates, err := session.ListResourceTemplates(context.Background(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Errorf("%v %v", templates, err)
	}
}

// What a list says of a task is a sentence: in most clients nothing else shows how it stands.
func TestResourcesOfTasksSayHowTheyStand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	must(t, session, "task_claim", map[string]any{"id": "1"})
	must(t, session, "task_check", map[string]any{"id": "1", "criterion": "1"})
	all, err := session.ListResources(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range all.Resources {
		if strings.HasPrefix(r.URI, taskURI) {
			got[r.URI] = r.Description
		}
	}
	want := map[string]string{
		"state://task/1": "task, in progress, 1 of 2 criteria", "state://task/2": "task, ready, waiting for others, 0 of 1 criteria",
		"state://task/DOC-7": "task, ready",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if said := described(tasks.TaskRow{Status: "od\x1bd\n" +
		strings.Repeat("x", 200)}); strings.ContainsAny(said, "\x1b\n") || len(said) > 120 {
		t.Errorf("a word that is no status: %q", said)
	}
}

// Law 9 and agents.md 7.1: what is not there, and what leads elsewhere, is not found.
func TestResourcesThatAreNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.WriteFile(filepath.Join(w.dir, "secret-state.md"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	session := w.client(newServer(w.env, Options{}), nil)
	for _, uri := range []string{
		"state://task/99", "state://archive/1", "state://task/..%2F..%2Fsecret", "state://task/%2Fetc%2Fpasswd", "state://task/",
		"state://task/1/2",
		"state://task/%00", "state://nothing", "file:///etc/passwd", "skill://baton/../x",
	} {
		_, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != jsonrpc.CodeInvalidParams && wire.Code != -32002 {
			t.Errorf("%s: %v", uri, err)
		}
	}
	empty := emptyWorld(t)
	session = empty.client(newServer(empty.env, Options{}), nil)
	if r, err := session.ListResources(context.Background(), nil); err != nil || len(r.Resources) != 4 {
		t.Errorf("without a project: %v %v", r, err)
	}
}

// What a terminal would act on does not leave a file by way of a resource.
func TestResourcesAreNeutral(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	name := filepath.Join(w.dir, ".baton/tasks/task-1-state.md")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(data, "\x1b]0;title\x07 \u202eevil\xff\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	session := w.client(newServer(w.env, Options{}), nil)
	r, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "state://task/1"})
	if err != nil || strings.ContainsAny(r.Contents[0].Text, "\x1b\x07\u202e") || !strings.Contains(r.Contents[0].Text, "evil\uFFFD") {
		t.Errorf("%v %q", err, r.Contents[0].Text)
	}
}

// Subscribers hear of what changed and of nothing else; tasks that come change the list.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newServer(w.env, Options{AllTools: true})
	updated, changed := make(chan string, 10), make(chan bool, 10)
	acknowledged := make(chan bool, 10)
	s.mcp.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "notifications/subscriptions/acknowledged" {
				acknowledged <- true
			}
			return next(ctx, method, r)
		}
	})
	session := w.client(s, &mcp.ClientOptions{
		ResourceUpdatedHandler:     func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- true },
	})
	<-acknowledged // of the stream for lists, which the client opens as it connects
	for _, uri := range []string{"state://task/1", "state://task/2", "state://digest"} {
		if err := session.Subscribe(context.Background(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		<-acknowledged // Subscribe itself does not wait for the server
	}
	must(t, session, "task_log", map[string]any{"id": "1", "did": "x"})
	if uri := <-updated; uri != "state://task/1" {
		t.Errorf("%s changed", uri)
	}
	must(t, session, "blocker_add", map[string]any{"text": "no keys"})
	if uri := <-updated; uri != "state://digest" {
		t.Errorf("%s changed", uri)
	}
	p := w.open()
	defer p.Close()
	if _, err := p.Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "One more"}}}); err != nil {
		t.Fatal(err)
	}
	s.watch.look(context.Background())
	<-changed
	if uri := <-updated; uri != "state://digest" { // it says how far the tasks are
		t.Errorf("%s changed", uri)
	}
	if len(updated) > 0 {
		t.Errorf("%s changed", <-updated)
	}
}

// A client that listens has missed nothing from the moment at which it is told so: what there is was noted before.
func TestListeningBeginsWithALook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newServer(w.env, Options{})
	end := s.watch.listen(context.Background(), &mcp.SubscriptionsListenRequest{Params: &mcp.SubscriptionsListenParams{
		Notifications: &mcp.NotificationSubscriptions{ResourcesListChanged: true},
	}})
	s.watch.mu.Lock()
	known, marks := s.watch.known, s.watch.marks
	s.watch.mu.Unlock()
	end()
	if !known || len(marks.Tasks) == 0 {
		t.Errorf("nothing was noted: %v %v", known, marks)
	}
}

func TestSubscriptionsToNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := newServer(w.env, Options{})
	err := s.watch.subscribe(context.Background(), &mcp.SubscribeRequest{Params: &mcp.SubscribeParams{URI: "file:///etc/passwd"}})
	if err == nil || len(s.watch.subscribed) != 0 {
		t.Errorf("%v %v", err, s.watch.subscribed)
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for name, part := range map[string]string{promptEnd: "1: It works", promptSplit: "open criteria"} {
		r, err := session.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: name, Arguments: map[string]string{"task": "1"}})
		if err != nil || len(r.Messages) != 1 {
			t.Errorf("%s: %v %v", name, err, r)
			continue
		}
		if said := r.Messages[0].Content.(*mcp.TextContent).Text; !strings.Contains(said, part) {
			t.Errorf("%s: %s", name, said)
		}
	}
	if _, err := session.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: promptStart}); err != nil {
		t.Error(err)
	}
	for _, task := range []string{"99", "../x"} {
		_, err := session.GetPrompt(
			context.Background(), &mcp.GetPromptParams{Name: promptSplit, Arguments: map[string]string{"task": task}},
		)
		if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != jsonrpc.CodeInvalidParams ||
			!strings.Contains(string(wire.Data), `"kind"`) {
			t.Errorf("%q: %v", task, err)
		}
	}
}

func TestCompletions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for _, c := range []struct {
		ref           mcp.CompleteReference
		argument, has string
		want          []string
	}{
		{mcp.CompleteReference{Type: "ref/prompt", Name: promptSplit}, "task", "", []string{"1", "2", "DOC-7"}},
		{mcp.CompleteReference{Type: "ref/resource", URI: "state://task/{id}"}, "id", "D", []string{"DOC-7"}},
		{mcp.CompleteReference{Type: "ref/resource", URI: "state://archive/{id}"}, "id", "9", []string{}},
		{mcp.CompleteReference{Type: "ref/prompt", Name: "nothing"}, "task", "", []string{}},
	} {
		r, err := session.Complete(
			context.Background(), &mcp.CompleteParams{Ref: &c.ref, Argument: mcp.CompleteParamsArgument{Name: c.argument, Value: c.has}},
		)
		if err != nil {
			t.Errorf("%+v: %v", c.ref, err)
			continue
		}
		slices.Sort(r.Completion.Values)
		if diff := cmp.Diff(c.want, r.Completion.Values); diff != "" {
			t.Errorf("%+v: %s", c.ref, diff)
		}
	}
}
