package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
)

// endless gives so many bytes and counts how many were taken.
type endless struct {
	left  int
	taken atomic.Int64 // a hook that is late leaves its reader behind
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	clear(p[:n])
	e.left -= n
	e.taken.Add(int64(n))
	return n, nil
}

// Bad input is never an answer, an exit code or a word on standard error; the log says what was wrong.
func TestBadInput(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in  string
		log string
	}{
		"nothing":        {"", "no event on standard input"},
		"blanks":         {" \n\t", "no event on standard input"},
		"half an object": {`{"session_id":"s","hook_event_name":"Sess`, "not a JSON object"},
		"an array":       {`[{"session_id":"s"}]`, "not a JSON object"},
		"a word":         {`null`, "not a JSON object"},
		"a text":         {`"x"`, "not a JSON object"},
		"two objects":    {claudeStart + claudeStart, "not a JSON object"},
		"NUL bytes":      {"{\"session_id\":\"s\x00\",\"hook_event_name\":\"Stop\"}", "not a JSON object"},
		"nesting": {`{"session_id":"s","hook_event_name":"Stop","x":` + strings.Repeat("[", 200_000) +
			strings.Repeat("]", 200_000) + `}`, "not a JSON object"},
		"no session": {`{"hook_event_name":"SessionStart"}`, "no session id, or one that is not allowed"},
		"session of a path": {
			`{"hook_event_name":"SessionStart","session_id":"../../etc/passwd"}`, "no session id, or one that is not allowed",
		},
		"session with NUL": {`{"hook_event_name":"SessionStart","session_id":"a\u0000b"}`, "no session id, or one that is not allowed"},
		"session a number": {`{"hook_event_name":"SessionStart","session_id":7}`, "no session id, or one that is not allowed"},
		"session too long": {`{"hook_event_name":"SessionStart","session_id":"` + strings.Repeat("x", 129) +
			`"}`, "no session id, or one that is not allowed"},
		"an unknown event": {`{"hook_event_name":"Reincarnation","session_id":"s"}`, ""},
		"no event":         {`{"session_id":"s"}`, ""},
		"an event's type":  {`{"hook_event_name":["Stop"],"session_id":"s"}`, ""},
		"nothing in it":    {`{}`, ""},
	} {
		for agent, neutral := range map[string]string{
			claude: "", codex: "", gemini: "{}\n", cursor: "{}\n", copilot: "", opencode: "", anyAgent: "",
		} {
			f := &fake{}
			if got := f.play(t.Context(), strings.NewReader(c.in), nil, "--agent", agent); got != (said{out: neutral}) {
				t.Errorf("%s, %s: %+v", name, agent, got)
			}
			if len(f.events) != 0 {
				t.Errorf("%s, %s: answered %+v", name, agent, f.events)
			}
			log := ""
			for _, n := range f.notes {
				log += n.Outcome + ": " + n.Text
			}
			if c.log != "" && log != "ignored: "+c.log || c.log == "" && log != "" {
				t.Errorf("%s, %s: log %q", name, agent, log)
			}
		}
	}
}

