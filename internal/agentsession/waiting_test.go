package agentsession

import (
	"strings"
	"testing"
	"time"
)

const at, later = "2026-03-02T09:00:00Z", "2026-03-02T09:05:00Z"

func TestWhatAnEventSaysAboutASession(t *testing.T) {
	t.Parallel()
	wait := func(s State, about string) Wait { return Wait{State: s, Since: at, About: about} }
	for name, c := range map[string]struct {
		was  Wait
		e    Event
		want Wait // Since "" stands for the time of the event
	}{
		"a start": {Wait{}, Event{Event: Start, Source: "startup"}, Wait{State: Idle}},
		"a start in the middle": {
			wait(Stopped, ""), Event{Event: Start, Source: "resume"}, Wait{State: Idle},
		},
		"a start after a compaction": {
			wait(Working, ""), Event{Event: Start, Source: "compact"}, wait(Working, ""),
		},
		"a first event of all": {
			Wait{}, Event{Event: Start, Source: "compact"}, Wait{State: Working},
		},
		"a prompt": {wait(Idle, ""), Event{Event: Prompt}, Wait{State: Working}},
		"a tool":   {wait(Working, ""), Event{Event: PostTool}, wait(Working, "")},
		"a permission": {
			wait(Working, ""), Event{Event: AskPermission, About: "Bash: ls"}, Wait{State: Asks, About: "Bash: ls"},
		},
		"a second permission": {
			wait(Asks, "Bash: ls"), Event{Event: AskPermission, About: "Edit: a"}, Wait{State: Asks, About: "Edit: a"},
		},
		"the same permission": {
			wait(Asks, "Bash: ls"), Event{Event: AskPermission, About: "Bash: ls"}, wait(Asks, "Bash: ls"),
		},
		"a reminder of it": {
			wait(Asks, "Bash: ls"), Event{Event: AskPermission, About: "x", Reminder: true}, wait(Asks, "Bash: ls"),
		},
		"a reminder of a question": {
			wait(Question, "q?"), Event{Event: AskPermission, Reminder: true}, wait(Question, "q?"),
		},
		"a reminder alone": {
			wait(Working, ""), Event{Event: AskPermission, About: "x", Reminder: true}, Wait{State: Asks, About: "x"},
		},
		"a tool after a permission": {
			wait(Asks, "Bash: ls"), Event{Event: PostTool}, Wait{State: Working},
		},
		"a question": {
			wait(Working, ""), Event{Event: AskQuestion, About: "Which?"}, Wait{State: Question, About: "Which?"},
		},
		"an answer": {wait(Question, "Which?"), Event{Event: Answered}, Wait{State: Working}},
		"a stop":    {wait(Working, ""), Event{Event: Stop}, Wait{State: Idle}},
		"a stop with a question": {
			wait(Working, ""), Event{Event: Stop, About: "Go on?"}, Wait{State: Question, About: "Go on?"},
		},
		"a stop with work in background": {
			wait(Working, ""), Event{Event: Stop, Background: true, About: "Go on?"}, wait(Working, ""),
		},
		"a stop of a sub-agent": {
			wait(Working, ""), Event{Event: Stop, SubAgent: "a", About: "Go on?"}, wait(Working, ""),
		},
		"a limit": {
			wait(Working, ""), Event{Event: Failure, Limit: true, Until: later}, Wait{State: Limit, Until: later},
		},
		"an error": {
			wait(Working, ""), Event{Event: Failure, About: "overloaded"}, Wait{State: Stopped, About: "overloaded"},
		},
		"a reminder of a stop": {wait(Stopped, ""), Event{Event: BeIdle}, wait(Stopped, "")},
		"a reminder after an interruption": {
			wait(Working, ""), Event{Event: BeIdle}, Wait{State: Idle},
		},
		"a compaction": {
			wait(Idle, ""), Event{Event: PreCompact, Source: "auto"}, Wait{State: Working},
		},
		"a compaction that a person starts": {
			wait(Stopped, ""), Event{Event: PreCompact, Source: "manual"}, wait(Stopped, ""),
		},
		"one in a new record": {
			Wait{}, Event{Event: PostCompact, Source: "manual"}, Wait{State: Idle},
		},
		"the end":     {wait(Question, "q?"), Event{Event: End}, wait(Question, "q?")},
		"a sub-agent": {wait(Idle, ""), Event{Event: SubStart}, Wait{State: Working}},
	} {
		if c.want.Since == "" {
			c.want.Since = later
		}
		if got := c.was.Next(c.e, later); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A wait for which the command was started is not a new one as long as it goes on.
func TestAWaitGoesOn(t *testing.T) {
	t.Parallel()
	called := Wait{State: Asks, Since: at, About: "Bash: ls", Called: true}
	if got := called.Next(Event{Event: AskPermission, Reminder: true}, later); got != called {
		t.Errorf("%+v", got)
	}
	if got := called.Next(Event{Event: AskPermission, About: "Edit: a"}, later); got.Called {
		t.Errorf("another one: %+v", got)
	}
}

func TestAStopIsJudged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was        Wait
		e          Event
		held, owes bool
		want       Wait
	}{
		"nothing is owed": {
			Wait{State: Working, Since: at}, Event{}, false, false, Wait{State: Idle, Since: later},
		},
		"an entry is owed": {
			Wait{State: Working, Since: at}, Event{}, false, true, Wait{State: Stopped, Since: later},
		},
		"it is held": {
			Wait{State: Working, Since: at}, Event{}, true, true, Wait{State: Working, Since: at},
		},
		"held while idle": {
			Wait{State: Idle, Since: at}, Event{}, true, true, Wait{State: Working, Since: later},
		},
		"stopped before": {
			Wait{State: Stopped, Since: at}, Event{}, false, true, Wait{State: Stopped, Since: at},
		},
		"an error before": {
			Wait{State: Stopped, Since: at, About: "x"}, Event{}, false, true, Wait{State: Stopped, Since: later},
		},
		"with a question": {
			Wait{State: Working, Since: at}, Event{About: "q?"}, false, true, Wait{State: Question, Since: later, About: "q?"},
		},
		"work goes on": {
			Wait{State: Working, Since: at}, Event{Background: true}, false, true, Wait{State: Working, Since: at},
		},
		"a held background": {
			Wait{State: Working, Since: at}, Event{Background: true}, true, true, Wait{State: Working, Since: at},
		},
	} {
		rec := &Record{Session: "s", Wait: c.was}
		c.e.Event, c.e.Session = Stop, "s"
		rec.See(c.e, moment(later), "s")
		if rec.Halted(c.held, c.owes); rec.Wait != c.want {
			t.Errorf("%s: %+v, want %+v", name, rec.Wait, c.want)
		}
	}
}

