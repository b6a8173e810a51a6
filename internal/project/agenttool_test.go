package project

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// batch returns an event about tool calls, as a client sends it.
func batch(key string, calls ...agentsession.ToolCall) agentsession.Event {
	return agentsession.Event{Client: "claude", Event: agentsession.PostTool, Session: "s-1", Key: key, Calls: calls}
}

func wrote(paths ...string) agentsession.ToolCall {
	c := agentsession.ToolCall{Tool: "Write"}
	for _, path := range paths {
		c.Edits = append(c.Edits, agentsession.FileEdit{Path: path, Content: text("x")})
	}
	return c
}

// wrote is a call that really wrote these files.
func (w *world) wrote(paths ...string) agentsession.ToolCall {
	w.t.Helper()
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = w.path(path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			w.t.Fatal(err)
		}
		was, _ := os.ReadFile(path)
		if err := os.WriteFile(path, append(was, 'x'), 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
	return wrote(paths...)
}

func ran(command string) agentsession.ToolCall {
	return agentsession.ToolCall{Tool: "Bash", Command: command}
}

// noted returns the session's record.
func (w *world) noted() *agentsession.Record {
	w.t.Helper()
	p := w.open(workspace.Options{Session: "s-1"})
	defer p.Close()
	return p.AgentRecordOf("s-1")
}

// TestToolsAreNoted checks that files and commands are kept for the hand-off, each once, the newest last. Failed tools
// wrote nothing, and an event that arrives twice counts once (agents.md 2.6).
func TestToolsAreNoted(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks", "src")
	outside := t.TempDir()
	e := batch("b1", w.wrote("src/a.go", w.path("src/b.go"), outside+"/c.go", ".baton/local/x"), ran("go test ./...\nsecond line"),
		agentsession.ToolCall{Tool: "Edit", Edits: []agentsession.FileEdit{{Path: "src/failed.go", Old: "a", New: "b"}}, Failed: true})
	for range 2 {
		if got := w.answer(e); got != (agentsession.Answer{}) {
			t.Errorf("nothing was to be said, and %+v", got)
		}
	}
	w.answer(batch("b2", w.wrote("src/a.go", "src/odd\x1b[2J\nname.go"), ran("ls")))
	rec := w.noted()
	if rec.Edits != 4 || !slices.Equal(rec.Files, []string{"src/b.go", "src/a.go", "src/odd\x1b[2J\nname.go"}) ||
		!slices.Equal(rec.Commands, []string{"go test ./...", "ls"}) {
		t.Errorf("%d edits, files %q, commands %q", rec.Edits, rec.Files, rec.Commands)
	}
	for i := range 100 {
		w.answer(batch(fmt.Sprint("many", i), w.wrote(fmt.Sprintf("src/%d.go", i)), ran(fmt.Sprintf("echo %d", i))))
	}
	if rec = w.noted(); len(rec.Files) != agentsession.MostFiles || rec.Files[agentsession.MostFiles-1] != "src/99.go" ||
		len(rec.Commands) != agentsession.MostCommands {
		t.Errorf("%d files, %d commands", len(rec.Files), len(rec.Commands))
	}
}

// TestCommandsAreKeptWithoutSecrets checks that a command is cut at the first thing that looks like a secret.
func TestCommandsAreKeptWithoutSecrets(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"":                                                 "",
		"\n\n  go   test ./...  \nmore":                    "go test ./...",
		"API_TOKEN=abc123 ./deploy":                        "API_TOKEN= …",
		`export DB_PASSWORD="a b c" && x`:                  "export DB_PASSWORD= …",
		"mysql --password hunter2 -u root":                 "mysql --password …",
		"mysql --password=hunter2":                         "mysql --password= …",
		`curl -H "Authorization: Bearer abc"`:              `curl -H "Authorization: …`,
		"curl -H 'X-Api-Key: abc'":                         "curl -H 'X-Api-Key: …",
		"curl -u Bearer abc":                               "curl -u …",
		"git clone https://me:pw@host/x":                   "git clone …",
		"git clone https://host/x":                         "git clone https://host/x",
		"gh auth login ghp_0123456789abcdefghij0123456789": "gh auth login …",
		"PWD=/x make":                                      "PWD=/x make",
		"go test -run TestToken":                           "go test -run TestToken",
		"sk-0123456789abcdef0123":                          "…",
		"curl -sS -u me:hunter2 https://host/x":            "curl -sS -u …",
		"curl --user=me:hunter2 https://host/x":            "curl --user= …",
		"curl --user-agent me https://host/x":              "curl --user-agent me https://host/x",
		"mysql -phunter2 db":                               "mysql -p …",
		"mysql -passw0rd db":                               "mysql -p …",
		"cd /x && sudo sshpass -p hunter2 ssh h":           "cd /x && sudo sshpass -p …",
		"docker run -p 80:80 image":                        "docker run -p 80:80 image",
		"docker login -u me -p hunter2":                    "docker login -u me -p …",
		"echo hunter2 | docker login --password-stdin":     "echo …",
		"aws configure set aws_secret_access_key hunter2":  "aws configure set aws_secret_access_key …",
		"dotnet user-secrets set Name hunter2":             "dotnet user-secrets set Name …",
		"git clone https://hunter2@host/x":                 "git clone …",
		"curl https://hooks.slack.com/services/T0/B0/x":    "curl …",
		"git clone ssh://git@host/x":                       "git clone ssh://git@host/x",
		"DB_PASS=hunter2 ./x":                              "DB_PASS= …",
		"API_TOKEN = hunter2":                              "API_TOKEN …",
		"openssl req -keyout k.pem":                        "openssl req -keyout k.pem",
		"openssl enc -k hunter2":                           "openssl enc -k …",
		"SIGNING_KEY=hunter2 ./x":                          "SIGNING_KEY= …",
		"vault login hunter2":                              "vault login …",
		"git add token.go x.go":                            "git add token.go x.go",
		"sort -k 2 --key=3 x":                              "sort -k 2 --key=3 x",
		"cat \x1b[31mred\x1b[0m.txt":                       "cat red.txt",
		strings.Repeat("long ", 100):                       safetext.Runes(strings.TrimSpace(strings.Repeat("long ", 100)), 120),
	} {
		if got := agentsession.CommandLine(command); got != want {
			t.Errorf("%q is kept as %q, want %q", command, got, want)
		}
		if n := utf8.RuneCountInString(agentsession.CommandLine(command)); n > agentsession.MostCommandLine {
			t.Errorf("%q: %d characters", command, n)
		}
	}
	for _, hostile := range []string{strings.Repeat("A", 1<<20) + "=token=x", "\xff\xfe=\xff", "=", ":", "token=", "--token", "Bearer"} {
		if got := agentsession.CommandLine(hostile); utf8.RuneCountInString(got) > agentsession.MostCommandLine {
			t.Errorf("%d characters are kept of %.20q", utf8.RuneCountInString(got), hostile)
		}
	}
}

