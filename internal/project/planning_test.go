package project

import (
	"crypto/sha1"
	"fmt"
	"os"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"

	"github.com/google/go-cmp/cmp"
)

// streams returns a GSD project with its own digest, one in a project folder, and two workstreams in each. The
// milestone of every digest says which one it is.
func streams(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.env["TMPDIR"] = w.path("tmp")
	w.mkdir("p/.git")
	for _, dir := range []string{"", "dock/"} {
		for _, stream := range []string{"", "workstreams/quay/", "workstreams/lamp/"} {
			place := dir + stream
			w.write("p/.planning/"+place+"STATE.md", "---\nmilestone: in "+place+".\nstatus: executing\n---\n\n# State\n")
		}
	}
	w.dir = w.path("p")
	return w
}

// gsd.md 1.0: the planning folder is that of the project and workstream that the environment names.
func TestGSD37_TheEnvironmentChoosesThePlanningFolder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ project, stream, want string }{
		{"", "", ""},
		{"dock", "", "dock/"},
		{"", "quay", "workstreams/quay/"},
		{"", "  quay\t\n", "workstreams/quay/"},
		{"dock", "lamp", "dock/workstreams/lamp/"},
		{"", "   ", ""},
	} {
		t.Run(fmt.Sprintf("%q %q", c.project, c.stream), func(t *testing.T) {
			t.Parallel()
			w := streams(t)
			w.env["GSD_PROJECT"], w.env["GSD_WORKSTREAM"] = c.project, c.stream
			want := ".planning/" + c.want + "STATE.md"
			value := must(w.as("a").Digests.StateGet(t.Context(), "milestone"))(t)
			if value.Path != want || value.Value != "in "+c.want+"." {
				t.Errorf("read: %s says %q, want %s", value.Path, value.Value, want)
			}
			before := w.files()
			added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "a new choice"}))(t)
			if added.Path != want || added.Rotation.Archive != ".planning/"+c.want+"DECISIONS_ARCHIVE.md" {
				t.Errorf("written: %s, %s", added.Path, added.Rotation.Archive)
			}
			for name, text := range w.tracked() {
				if name != want && before[name] != text {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}

// A name that would lead elsewhere is refused, as in GSD: without it, another digest would be changed.
func TestGSD37_NamesThatLeadElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ project, stream string }{
		{"..", ""},
		{".", ""},
		{"../p/.planning/dock", ""},
		{"dock/workstreams", "quay"},
		{`dock\workstreams`, ""},
		{"/dock", ""},
		{"c:dock", ""},
		{"do..ck", ""},
		{"", ".."},
		{"", "../dock/workstreams/quay"},
		{"", "/quay"},
		{"", `..\quay`},
		{"", ".quay"},
		{"", "-quay"},
		{"", "qu ay"},
		{"", "quay.."},
		{"dock", "a/b"},
	} {
		w := streams(t)
		w.env["GSD_PROJECT"], w.env["GSD_WORKSTREAM"] = c.project, c.stream
		before := w.tracked()
		_, err := w.as("a").Digests.StateGet(t.Context(), "milestone")
		refused(t, err, report.Usage, "name_invalid")
		_, err = w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "a new choice"})
		refused(t, err, report.Usage, "name_invalid")
		if diff := cmp.Diff(before, w.tracked()); diff != "" {
			t.Errorf("%q %q: %s", c.project, c.stream, diff)
		}
	}
}

// If the chosen digest does not exist, no other one is used instead, and none is created.
func TestGSD37_AChosenFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ project, stream, want string }{
		{
			"pier", "", ".planning/pier/STATE.md",
		}, {"", "ghost", ".planning/workstreams/ghost/STATE.md"}, {"dock", "ghost", ".planning/dock/workstreams/ghost/STATE.md"},
	} {
		w := streams(t)
		w.env["GSD_PROJECT"], w.env["GSD_WORKSTREAM"] = c.project, c.stream
		before := w.files()
		_, err := w.as("a").Digests.StateGet(t.Context(), "milestone")
		refused(t, err, report.NotFound, "digest_missing")
		_, err = w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "a new choice"})
		if e := refused(t, err, report.NotFound, "digest_missing"); e.Path != c.want {
			t.Errorf("%s is missing, want %s", e.Path, c.want)
		}
		for name := range w.tracked() {
			if _, there := before[name]; !there {
				t.Errorf("%s was made", name)
			}
		}
	}
}