func TestWhatAReaderSees(t *testing.T) {
	t.Parallel()
	seen := time.Date(2026, 3, 2, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		state State
		life  Life
		age   time.Duration
		want  State
		since string
	}{
		{Working, LifeOn, time.Minute, Working, at},
		{Working, LifeOn, time.Hour, Silent, later}, // a person may have interrupted it, which no event says
		{Asks, LifeOn, 100 * time.Hour, Asks, at},
		{Stopped, LifeOn, time.Hour, Stopped, at},
		{Working, LifeGone, time.Second, Dead, later},
		{Asks, LifeGone, time.Hour, Dead, later},
		{Asks, LifeUnknown, time.Minute, Asks, at},
		{Asks, LifeUnknown, time.Hour, Silent, later}, // never dead
		{"", LifeOn, time.Minute, Silent, later},
	} {
		rec := &Record{Seen: later, Wait: Wait{State: c.state, Since: at}}
		if got, since := rec.Doing(c.life, seen.Add(c.age), 30*time.Minute); got != c.want || since != c.since {
			t.Errorf("%+v: %s since %s", c, got, since)
		}
	}
}

func TestTheShortFormHasTheWait(t *testing.T) {
	t.Parallel()
	data := `{"session":"s","client":"claude","started":"` + at + `","seen":"` + at + `","base":0,` +
		`"wait":{"state":"asks","since":"` + at + `","about":"Bash: echo ,\"injected\":{ }"},"injected":{"times":0},"files":["` +
		strings.Repeat("x", BriefBytes) + `"]}`
	rec := Brief([]byte(data))
	if rec == nil || rec.Wait != (Wait{State: Asks, Since: at, About: `Bash: echo ,"injected":{ }`}) {
		t.Errorf("%+v", rec)
	}
}

func TestWhenALimitEnds(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("CET", 3600)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, zone)
	for said, want := range map[string]string{
		"You've hit your limit · resets 3pm (Europe/Berlin)":             "2026-03-02T14:00:00Z",
		"You've hit your session limit ∙ resets 9:15am":                  "2026-03-03T08:15:00Z",
		"You've hit your limit. It resets Oct 6, 1pm (America/New_York)": "2026-10-06T12:00:00Z",
		"limit, resets on march 1 at 17:05.":                             "2027-03-01T16:05:00Z",
		"resets at 4 pm":                                                 "2026-03-02T15:00:00Z",
		"Claude AI usage limit reached|1772445600":                       "2026-03-02T10:00:00Z",
		"Rate limit reached. Please try again in 20s.":                   "2026-03-02T08:30:20Z",
		"try again in 2 hours":                                           "2026-03-02T10:30:00Z",
		"limit until 2026-03-04T00:00:00Z, sorry":                        "2026-03-04T00:00:00Z",
		"":                        "",
		"resets":                  "",
		"resets soon":             "",
		"try again in a while":    "",
		"in 99999999999999 years": "",
		"x | y":                   "",
		"resets Feb 31, 25pm":     "",
	} {
		if got := LimitEnd(said, now); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestAMessageEndsWithAQuestion(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"":                                "",
		"Done.":                           "",
		"Is it done? Yes.":                "",
		"Done. Shall I go on?":            "Shall I go on?",
		"Done.\n\n- **Which port?**\n":    "Which port?",
		"Which one, \"a\" or \"b?\"":      "Which one, \"a\" or \"b?",
		"続けますか？":                          "続けますか？",
		"?":                               "?",
		"Really! Is that so? Go on then?": "Go on then?",
	} {
		if got := QuestionIn(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
