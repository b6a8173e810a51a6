package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/internal/statusline"
	"baton/internal/workspace"
)

// TestF60_TheBridgeFileHasGSDsBytes compares the file with what GSD 1.14.0 writes for the same input.
func TestF60_TheBridgeFileHasGSDsBytes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("p/.planning/STATE.md", lineDigest)
	w.write("tmp/keep", "")
	w.env["TMPDIR"] = w.path("tmp")
	say := func(session, remaining string) string {
		t.Helper()
		w.line("p", `,"session_id":"`+session+`","context_window":{"remaining_percentage":`+remaining+`}`)
		data, err := os.ReadFile(w.path("tmp/claude-ctx-" + session + ".json"))
		if err != nil {
			return ""
		}
		return string(data)
	}
	if got := say("s1", "60"); got != "" {
		t.Errorf("no hook is installed: %s", got)
	}
	w.write("p/"+workspace.RuntimeDir+"/"+statusline.PreparedName, `{"next":null,"waiting":0,"bridge":true,"at":""}`)
	for _, c := range []struct{ remaining, want string }{
		{"60", `{"session_id":"s1","remaining_percentage":60,"used_pct":40,"timestamp":1772355600}`},
		{"33.5", `{"session_id":"s1","remaining_percentage":33.5,"used_pct":67,"timestamp":1772355600}`},
		{"1e1", `{"session_id":"s1","remaining_percentage":10,"used_pct":90,"timestamp":1772355600}`},
		{`"40"`, `{"session_id":"s1","remaining_percentage":"40","used_pct":60,"timestamp":1772355600}`},
		{"null", `{"session_id":"s1","remaining_percentage":"40","used_pct":60,"timestamp":1772355600}`}, // left as it is
	} {
		if got := say("s1", c.remaining); got != c.want {
			t.Errorf("%s: %s, want %s", c.remaining, got, c.want)
		}
	}
	inTmp := func() []string {
		names, _ := filepath.Glob(w.path("tmp/*")) // the pattern is valid
		return names
	}
	for _, session := range []string{"", "a..b", `a\\b`, "../a"} {
		if say(session, "60"); len(inTmp()) != 2 {
			t.Errorf("session %q: %v", session, inTmp())
		}
	}
}

// TestD49_TheBridgeIsWrittenOnceASecond checks that a fresh file with the same percentage stays, and that a link is
// replaced and not followed.
func TestD49_TheBridgeIsWrittenOnceASecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("p/.planning/STATE.md", lineDigest)
	w.write("p/"+workspace.RuntimeDir+"/"+statusline.PreparedName, `{"next":null,"waiting":0,"bridge":true,"at":""}`)
	w.write("tmp/claude-ctx-s.json", `{"remaining_percentage":60,"used_pct":40}`)
	w.env["TMPDIR"] = w.path("tmp")
	file := w.path("tmp/claude-ctx-s.json")
	say := func(age time.Duration, remaining string) string {
		t.Helper()
		if err := os.Chtimes(file, w.time.Add(-age), w.time.Add(-age)); err != nil {
			t.Fatal(err)
		}
		w.line("p", `,"session_id":"s","context_window":{"remaining_percentage":`+remaining+`}`)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := say(time.Second/2, "60"); strings.Contains(got, "timestamp") {
		t.Errorf("written again: %s", got)
	}
	if got := say(time.Second/2, "59"); !strings.Contains(got, `"remaining_percentage":59,"used_pct":41`) {
		t.Errorf("another percentage: %s", got)
	}
	if got := say(2*time.Second, "59"); !strings.Contains(got, "timestamp") {
		t.Errorf("an old file: %s", got)
	}
	w.write("other", "mine")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.path("other"), file); err != nil {
		t.Skip("this file system has no symbolic links: on Windows, turn on developer mode")
	}
	w.line("p", `,"session_id":"s","context_window":{"remaining_percentage":59}`)
	if got := w.read("other"); got != "mine" {
		t.Errorf("written through a link: %s", got)
	}
}

// TestF60_GitIsAskedOnlyWhereGSDsSettingsAskForIt compares the segment with GSD's own.
func TestF60_GitIsAskedOnlyWhereGSDsSettingsAskForIt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: install it to test the segment")
	}
	w := newWorld(t)
	w.write("p/.planning/STATE.md", lineDigest)
	if out, err := gitInit(w.path("p")); err != nil {
		t.Fatal(err, string(out))
	}
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p")
	w.write("p/.planning/config.json", `{"statusline": {"show_git": true}}`)
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p │ trunk?1")
	w.write("p/.planning/config.json", `{"statusline.show_git": "true"}`)
	w.wantLine("p", "M │ v1.2 · executing · Gauge feed (3/5) │ p")
}

// gitInit makes a repository whose branch is trunk.
func gitInit(dir string) ([]byte, error) {
	cmd := exec.Command("git", "init", "-q", "-b", "trunk", dir)
	cmd.Env = gittest.Environ(os.Environ(), "dev", time.Unix(0, 0))
	return cmd.CombinedOutput()
}