// The stored name is that of the terminal or agent session that the environment names, in a file below the folder for
// temporary files; otherwise it is the project's. The first variable with a usable value counts (gsd.md 1.0).
func TestGSD37_ThePointerOfTheSession(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 200)
	for _, c := range []struct {
		name, key string
		env       []string
	}{
		{"session key", "gsd-session-key-abc", []string{"GSD_SESSION_KEY=abc", "TMUX_PANE=%1", "TTY=/dev/pts/3"}},
		{"agent session", "claude-session-id-1-2", []string{"CLAUDE_SESSION_ID=1-2", "TMUX_PANE=%1"}},
		{"pane", "tmux-pane-1", []string{"TMUX_PANE=%1", "TTY=/dev/pts/3"}},
		{"terminal", "tty-dev_pts_3", []string{"TTY=/dev/pts/3", "SSH_TTY=/dev/pts/9"}},
		{"far terminal", "tty-dev_pts_9", []string{"SSH_TTY=/dev/pts/9"}},
		{"a value that says nothing", "tmux-pane-7", []string{"GSD_SESSION_KEY=///", "TMUX_PANE=%7"}},
		{"a value that leads away", "gsd-session-key-.._.._x", []string{"GSD_SESSION_KEY=../../x"}},
		{"a long value", "gsd-session-key-" + long[:160], []string{"GSD_SESSION_KEY=" + long}},
		{"letters that no file name needs", "gsd-session-key-a_b", []string{"GSD_SESSION_KEY=äaüb "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := streams(t)
			for _, one := range c.env {
				name, value, _ := strings.Cut(one, "=")
				w.env[name] = value
			}
			root := fmt.Sprintf("%x", sha1.Sum([]byte(w.path(".planning"))))[:16]
			at := "../tmp/gsd-workstream-sessions/" + root + "/" + c.key
			w.write(".planning/active-workstream", "lamp\n") // the project's, which a session ignores
			if got := w.chosen(); got != "" {
				t.Errorf("without a pointer of its own: %q", got)
			}
			w.write(at, " quay \n")
			if got := w.chosen(); got != "quay" {
				t.Errorf("with its pointer: %q", got)
			}
			for _, text := range []string{"ghost\n", "../quay", "", "quay\nlamp", strings.Repeat(" ", 2000) + "quay"} {
				w.write(at, text)
				if got := w.chosen(); got != "" {
					t.Errorf("%q chose %q", text, got)
				}
				if w.read(at) != text {
					t.Errorf("the pointer %q was changed", text)
				}
			}
			w.env["GSD_WORKSTREAM"] = "lamp"
			if got := w.chosen(); got != "lamp" {
				t.Errorf("with GSD_WORKSTREAM: %q", got)
			}
		})
	}
}

// chosen returns the workstream that commands use, and the line too if the project has no digest of its own.
func (w *world) chosen() string {
	w.t.Helper()
	value := must(w.as("a").Digests.StateGet(w.t.Context(), "milestone"))(w.t)
	name := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(value.Value, "."), "/"), "in ")
	name = strings.TrimPrefix(name, "workstreams/")
	want := "no active workstream"
	if name != "" {
		want = value.Value + " · executing"
	}
	own := w.read(".planning/STATE.md")
	must0(w.t, os.Remove(w.path(".planning/STATE.md")))
	w.wantLine("", "M │ "+want+" │ p")
	w.write(".planning/STATE.md", own)
	return name
}

// GSD-56, gsd.md 1.10: the line chooses the workstream as the commands do, without surrounding blanks, but ignores
// GSD_PROJECT.
func TestGSD56_TheLineChoosesAsTheCommandsDo(t *testing.T) {
	t.Parallel()
	w := streams(t)
	w.env["GSD_PROJECT"] = "dock"
	w.wantLine("", "M │ in . · executing │ p")
	must0(t, os.Remove(w.path(".planning/STATE.md")))
	for value, want := range map[string]string{
		"quay": "in workstreams/quay/. · executing │ ", "\tquay ": "in workstreams/quay/. · executing │ ", "ghost": "",
		"": "no active workstream │ ", "../quay": "no active workstream │ ",
	} {
		w.env["GSD_WORKSTREAM"] = value
		w.wantLine("", "M │ "+want+"p")
	}
	w.env["GSD_WORKSTREAM"] = "  "
	w.write(".planning/active-workstream", "lamp")
	w.wantLine("", "M │ in workstreams/lamp/. · executing │ p")
}

// D28, gsd.md 1.0: a folder above claims its parts with sub_repos, in either place of its configuration, by the first
// name below it; with multiRepo, it claims every repository below it.
func TestD28_WhichFoldersAGSDProjectClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config   string
		from     string
		claimed  bool
		planning bool // the folder has a .planning of its own
	}{
		{config: `{"sub_repos": ["api"]}`, from: "api", claimed: true},
		{config: `{"sub_repos": ["api"]}`, from: "api/deep/er", claimed: true},
		{config: `{"planning": {"sub_repos": ["api"]}}`, from: "api", claimed: true},
		{config: `{"sub_repos": ["web"], "planning": {"sub_repos": ["api"]}}`, from: "api", claimed: true},
		{config: `{"sub_repos": ["web"]}`, from: "api"},
		{config: `{"sub_repos": ["deep"]}`, from: "api/deep"},
		{config: `{"sub_repos": "api"}`, from: "api"},
		{config: `{"multiRepo": true}`, from: "api", claimed: true},
		{config: `{"multiRepo": true}`, from: "api/deep/er", claimed: true},
		{config: `{"multiRepo": false}`, from: "api"},
		{config: `{"multiRepo": true`, from: "api"},
		{config: `{"planning": {"multiRepo": true}}`, from: "api"},
		{config: `{"sub_repos": ["api"]}`, from: "api", planning: true},
	} {
		t.Run(c.config+" "+c.from, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write("org/.planning/STATE.md", smallDigest)
			w.write("org/.planning/config.json", c.config)
			w.mkdir("org/api/.git")
			w.mkdir("org/" + c.from)
			if c.planning {
				w.write("org/"+c.from+"/.planning/STATE.md", strings.Replace(smallDigest, "first", "its own", 1))
			}
			list, err := w.open(
				workspace.Options{Dir: w.path("org/" + c.from)},
			).Digests.Decisions(
				t.Context(),
				digests.DecisionListRequest{},
			)
			line := w.line("org/"+c.from, "").Line
			switch {
			case c.planning:
				if err != nil || list.Decisions[0].Text != "its own" {
					t.Errorf("its own digest comes first: %+v, %v", list.Decisions, err)
				}
			case c.claimed:
				if err != nil || len(list.Decisions) != 2 || !strings.Contains(line, "Gauge") {
					t.Errorf("not claimed: %+v, %v, line %q", list.Decisions, err, line)
				}
			default:
				refused(t, err, report.NotFound, "no_digest")
				if strings.Contains(line, "Gauge") {
					t.Errorf("the line is %q", line)
				}
			}
		})
	}
}
