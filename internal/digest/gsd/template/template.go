// Package template has the texts of new digests, and recognises what nobody has filled in yet.
package template

import (
	"strings"
	"time"
	"unicode"

	"baton/internal/safetext"
)

// Planning returns a new digest in GSD's form. It has the structure of gsd.md 1.12, with unknown
// values in square brackets. project is the project's name, or "".
func Planning(now time.Time, project string) []byte {
	reference := ".planning/PROJECT.md"
	if project = safetext.JoinLines(project); project != "" {
		reference += " (" + project + ")"
	}
	text := strings.NewReplacer(
		"{stamp}", stamp(now), "{today}", now.Format(time.DateOnly), "{bar}", "["+safetext.Bar(0, "█", "░")+"]",
		"{reference}", reference,
	).Replace(blank)
	return []byte(text)
}

// Own returns a new digest in baton's own form. It has only what every project uses; the first
// phase adds the rest.
func Own(now time.Time) []byte {
	return []byte(strings.ReplaceAll(own, "{stamp}", stamp(now)))
}

func stamp(now time.Time) string { return now.UTC().Format("2006-01-02T15:04:05.000Z") }

// own is the template of baton's own digest. Its decisions are in a table.
const own = `---
gsd_state_version: '1.0'
last_updated: "{stamp}"
---

# Project State

## Accumulated Context
### Decisions
| Date | Phase | Decision |
|------|-------|----------|

### Pending Todos
None yet.

### Blockers/Concerns
None yet.
`

// blank is the template of a GSD digest.
const blank = `---
gsd_state_version: '1.0'
status: planning
progress:
  total_phases: 0
  completed_phases: 0
  total_plans: 0
  completed_plans: 0
  percent: 0
last_updated: "{stamp}"
---

# Project State
## Project Reference
See: {reference}
**Core value:** [what the project is for, in one sentence]
**Current focus:** [what is worked on now]

## Current Position
Phase: [N] of [M] ([Name])
Plan: [A] of [B] in current phase
Status: Ready to plan
Last activity: {today}

Progress: {bar} 0%

## Performance Metrics
**Velocity:**
- Total plans completed: 0
- Average duration: -
- Total execution time: -

**By Phase:**

| Phase | Plans | Total | Avg/Plan |
|-------|-------|-------|----------|
| - | - | - | - |

**Recent Trend:**
- Last 5 plans: -
- Trend: -

*Kept up to date as plans are completed*

## Accumulated Context
### Decisions
None yet.

### Pending Todos
None yet.

### Blockers/Concerns
None yet.

## Deferred Items
| Category | Item | Status | Deferred At |
|----------|------|--------|-------------|

## Session Continuity
Last session: [when it ended]
Stopped at: [what was finished last]
Resume file: None
`

// Unfilled reports whether a value is still the template's: text in square brackets, with only the
// template's own words around it (N2). A progress bar does not count.
func Unfilled(text string) bool {
	found := false
	var left strings.Builder
	for text != "" {
		open := strings.IndexByte(text, '[')
		if open < 0 {
			break
		}
		end := strings.IndexByte(text[open:], ']')
		if end < 0 {
			return false
		}
		inner := text[open+1 : open+end]
		if strings.IndexFunc(inner, unicode.IsLetter) < 0 || strings.HasPrefix(text[open+end+1:], "(") || inner == "x" {
			return false
		}
		found = true
		left.WriteString(text[:open] + " ")
		text = text[open+end+1:]
	}
	left.WriteString(text)
	for word := range strings.FieldsSeq(left.String()) {
		switch strings.Trim(word, "()%—–-.,:/") {
		case "", "of", "in", "current", "phase":
		default:
			return false
		}
	}
	return found
}
