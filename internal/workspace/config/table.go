package config

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/frontmatter"
	"baton/internal/protocol"
	"baton/internal/statedir"
	"baton/internal/statusline"
	"baton/internal/task"
)

// The kinds of value that a setting takes.
const (
	kindText     = "text"
	kindNumber   = "number"
	kindBool     = "bool"
	kindDuration = "duration"
	kindMap      = "map"
	kindList     = "list"
)

// Row is one row of the table from which defaults, checks, "config list" and the
// documentation are made (D27).
type Row struct {
	Key   string
	kind  string
	def   any
	words string // allowed words, separated by "|"
	least int    // of numbers: the lowest value
	Doc   string
}

// Table holds all rows.
type Table []Row

// Settings returns the table. It is built on request, not at start-up.
func Settings() Table {
	limits := task.DefaultLimits()
	return Table{
		{Key: "tasks.dialect", kind: kindText, def: "v2", words: "v1|v2", Doc: "format of new task files"},
		{Key: "tasks.sizing", kind: kindText, def: limits.Sizing, words: "v1|v2", Doc: "profile that decides when a " +
			"task counts as large"},
		{Key: "tasks.warn_kb", kind: kindNumber, def: limits.WarnKB, least: 1, Doc: "size in KB at which a task file " +
			"counts as large"},
		{Key: "tasks.archive_kb", kind: kindNumber, def: limits.ArchiveKB, least: 1, Doc: "size in KB above which " +
			"older sessions move to the archive"},
		{Key: "tasks.keep_sessions", kind: kindNumber, def: limits.KeepSessions, least: 1, Doc: "how many sessions " +
			"stay in the file when others move to the archive"},
		{Key: "tasks.notice_sessions", kind: kindNumber, def: limits.NoticeSessions, least: 1, Doc: "number of " +
			"sessions above which baton proposes to split the task"},
		{Key: "tasks.lease", kind: kindDuration, def: "30m", Doc: "how long a claim lasts if its holder changes " +
			"nothing"},
		{Key: "tasks.criteria", kind: kindList, def: []string(nil), Doc: "criteria that every new task gets in " +
			"addition to its own"},
		{Key: "claims.scope", kind: kindText, def: "note", words: "note|deny", Doc: "what happens if an agent edits " +
			"a file in the scope of another session's claim"},
		{Key: "gsd.version", kind: kindText, def: "", Doc: "release of GSD whose rules apply, such as 1.14; empty: " +
			"what the project's files say"},
		{Key: "hooks.guard", kind: kindText, def: "on", words: "on|off", Doc: "refuse agents' own edits of what only " +
			"baton writes: archives, evidence, metadata, ad hoc names"},
		{Key: "hooks.hold", kind: kindBool, def: true, Doc: "ask an agent that stops without a hand-off for one, " +
			"if the session ends there or much has changed"},
		{Key: "hooks.hold_after", kind: kindNumber, def: 5, Doc: "number of changed files above which an agent is " +
			"asked in any case"},
		{Key: "hooks.take", kind: kindText, def: "auto", words: "auto|off", Doc: "let a session work on the task " +
			"that its prompt, its branch or its edits name"},
		{Key: "hooks.draft", kind: kindBool, def: true, Doc: "draft an entry from facts for a session that left none"},
		{Key: "hooks.quote", kind: kindBool, def: true, Doc: "quote the agent's last message and its open to-dos in " +
			"such an entry"},
		{Key: "hooks.context_notes", kind: kindBool, def: true, Doc: "tell an agent when its context window fills " +
			"up, if its client reports that"},
		{Key: "state.max_lines", kind: kindNumber, def: 100, least: 1, Doc: "maximum number of lines of a digest"},
		{Key: "state.max_bytes", kind: kindNumber, def: 32768, least: 1, Doc: "maximum number of bytes of a digest"},
		{Key: "decisions.keep", kind: kindNumber, def: 5, least: 0, Doc: "how many decisions stay in the digest"},
		{Key: "decisions.tolerate", kind: kindNumber, def: 7, least: 0, Doc: "how many decisions may be there before " +
			"older ones move"},
		{Key: "decisions.eager", kind: kindBool, def: false, Doc: "move decisions before the digest is full"},
		{
			Key: "decisions.direction", kind: kindText, def: "auto", words: "auto|newest-first|oldest-first",
			Doc: "order of decisions in the digest",
		},
		{Key: "decisions.titles", kind: kindList, def: []string(nil), Doc: "additional headings that have decisions " +
			"below them"},
		{Key: "rotate.sections", kind: kindList, def: []string(nil), Doc: "additional sections whose oldest entries " +
			"may move to the archive"},
		{
			Key: "layout.tasks", kind: kindText, def: "", words: "baton|specflux",
			Doc: "layout of new tasks when a project has two",
		},
		{
			Key: "layout.digest", kind: kindText, def: "", words: "baton|gsd|specflow",
			Doc: "layout of the digest when a project has two",
		},
		{
			Key: "layout.folder", kind: kindText, def: "", words: "baton|devt",
			Doc: "layout of the state folder when a project has two",
		},
		{Key: "work.archive_runs", kind: kindNumber, def: statedir.ArchiveRuns, least: 0, Doc: "how many snapshots " +
			"to keep in the archive of the state folder; older ones are listed, not removed"},
		{Key: "work.dispatch_hygiene", kind: kindText, def: "block", words: "block|warn|off", Doc: "whether agents " +
			"started without the guard may end a workflow"},
		{Key: "statusline.segments", kind: kindList, def: []string(
			nil,
		), words: strings.Join(statusline.SegmentNames(), "|"), Doc: "segments " +
			"of the status line in their order; empty: the layout's default"},
		{
			Key: "statusline.state_format", kind: kindText, def: "full", words: "full|compact",
			Doc: "how the status line writes the state of a milestone",
		},
		{Key: "statusline.scale", kind: kindText, def: "", words: "real|usable", Doc: "whether the context bar shows " +
			"the whole window or its usable part; empty: the layout's default"},
		{Key: "statusline.context_position", kind: kindText, def: "end", words: "end|front", Doc: "position of the " +
			"context bar in the status line"},
		{Key: "statusline.show_context_tokens", kind: kindBool, def: false, Doc: "show the tokens in use after the " +
			"context bar"},
		{Key: "statusline.sensor", kind: kindBool, def: false, Doc: "write how full the context is to " +
			".baton/local/sensor, for hooks"},
		{Key: "verification.servers", kind: kindMap, def: map[string]string(nil), Doc: "servers that help to verify " +
			"work, each with its command line; empty: playwright and github"},
		{Key: "verification.description", kind: kindBool, def: true, Doc: "write next to each such server what it is " +
			"for"},
		{Key: "protocol.setting", kind: kindText, def: protocol.SettingFull, words: protocol.SettingFull + "|" +
			protocol.SettingLean, Doc: "session protocol: every phase, or the three that matter most"},
		{Key: "snapshots.max_mb", kind: kindNumber, def: 64, least: 0, Doc: "delete the oldest kept versions of " +
			"documents above this size in MB (0 = keep none)"},
		{Key: "snapshots.days", kind: kindNumber, def: 90, least: 0, Doc: "delete kept versions after this many days " +
			"(the newest is always kept; 0 = never)"},
		{Key: "ledger.keep", kind: kindBool, def: true, Doc: "remember every decision, session, criterion, blocker " +
			"and output, so that lost ones are listed and can be restored"},
		{Key: "paths.allow", kind: kindList, def: []string(nil), Doc: "folders outside the project that baton may " +
			"write to through links"},
		{Key: "on_attention", kind: kindText, def: "", Doc: "command that runs when an agent's session begins " +
			"to wait for you; empty: none"},
		{Key: "repositories", kind: kindMap, def: map[string]string(
			nil,
		), Doc: "folder of each repository, for commands that check criteria"},
	}
}