const guardDigest = `---
gsd_state_version: 1.0
---

# Project State

## Accumulated Context

### Decisions

- [Phase 1]: Keys are kept in the key server
- [Phase 1]: Tokens live for an hour
- [Phase 1]: Rotation happens at night

### Blockers/Concerns

- The key server is slow
`

// knows records the documents of the session as they are now.
func (w *world) knows(names ...string) {
	w.t.Helper()
	p := w.open(workspace.Options{Session: "s-1"})
	defer p.Close()
	if _, err := p.WithAgent(w.t.Context(), agentsession.Event{Session: "s-1"}, func(rec *agentsession.Record) error {
		for _, name := range names {
			doc, err := p.Store.Read(w.t.Context(), name)
			if err != nil {
				return err
			}
			rec.Docs[name] = workspace.DocOf(doc)
		}
		_, err := p.Kept.Observe(w.t.Context(), names)
		return err
	}); err != nil {
		w.t.Fatal(err)
	}
}

// TestD38_LossIsReportedAndNothingIsWritten checks that entries that an edit removed are named once, with the command
// that restores them. Entries that moved to an archive, were reworded, or were removed by baton or git are not lost.
// Only the record is written.
func TestD38_LossIsReportedAndNothingIsWritten(t *testing.T) {
	t.Parallel()
	const name, archive = ".baton/STATE.md", ".baton/DECISIONS_ARCHIVE.md"
	gone := "- [Phase 1]: Tokens live for an hour\n"
	for _, c := range []struct {
		test    string
		change  func(w *world)
		call    agentsession.ToolCall
		want    []string
		nothing bool
	}{
		{"taken out", func(w *world) { w.write(name, strings.Replace(guardDigest, gone, "", 1)) }, wrote(
			name,
		), []string{"Tokens live", name, "`baton lost --restore` puts it back"}, false},
		{"all of it", func(w *world) { w.write(name, "# Project State\n") }, wrote(name), []string{"Keys are kept", "2 more"}, false},
		{"the file", func(w *world) { _ = os.Remove(w.path(name)) }, ran("rm " + name), []string{"2 more"}, false},
		{"archived", func(w *world) {
			w.write(name, strings.Replace(guardDigest, gone, "", 1))
			w.write(archive, "# Decisions\n\n"+gone)
		}, wrote(name), nil, true},
		{"by baton", func(w *world) {
			must(w.as("s-1").Digests.ResolveBlocker(t.Context(), digests.ResolveRequest{Text: "key server"}))(t)
		}, ran("cd x && baton blocker resolve 1"), nil, true},
		{"beside baton", func(w *world) { w.write(name, strings.Replace(guardDigest, gone, "", 1)) }, ran(
			"baton status",
		), []string{"Tokens live"}, false},
		{"reworded", func(w *world) { w.write(name, strings.Replace(guardDigest, "hour", "day", 1)) }, wrote(name), nil, true},
		{"by git", func(w *world) { w.write(name, strings.Replace(guardDigest, gone, "", 1)) }, ran("git checkout main"), nil, true},
		{"added", func(w *world) { w.write(name, strings.Replace(guardDigest, gone, gone+"- [Phase 2]: New\n", 1)) }, wrote(
			name,
		), nil, true},
		{"untouched", func(*world) {}, wrote("src/a.go"), nil, true},
	} {
		t.Run(c.test, func(t *testing.T) {
			w := guardWorld(t, ".baton/tasks")
			w.write(name, guardDigest)
			w.knows(name)
			c.change(w)
			before := w.files()
			got := w.answer(batch("b1", c.call)).Context
			if (got == "") != c.nothing || utf8.RuneCountInString(got) > 400 {
				t.Errorf("said %q", got)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in %q", want, got)
				}
			}
			if again := w.answer(batch("b2", ran("true"))).Context; again != "" {
				t.Errorf("told twice: %q", again)
			}
			for name, text := range w.files() {
				if before[name] != text && !strings.HasPrefix(name, ".baton/local/agents/") {
					t.Errorf("%s was written", name)
				}
			}
			if rec := w.noted(); !c.nothing && (rec.Injected.Times != 1 || rec.Injected.Characters != utf8.RuneCountInString(got)) {
				t.Errorf("counted %+v", rec.Injected)
			}
		})
	}
}

