package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/report"
)

// Limits of the HTTP server, in bytes.
const (
	mostBody   = 4 << 20
	mostHeader = 64 << 10
)

// tokenVariable names the environment variable with the token of HTTP clients.
const tokenVariable = "BATON_MCP_TOKEN"

// endpoint is the path of the server.
const endpoint = "/mcp"

// serveHTTP serves any number of clients over HTTP, each request by itself (agents.md 7.4).
func serveHTTP(ctx context.Context, env report.Env, o Options) error {
	loopback, err := checkAddress(o)
	if err != nil {
		return err
	}
	g := &guard{loopback: loopback}
	if !o.NoToken {
		g.token = env.Getenv(tokenVariable)
	}
	made := g.token == "" && !o.NoToken
	if made {
		g.token = rand.Text()
	}
	// The command of a check has all rights of the user; anyone who may start one must have shown a
	// secret that did not cross a network.
	o.NoRun = o.NoRun || o.NoToken || !loopback

	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.HTTP)
	if err != nil {
		return &report.Error{
			Op: "mcp", Kind: report.Refused, Code: report.CodeListenRefused,
			Message: "cannot listen on " + o.HTTP + ": " +
				err.Error(),
			Hint: "another program may be listening there; port 0 means any free port", Err: err,
		}
	}
	said := fmt.Sprintf("baton: MCP at http://%s%s\n", listener.Addr(), endpoint)
	if made {
		said += "baton: token " + g.token + " (set " + tokenVariable + " to choose your own)\n"
	}
	if _, err := env.Stderr.Write([]byte(said)); err != nil && made {
		_ = listener.Close()
		return &report.Error{
			Op: "mcp", Kind: report.Refused, Code: report.CodeOutputRefused,
			Message: "the token could not " +
				"be printed: " + err.Error(), Hint: "set " + tokenVariable,
		}
	}
	return serveOn(ctx, listener, g.around(newServer(env, o).httpHandler()), usualTimes())
}

// httpHandler answers each request by itself: it keeps nothing between them, so clients of every
// version may come and go.
func (s *server) httpHandler() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: mostBody, PropagateRequestCancellation: true,
	})
}

// checkAddress refuses to listen beyond loopback unless the caller asked for that, and never allows
// it without a token.
func checkAddress(o Options) (loopback bool, err error) {
	host, _, err := net.SplitHostPort(o.HTTP)
	if err != nil {
		return false, misusedAddress("--http "+o.HTTP+
			" is not an address with a port", "write 127.0.0.1:8765, or 127.0.0.1:0 for a free port")
	}
	loopback = isLoopback(host)
	switch {
	case loopback:
		return true, nil
	case !o.AllowRemote:
		return false,
			misusedAddress("--http "+o.HTTP+" is not on loopback: everybody on the network could reach it", "use "+
				"127.0.0.1, or add --allow-remote")
	case o.NoToken:
		return false, misusedAddress("--no-token is for loopback only", "leave it out; "+tokenVariable+
			" sets a token of your own")
	}
	return false, nil
}

func misusedAddress(message, hint string) error {
	return &report.Error{Op: "mcp", Kind: report.Usage, Code: report.CodeAddressRefused, Message: message, Hint: hint}
}

// isLoopback reports whether a host is this machine, by its address or as localhost.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.Unmap().IsLoopback()
}

// guard is what a request has to pass before the server looks at it.
type guard struct {
	token    string // "" lets everybody in
	loopback bool   // listens on loopback only
}

// around refuses requests that do not come from a client of this machine. A page in a browser is
// recognised by its origin, or by the name under which it reached this address (403); a program
// without the token gets 401.
func (g *guard) around(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		origin := r.Header.Get("Origin")
		switch {
		case g.loopback && !isLoopback(host):
			http.Error(w, "Forbidden: the Host header names another machine", http.StatusForbidden)
		case g.loopback && sameLoopback(origin, r.Host): // localhost and 127.0.0.1 are one server
			g.serve(next, w, r)
		case origin != "" && !strings.EqualFold(origin, "http://"+r.Host), origins.Check(r) != nil:
			http.Error(w, "Forbidden: the request comes from another origin", http.StatusForbidden)
		default:
			g.serve(next, w, r)
		}
	})
}

// serve answers a request that comes from a client of this machine.
func (g *guard) serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	switch {
	case !g.known(r):
		w.Header().Set("WWW-Authenticate", `Bearer realm="baton"`)
		http.Error(w, "Unauthorized: send the token as Authorization: Bearer TOKEN", http.StatusUnauthorized)
	case r.URL.Path != endpoint:
		http.Error(w, "Not found: the server is at "+endpoint, http.StatusNotFound)
	default:
		next.ServeHTTP(w, r)
	}
}

// sameLoopback reports whether an origin is this server under another of its loopback names: the
// port tells (F-86d).
func sameLoopback(origin, host string) bool {
	address, http := strings.CutPrefix(strings.ToLower(origin), "http://")
	name, port, err := net.SplitHostPort(address)
	_, own, ownErr := net.SplitHostPort(host)
	return http && err == nil && ownErr == nil && port == own && isLoopback(name)
}

// known reports whether a request has the token. The comparison takes the same time wherever the
// two differ.
func (g *guard) known(r *http.Request) bool {
	if g.token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(strings.TrimSpace(token)), []byte(g.token)) == 1
}