// row returns the row of a setting.
func (t Table) row(key string) (Row, bool) {
	for _, s := range t {
		if s.Key == key {
			return s, true
		}
	}
	return Row{}, false
}

// section reports whether a key has settings below it.
func (t Table) section(key string) bool {
	for _, s := range t {
		if strings.HasPrefix(s.Key, key+".") {
			return true
		}
	}
	return false
}

// nearest returns the setting that a key with this value may stand for, or "". It looks for a
// similar name, then below the key, then for the last part of a name.
func (t Table) nearest(full string, value any) string {
	names := []string{full}
	if below, ok := value.(frontmatter.Map); ok {
		for _, e := range below {
			names = append(names, full+"."+e.Key)
		}
	}
	keys := make([]task.ID, len(t))
	for i, s := range t {
		keys[i] = task.ID(s.Key)
	}
	for _, name := range names {
		if near := task.Nearest(name, keys); len(near) > 0 {
			return near[0]
		}
	}
	for _, s := range t {
		if strings.HasPrefix(s.Key, full+".") || strings.HasSuffix(s.Key, "."+full) {
			return s.Key
		}
	}
	return ""
}

// convert converts a value of the file to the setting's type.
func (s Row) convert(e frontmatter.Entry) (any, bool) {
	switch s.kind {
	case kindNumber:
		n, ok := e.Value.(int64)
		return int(n), ok && n >= int64(s.least) && n <= 1<<30
	case kindBool:
		b, ok := e.Value.(bool)
		return b, ok
	case kindDuration:
		d, err := time.ParseDuration(e.Text)
		return e.Text, err == nil && d > 0
	case kindList:
		list, ok := texts(e.Value)
		for _, text := range list {
			ok = ok && s.takes(text)
		}
		return list, ok
	}
	text, ok := e.Value.(string)
	return text, ok && s.takes(text)
}