// What is wrong beside the event's name and session does not keep the answer (agents.md 2.2).
func TestMissingAndWrongFieldsAreNormal(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"fields of wrong types": `{"session_id":"s","hook_event_name":"Stop","stop_hook_active":"yes","prompt_id":3,` +
			`"background_tasks":{},"cwd":["/p"],"context_usage":"much"}`,
		"keys that are there twice":      `{"session_id":"x/","session_id":"s","hook_event_name":"Nothing","hook_event_name":"Stop"}`,
		"fields that nobody knows":       `{"session_id":"s","hook_event_name":"Stop","future":{"a":[1,2,{"b":null}]}}`,
		"a transcript that is not there": `{"session_id":"s","hook_event_name":"Stop","transcript_path":"/nonexistent/x.jsonl"}`,
		"half a character":               "{\"session_id\":\"s\",\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"\xff\\ud800\"}",
		"a folder that is not there":     `{"session_id":"s","hook_event_name":"Stop","cwd":"/nonexistent/folder"}`,
	} {
		f := &fake{}
		if got := f.play(t.Context(), strings.NewReader(in), nil, "--agent", "claude"); got !=
			(said{out: `{"decision":"block","reason":"one step is missing"}` + "\n"}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// 50 MB are read to the end, so that the client's write does not fail, and not kept (agents.md 2.2).
func TestAnEventOfFiftyMegabytesIsIgnored(t *testing.T) {
	t.Parallel()
	in := &endless{left: 50 << 20}
	f := &fake{}
	if got := f.play(t.Context(), in, nil, "--agent", "gemini"); got != (said{out: "{}\n"}) {
		t.Errorf("%+v", got)
	}
	if taken := in.taken.Load(); taken != 50<<20 || len(f.notes) != 1 || f.notes[0].Text != "an event over 10 MB" {
		t.Errorf("%d bytes taken, log %+v", taken, f.notes)
	}
	var box inbox
	if _, fault, mine := box.readAll(report.Env{Stdin: &endless{left: 50 <<
		20}}); fault == "" || !mine || len(box.data) != 0 || box.size != 50<<20 {
		t.Errorf("%d bytes kept of %d", len(box.data), box.size)
	}
}

// A client that leaves the pipe open has said what it had to say.
func TestAPipeThatStaysOpen(t *testing.T) {
	t.Parallel()
	in := &unended{text: claudeStart, waiting: make(chan time.Time), end: make(chan struct{})}
	t.Cleanup(func() { close(in.end) })
	f := &fake{}
	d := &door{env: report.Env{Stdin: in, Dir: "/work", Getenv: func(string) string { return "" }}, open: f.open, ask: flags{agent: claude}}
	d.late = func() <-chan time.Time { return in.waiting } // runs out while a second read waits, and once more after it brought nothing
	if out := d.guarded(t.Context()); !bytes.Contains(out.stdout, []byte("facts")) {
		t.Errorf("%s", out.stdout)
	}
}

// The answer to an event that came whole is there long before the whole time is over, and one that stays half is given up
// in time.
func TestAPipeThatStaysOpenIsNotWaitedForTooLong(t *testing.T) {
	t.Parallel()
	if longest := (1 + mostPauses) * pauseTime; longest > wholeTime*3/4 {
		t.Errorf("%s of %s are spent on waiting", longest, wholeTime)
	}
	for text, pauses := range map[string]int{claudeStart: 2, "\xef\xbb\xbf" +
		claudeStart: 2, claudeStart[:20]: 1 + mostPauses, "": mostPauses} {
		var box inbox
		box.take([]byte(text))
		said, n := patience{}, 1
		for ; !said.over(&box) && n < 100; n++ {
		}
		if n != pauses {
			t.Errorf("%q: %d pauses", text, n)
		}
	}
	var box inbox
	said := patience{}
	for i := range len(claudeStart) {
		if box.take([]byte(claudeStart[i : i+1])); said.over(&box) {
			t.Fatalf("over after %d bytes while it was still coming", i)
		}
	}
}

// unended gives a text and no end.
type unended struct {
	text    string
	waiting chan time.Time
	end     chan struct{}
}

func (o *unended) Read(p []byte) (int, error) {
	if o.text == "" {
		close(o.waiting)
		<-o.end
		return 0, io.EOF
	}
	n := copy(p, o.text)
	o.text = o.text[n:]
	return n, nil
}

// At a terminal there is no event to wait for.
func TestAtATerminalNothingIsRead(t *testing.T) {
	t.Parallel()
	var box inbox
	if data, fault, _ := box.readAll(report.Env{Stdin: iotest{}, Prompt: true}); data != nil || fault == "" {
		t.Errorf("%q %q", data, fault)
	}
}

// iotest fails the test that reads it.
type iotest struct{}

func (iotest) Read([]byte) (int, error) { panic("read") }

// Nobody hears a stream that fails; it is no reason for another exit code.
func TestStreamsThatFail(t *testing.T) {
	t.Parallel()
	f := &fake{}
	code := run(t.Context(), report.Env{
		Stdin: strings.NewReader(claudeStart), Stdout: failing{}, Stderr: failing{}, Dir: "/work",
	}, []string{"--agent", "claude"}, f.open)
	if code != 0 || len(f.events) != 1 {
		t.Errorf("exit code %d, %d events", code, len(f.events))
	}
	if code := run(t.Context(), report.Env{}, nil, f.open); code != 0 {
		t.Errorf("exit code %d without a world", code)
	}
	if got := f.play(t.Context(), failing{}, nil, "--agent"); got != (said{}) {
		t.Errorf("%+v", got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("closed") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("closed") }

// Whatever bytes come, under whatever flag: no panic, and an answer that the client can read.
func FuzzPayload(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(strings.Join(s.args, " "), s.data)
	}
	f.Add("--agent gemini", []byte(`{"hook_event_name":"BeforeTool","session_id":"s","tool_calls":[null,1,{}],"timestamp":1e400}`))
	f.Fuzz(func(t *testing.T, line string, data []byte) {
		ask := parseFlags(strings.Fields(line))
		in, fault := decode(ask, "/base", data)
		if fault == "" && !in.ignored &&
			(!agentsession.IsSession(in.event.Session) || in.event.Event == "" || in.event.Client != in.client.name) {
			t.Errorf("%+v", in)
		}
		in.anchor("/other")
		for _, out := range []output{in.render(everything()), neutral(in.client)} {
			if out.code != 0 && (out.code != refused || in.client.name != kiro) || out.stderr != "" && in.client.name != kiro {
				t.Errorf("%+v", out)
			}
			text := bytes.TrimSpace(out.stdout)
			jsonOnly := in.client.name == gemini || in.client.name == cursor
			if (jsonOnly || bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("["))) &&
				(!json.Valid(text) || bytes.Count(out.stdout, []byte("\n")) != 1) {
				t.Errorf("%q for %s", out.stdout, in.client.name)
			}
		}
	})
}
