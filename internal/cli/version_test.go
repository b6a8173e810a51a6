package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// serve runs batond with a command line.
func serve(t *testing.T, args ...string) outcome {
	t.Helper()
	var out, complaint bytes.Buffer
	code := Daemon(t.Context(), report.Env{Args: args, Stdout: &out, Stderr: &complaint}, Servers{})
	return outcome{code, out.String(), complaint.String()}
}

func TestBatondAnswersVersion(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"version", "--version"} {
		if got := serve(t, word); got.code != 0 || !strings.HasPrefix(got.out, "batond ") || strings.Count(got.out, "\n") != 1 {
			t.Errorf("%s: %+v", word, got)
		}
	}
	var v app.Version
	if got := serve(t, "version", "--json"); got.code != 0 || json.Unmarshal([]byte(got.out), &v) != nil || v.Name != "batond" ||
		v.Version == "" {
		t.Errorf("version --json: %+v", got)
	}
	for _, args := range [][]string{nil, {"serve"}, {"fleet", "--stdio"}} {
		got := serve(t, args...)
		if got.code != 8 || got.out != "" ||
			got.errors != "baton: batond only runs mcp, selftest and version\nhint: for everything else, use baton: baton help\n" {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if got := serve(t, "serve", "--json"); got.code != 8 || !strings.HasPrefix(got.errors, `{"error":{"kind":"unavailable"`) {
		t.Errorf("serve --json: %+v", got)
	}
}

func TestVersionIsTheSameWithAndWithoutTheTree(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"version", "version --no-color"}, {"version --json", "--json version"}} {
		quick, tree := play(t, canned{}, strings.Fields(pair[0])...), play(t, canned{}, strings.Fields(pair[1])...)
		if quick != tree || quick.code != 0 {
			t.Errorf("%s: %+v\n%s: %+v", pair[0], quick, pair[1], tree)
		}
	}
}