// takes reports whether a word is allowed.
func (s Row) takes(word string) bool {
	return s.words == "" || slices.Contains(strings.Split(s.words, "|"), word)
}

func texts(value any) ([]string, bool) {
	list, ok := value.([]any)
	out := make([]string, 0, len(list))
	for _, v := range list {
		text, isText := v.(string)
		ok = ok && isText
		out = append(out, text)
	}
	return out, ok
}

// Wants describes what a setting accepts.
func (s Row) Wants() string {
	switch s.kind {
	case kindNumber:
		return "a whole number, at least " + strconv.Itoa(s.least)
	case kindBool:
		return "true or false"
	case kindDuration:
		return "a length of time"
	case kindList:
		if s.words != "" {
			return "a list of the words " + strings.ReplaceAll(s.words, "|", ", ")
		}
		return "a list of texts"
	case kindMap:
		return "a mapping of names to folders"
	}
	if s.words == "" {
		return "a text"
	}
	return "one of " + strings.ReplaceAll(s.words, "|", ", ")
}

// Default returns the value without a configuration.
func (s Row) Default() any { return s.def }

// Meaning returns what a setting does, with the words that it accepts.
func (s Row) Meaning() string {
	if s.words == "" {
		return s.Doc
	}
	return s.Doc + " (" + strings.ReplaceAll(s.words, "|", ", ") + ")"
}

// Example returns a value in the syntax of the configuration: the default if there is one, or else
// the first word that the setting accepts.
func (s Row) Example() string {
	switch v := s.def.(type) {
	case string:
		switch {
		case v != "":
			return v
		case s.words == "":
			return `notify-send "$BATON_AGENT $BATON_STATE" "$BATON_ABOUT"`
		}
		first, _, _ := strings.Cut(s.words, "|")
		return first
	case int:
		return strconv.Itoa(v)
	case bool:
		return "true"
	case []string:
		if s.words != "" {
			return "[" + strings.ReplaceAll(s.words, "|", ", ") + "]"
		}
		if s.Key != "paths.allow" {
			return `["first text", "second text"]`
		}
		return "[/srv/shared]"
	}
	return "{name: folder}"
}
