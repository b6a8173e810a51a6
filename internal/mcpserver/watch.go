package mcpserver

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/project"
	"baton/internal/usecase/find"
)

// lookEvery is the time between two looks at the files while somebody waits for changes.
const lookEvery = time.Second

// mostSubscribed bounds the addresses that a server looks after.
const mostSubscribed = 1000

// watcher tells clients of changed documents, and of tasks that come and go. It looks at sizes and
// times of files, and only while a client has asked for it: a server that nobody listens to does
// nothing.
type watcher struct {
	server *server

	// one look at a time: the marks of a slow look would replace newer ones
	looks sync.Mutex

	mu         sync.Mutex
	subscribed map[string]map[*mcp.ServerSession]bool
	listening  int  // streams of the current protocol that are open
	running    bool // somebody looks once a second
	known      bool // marks are of a look before
	marks      find.Marks
}

// subscribe notes a client's subscription, and looks at the files before it returns: what changes
// after the client's subscription was acknowledged is reported. An address that no resource can
// have is not found.
func (w *watcher) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	uri := r.Params.URI
	_, isTask := strings.CutPrefix(uri, taskURI)
	_, isArchive := strings.CutPrefix(uri, archiveURI)
	if !isTask && !isArchive && !slices.Contains([]string{digestURI, decisionsURI, contractURI, skillURI}, uri) {
		return mcp.ResourceNotFoundError(uri)
	}
	if err := w.note(uri, r.Session); err != nil {
		return err
	}
	w.look(ctx)
	return nil
}

// note adds a session to those that listen to a resource.
func (w *watcher) note(uri string, session *mcp.ServerSession) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget()
	if w.subscribed[uri] == nil {
		if len(w.subscribed) >= mostSubscribed {
			return misuse("there are too many subscriptions", "unsubscribe from resources that you do not need")
		}
		w.subscribed[uri] = map[*mcp.ServerSession]bool{}
	}
	w.subscribed[uri][session] = true
	w.run()
	return nil
}

func (w *watcher) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.subscribed[r.Params.URI], r.Session)
	if len(w.subscribed[r.Params.URI]) == 0 {
		delete(w.subscribed, r.Params.URI)
	}
	return nil
}

// listen looks at the files as long as a stream of the current protocol is open that listens to
// tasks, the first time before it returns, as subscribe does. The function that it returns ends
// that.
func (w *watcher) listen(ctx context.Context, r mcp.Request) func() {
	listen, ok := r.(*mcp.SubscriptionsListenRequest)
	if !ok || listen.Params == nil || listen.Params.Notifications == nil ||
		!listen.Params.Notifications.ResourcesListChanged {
		return func() {}
	}
	w.mu.Lock()
	w.listening++
	w.run()
	w.mu.Unlock()
	w.look(ctx)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.listening--
	}
}

// forget drops the subscriptions of clients that have gone.
func (w *watcher) forget() {
	if len(w.subscribed) == 0 {
		return
	}
	here := map[*mcp.ServerSession]bool{}
	for session := range w.server.mcp.Sessions() {
		here[session] = true
	}
	for uri, sessions := range w.subscribed {
		maps.DeleteFunc(sessions, func(session *mcp.ServerSession, _ bool) bool { return !here[session] })
		if len(sessions) == 0 {
			delete(w.subscribed, uri)
		}
	}
}

// run begins to look once a second, until no client listens any more. The lock is held.
func (w *watcher) run() {
	if w.running {
		return
	}
	w.running, w.known = true, false
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for w.wanted() {
			<-tick.C
			w.look(context.Background())
		}
	}()
}

// wanted reports whether any client still listens.
func (w *watcher) wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget()
	w.running = len(w.subscribed) > 0 || w.listening > 0
	return w.running
}

// wrote is called after a call that wrote: what it changed need not wait for the next look at the
// files. Clients of the older protocols hear of new tasks without asking.
func (w *watcher) wrote(ctx context.Context, created bool) {
	w.mu.Lock()
	looking := w.running
	w.mu.Unlock()
	switch {
	case looking:
		w.look(ctx)
	case created:
		w.listChanged()
	}
}

// listChanged notifies clients that tasks came or went. The library does that when a resource is
// added, even one that is already there.
func (w *watcher) listChanged() {
	w.server.mcp.AddResource(digestResource(), w.server.readDigest)
}

// look compares the files with the last look and reports the differences. The first look only notes
// what is there.
func (w *watcher) look(ctx context.Context) {
	w.looks.Lock()
	defer w.looks.Unlock()
	marks, err := opened(
		ctx, w.server, "resources", func(p *project.Project) (find.Marks, error) { return p.Find.Marks(ctx) },
	)
	if err != nil {
		return // files that cannot be looked at have not changed as far as anybody can tell
	}
	w.mu.Lock()
	before, known := w.marks, w.known
	w.marks, w.known = marks, true
	changed := make([]string, 0, len(w.subscribed))
	for uri := range w.subscribed {
		if known && markOf(before, uri) != markOf(marks, uri) {
			changed = append(changed, uri)
		}
	}
	w.mu.Unlock()
	slices.Sort(changed)
	for _, uri := range changed {
		// A client that cannot be told has gone.
		_ = w.server.mcp.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
	if known && !maps.EqualFunc(before.Tasks, marks.Tasks, func(string, string) bool { return true }) {
		w.listChanged()
	}
}

// markOf returns the mark of the document at an address.
func markOf(m find.Marks, uri string) string {
	switch uri {
	case digestURI:
		return m.Digest
	case decisionsURI:
		return m.Decisions
	}
	if id, ok := strings.CutPrefix(uri, taskURI); ok {
		return m.Tasks[unescaped(id)]
	}
	if id, ok := strings.CutPrefix(uri, archiveURI); ok {
		return m.Archives[unescaped(id)]
	}
	return "" // does not change while the server runs
}

func unescaped(id string) string {
	if plain, err := url.PathUnescape(id); err == nil {
		return plain
	}
	return id
}
