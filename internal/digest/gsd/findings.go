package gsd

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
)

// Findings returns what is wrong or unusual in the digest (N13). With facts it also compares the
// digest with other files. The caller adds the paths.
func (d *Doc) Findings(facts ...phases.Facts) []report.Finding {
	c := checker{d: d, m: d.Model(), out: []report.Finding{}}
	c.frontMatter()
	c.statuses()
	c.lifecycle()
	c.structure()
	for _, f := range facts {
		c.drift(f)
	}
	return c.out
}

// checker collects findings.
type checker struct {
	d   *Doc
	m   Model
	out []report.Finding
}

func (c *checker) warn(code report.Code, line int, format string, args ...any) {
	c.out = append(c.out, code.Finding("", line, fmt.Sprintf(format, args...)))
}

// keyLine returns the line of a key of the front matter, or 0 if the key is missing.
func (d *Doc) keyLine(path string) int {
	v, _ := d.getFront(path)
	return v.Line
}

func (c *checker) frontMatter() {
	d := c.d
	if d.front.open {
		c.warn(report.CodeFrontmatterUnterminated, 1,
			"the front matter that begins on line 1 is never closed, so it counts as text")
	}
	if d.front.blanks {
		c.warn(report.CodeFrontmatterInvalid, 1,
			"blanks follow the mark on line 1, so no reader sees the block below it as front matter and "+
				"counts as text")
	}
	if d.sheet != nil {
		if err := d.sheet.Err(); err != nil {
			line := d.line(d.front.body.Start)
			if e := report.As(err); e.Line > 0 {
				line += e.Line - 1
			}
			c.warn(report.CodeFrontmatterInvalid, line,
				"the front matter is not valid YAML and is read line by line: %s", err)
		}
	}
	if d.front.late > 0 {
		c.warn(report.CodeFrontmatterInvalid, d.front.late,
			"the front matter begins on line %d; other readers see it on the first line only", d.front.late)
	}
	if d.front.stacked > 0 {
		c.warn(report.CodeStackedFrontmatter, d.front.stacked,
			"a second block of front matter begins on line %d; only the first one is read", d.front.stacked)
	}
	if c.conflicting() {
		c.warn(report.CodeLifecycleConflict, d.keyLine("active_phase"),
			"phase %s is active, but a next step is stored too; only one of them can be right", c.m.ActivePhase)
	}
}

// conflicting reports whether a phase is active and a next step is stored too.
func (c *checker) conflicting() bool {
	return c.m.ActivePhase != "" && (c.m.NextAction != "" || len(c.m.NextPhases) > 0 ||
		slices.Contains(c.m.Stale, "next_action") || slices.Contains(c.m.Stale, "next_phases"))
}

// lifecycle finds what the front matter says although the project has moved on: lifecycle fields
// that are not true any more (D46), and a status other than the body's (F-53).
func (c *checker) lifecycle() {
	for _, name := range c.m.Stale {
		if c.conflicting() {
			break // said already
		}
		why := "a stage is running"
		switch name {
		case "active_phase":
			why = "the current phase is " + c.m.CurrentPhase
		case "paused_at":
			why = "the status is " + brief(c.m.StatusFront)
		}
		c.warn(report.CodeLifecycleStale, c.d.keyLine(name), "%s is %s, but %s", name, brief(c.d.shown(name)), why)
	}
	if body := c.d.overruling(c.m.StatusFront); c.d.sheet != nil && c.m.PausedAt == "" && body != "" {
		c.warn(report.CodeStatusDrift, c.d.keyLine("status"), "the status is %q, but the text says %q",
			or(brief(c.m.StatusFront), "missing"), brief(body))
	}
}

func (c *checker) statuses() {
	raw := c.m.StatusRaw
	line := c.d.keyLine("status")
	if line == 0 {
		if f, ok := c.d.find(c.d.positionSpan(), "Status", false); ok {
			line = c.d.line(f.start)
		}
	}
	switch {
	case raw == "":
	case ambiguous(raw):
		c.warn(report.CodeStatusAmbiguous, line, "the status %q is read as %s, which may be wrong",
			brief(raw), c.m.Status)
	case Canonical(raw, false) == statusUnknown:
		c.warn(report.CodeUnknownStatus, line, "the status %q is not one of the known ones", brief(raw))
	}
}

// brief returns the beginning of a text that may fill a whole line of a digest.
func brief(text string) string { return safetext.Runes(text, 80) }

func (c *checker) structure() {
	d := c.d
	if f, ok := d.md.Unclosed(); ok {
		line := d.line(d.md.Lines()[f.Open].Start + d.shift)
		c.warn(report.CodeUnclosedFence, line,
			"the code fence that begins on line %d is never closed; everything below counts as code", line)
	}
	seen := map[string]bool{}
	for i := range d.titles {
		t := &d.titles[i]
		name := strings.ToLower(strings.Join(strings.Fields(t.text), " "))
		switch name {
		case "project reference", "current position", "performance metrics", "accumulated context", "pending todos",
			"blockers/concerns", "blockers", "deferred items", "session", "session continuity":
		default:
			continue
		}
		if seen[name] {
			line := d.line(t.head.Start)
			c.warn(report.CodeDuplicateSection, line, "the section %q appears again on line %d", t.text,
				line)
		}
		seen[name] = true
	}
	c.unfilled()
}

// unfilled lists the labels whose value is still the template's text in brackets.
func (c *checker) unfilled() {
	var names []string
	line := 0
	look := func(in scope, labels ...string) {
		for _, label := range labels {
			if f, ok := c.d.find(in(c.d), label, false); ok && template.Unfilled(c.d.text(f)) {
				names = append(names, f.label)
				if line == 0 {
					line = c.d.line(f.start)
				}
			}
		}
	}
	look((*Doc).positionSpan, positionLabels()...)
	look((*Doc).sessionSpan, "Last session", "Stopped at", "Resume file")
	look((*Doc).body, "Core value", "Current focus")
	if len(names) > 0 {
		c.warn(report.CodeUnfilledTemplate, line, "not filled in yet: %s", strings.Join(names, ", "))
	}
}
