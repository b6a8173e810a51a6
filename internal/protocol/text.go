package protocol

import (
	"slices"
	"strings"
	"unicode"
)

// The settings of the protocol (5.16).
const (
	SettingFull = "full" // every point, in six phases
	SettingLean = "lean" // the points of the shorter protocol and all rules, in three
)

// Also is the key of an override for the text that comes after all phases.
const Also = "also"

func phasesOf(setting string) []phase {
	if setting == SettingLean {
		return lean()
	}
	return full()
}

// phases returns the phases of the setting, and the other phases for which the project has a text.
func (o Options) phases() []phase {
	var out []phase
	own := phasesOf(o.Setting)
	for _, p := range full() {
		i := slices.IndexFunc(own, func(q phase) bool { return q.name == p.name })
		switch {
		case i >= 0:
			out = append(out, own[i])
		case strings.TrimSpace(o.Override[p.name]) != "":
			out = append(out, phase{name: p.name})
		}
	}
	return out
}

// Phases returns the names of the phases in order, followed by Also if the project has such a text.
func (o Options) Phases() []string {
	var out []string
	for _, p := range o.phases() {
		out = append(out, p.name)
	}
	if o.also() != "" {
		out = append(out, Also)
	}
	return out
}

// Find returns the phase with a name, ignoring case, blanks and hyphens, or "" if there is none. It
// finds hand-over also as hand-off, the word that all other texts use.
func (o Options) Find(name string) string {
	for _, phase := range o.Phases() {
		if folded(phase) == strings.ReplaceAll(folded(name), "handoff", "handover") {
			return phase
		}
	}
	return ""
}

// folded returns the letters of a name in lower case.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// Text returns the session protocol, or one phase of it, in Markdown. The project's text for a
// phase replaces baton's; its text for Also comes last.
func Text(o Options) string {
	var b strings.Builder
	if o.Phase == "" {
		b.WriteString("# Session protocol\n")
	}
	for _, p := range o.phases() {
		if o.Phase != "" && o.Phase != p.name {
			continue
		}
		own := strings.TrimSpace(o.Override[p.name])
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("## " + strings.ToUpper(p.name[:1]) + p.name[1:] + "\n\n")
		if own != "" {
			b.WriteString(strings.Join(lines(own), "\n") + "\n")
			continue
		}
		for _, par := range p.paragraphs {
			if o.NoTasks {
				par.text = o.withoutTasks(par)
			}
			if par.text != "" {
				b.WriteString("- " + o.filled(par.text) + "\n")
			}
		}
	}
	if own := o.also(); own != "" && (o.Phase == "" || o.Phase == Also) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("## Also\n\n" + strings.Join(lines(own), "\n") + "\n")
	}
	return b.String()
}

// also returns the project's text in addition to all phases.
func (o Options) also() string { return strings.TrimSpace(o.Override[Also]) }

// recorded returns where to record that something cannot be done, using commands that the project
// has.
func (o Options) recorded(id string) string {
	const decision = "`baton decision add TEXT` for what others need to know"
	switch {
	case o.NoTasks && o.Digest == KindNone:
		return "`baton dir update KEY=VALUE` for the record of the workflow, the files of its phases for all else"
	case o.NoTasks && o.Digest == KindSpecflow:
		return decision + ", and for blockers"
	case o.Digest == KindNone:
		return "`baton task block " + id + " --reason TEXT` for blockers, the issues in the progress log " +
			"for what others need to know"
	case o.Digest == KindSpecflow:
		return "`baton task block " + id + " --reason TEXT` for blockers, " + decision
	}
	return "`baton blocker add TEXT` for blockers, " + decision
}

// filled replaces the placeholders of a paragraph.
func (o Options) filled(text string) string {
	id, file := o.Task, "`"+short(o.Path, 200)+"`"
	if id == "" {
		id = "ID"
	}
	one, many := word(o.Words, false), word(o.Words, true)
	switch {
	case o.NoTasks && o.Path == "":
		file = "the record of the workflow (`baton dir read`)"
	case o.Path == "":
		file = "the task's state file"
	}
	if o.NoTasks {
		one, many = "step", "steps"
	}
	return strings.NewReplacer(
		"{one}", one, "{many}", many, "{id}", id, "{file}", file, "{record}", o.recorded(id), "{end}", o.stopped(),
	).Replace(text)
}