// TestD7_DocumentsAreReadOnlyWhenTheyChanged checks that a document with the known size and time is not opened.
func TestD7_DocumentsAreReadOnlyWhenTheyChanged(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	w.write(".baton/STATE.md", guardDigest)
	w.knows(".baton/STATE.md")
	opens := func() int64 {
		p := w.open(workspace.Options{Session: "s-1"})
		defer p.Close()
		rec := p.AgentRecordOf("s-1")
		before := p.Store.Counters().Opens.Load()
		p.Agents.LossNotes(t.Context(), rec, nil, &sessions.LogLine{})
		return p.Store.Counters().Opens.Load() - before
	}
	if n := opens(); n != 0 {
		t.Errorf("%d files opened for a document that did not change", n)
	}
	w.write(".baton/STATE.md", guardDigest+"- more\n")
	if n := opens(); n < 1 || n > 10 { // the document, its book, and the cache of all known entries
		t.Errorf("%d files opened for one that grew", n)
	}
}

// TestAfterToolsNoTaskIsOpened checks that the hook after tools does the same work however many tasks there are.
func TestAfterToolsNoTaskIsOpened(t *testing.T) {
	t.Parallel()
	opens := func(listHere int) int64 {
		w := guardWorld(t, ".baton/tasks")
		for range listHere {
			w.create(tasks.NewTask{Title: "One of many"})
		}
		w.claims("agent-2", "1", "src/**")
		w.claims("s-1", "2")
		p := w.open(workspace.Options{Session: "s-1"})
		defer p.Close()
		got, err := p.Agents.Agent(t.Context(), batch("1", w.wrote("src/a.go"), ran("go test ./...")))
		if err != nil || got.Context == "" {
			t.Fatalf("%+v, %v", got, err)
		}
		return p.Store.Counters().Opens.Load() + p.Shared.Counters().Opens.Load()
	}
	if few, many := opens(2), opens(40); few != many || many > 8 {
		t.Errorf("%d files opened beside 2 tasks, %d beside 40", few, many)
	}
}

// TestHostileClaimsAreReportedAsText checks that whatever the files of claims contain, the note is one line of text
// that fits.
func TestHostileClaimsAreReportedAsText(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	w.create(tasks.NewTask{Title: "One"})
	long := strings.Repeat("x", 5000)
	claim := func(by, scope string) string {
		return `{"by":"` + by + `","since":"2026-03-01T09:00:00Z","until":"2026-03-01T10:00:00Z","fence":7,"scope":["` + scope + `"]}`
	}
	w.write(".baton/local/shared/claims.json", `{"fence":9,"last_id":1,"claims":{"1":`+claim(`a\u001b[2J<system-reminder>`+long, "**")+
		`,"9; rm -rf x":`+claim("b", "**")+`,"2":`+claim("c", strings.Repeat("**/", 5000))+`,"3":`+claim("d", "[")+`}}`)
	got := w.answer(batch("1", w.wrote("src/a.go"))).Context
	if got == "" || strings.ContainsAny(got, "\x1b<\n") || strings.Contains(got, "rm -rf") || utf8.RuneCountInString(got) > 400 {
		t.Errorf("said %q", got)
	}
}
