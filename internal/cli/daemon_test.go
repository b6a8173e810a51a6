package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// TestBatondReadsTheFlagsThatBatonPasses checks that batond reads the flags that baton passes to it.
func TestBatondReadsTheFlagsThatBatonPasses(t *testing.T) {
	t.Parallel()
	want := MCPOptions{
		HTTP: "127.0.0.1:0", AllTools: true, NoToken: true, AllowRemote: true, NoRun: true,
		Dir: "-odd dir", TasksDir: "t", Layout: "gsd", As: "me", Version: app.VersionOf("", false).Version,
	}
	var got MCPOptions
	var out, complaint bytes.Buffer
	code := Daemon(t.Context(), report.Env{Args: append([]string{"mcp"}, want.args()...), Stdout: &out, Stderr: &complaint}, Servers{
		MCP: func(_ context.Context, _ report.Env, o MCPOptions) error { got = o; return nil },
	})
	if diff := cmp.Diff(want, got); diff != "" || code != 0 || out.Len()+complaint.Len() > 0 {
		t.Errorf("exit code %d %s%s\n%s", code, &out, &complaint, diff)
	}
}

// TestTwoReleasesAreDistinguished checks that a batond of another release works, with a message that a person can see.
func TestTwoReleasesAreDistinguished(t *testing.T) {
	t.Parallel()
	var out, complaint bytes.Buffer
	code := Daemon(t.Context(), report.Env{Args: []string{"mcp", "--called-by=v0.0.1"}, Stdout: &out, Stderr: &complaint}, Servers{
		MCP: func(context.Context, report.Env, MCPOptions) error { return nil },
	})
	if code != 0 || out.Len() > 0 || !strings.HasPrefix(complaint.String(), "warning: batond has version ") {
		t.Errorf("%d %q %q", code, out.String(), complaint.String())
	}
}

// TestBatondFailsLikeBaton checks that errors, help and exit codes of the servers are those of the command line.
func TestBatondFailsLikeBaton(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
		out  string
		said string
	}{
		{[]string{"mcp"}, 9, "", "baton: cannot listen\n"},
		{[]string{"mcp", "--json"}, 9, "", `{"error":{"kind":"refused","code":"refused","op":"mcp","message":"cannot listen"}}` + "\n"},
		{[]string{"mcp", "--tools", "few"}, 2, "", "baton: --tools: \"few\" is not default or all\nhint: batond mcp --help\n"},
		{[]string{"mcp", "--nonsense"}, 2, "", "baton: unknown flag --nonsense for batond mcp\n"},
		{[]string{"mcp", "--help"}, 0, "Usage:\n  batond mcp [flags]", ""},
		{[]string{"-C", "x", "mcp"}, 9, "", "baton: cannot listen\n"},
	} {
		var out, complaint bytes.Buffer
		code := Daemon(t.Context(), report.Env{Args: c.args, Stdout: &out, Stderr: &complaint}, Servers{
			MCP: func(context.Context, report.Env, MCPOptions) error {
				return &report.Error{Kind: report.Refused, Message: "cannot listen"}
			},
		})
		if code != c.code || !strings.Contains(out.String(), c.out) || !strings.HasPrefix(complaint.String(), c.said) {
			t.Errorf("%v: %d\n%s\n%s", c.args, code, &out, &complaint)
		}
	}
}
