package specflow

import (
	"strings"
	"time"
)

// New returns a new digest in the form that SpecFlow reads and writes since 1.20: form C, and
// decisions with a date (specflow.md 5.3, F-64). A comment has a note about its size. name is the
// project's name.
func New(now time.Time, name string) []byte {
	name = strings.NewReplacer("--", "-", ">", "").Replace(fold(name))
	if name == "" {
		name = "this project"
	}
	return []byte(`# SpecFlow State

<!-- The digest of ` + name + `: at most 100 lines. Older decisions go to DECISIONS_ARCHIVE.md. -->

## Active Specifications

` + activeHeader + "\n" + activeDelimiter + `

## Queue

| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|

## Decisions

| Date | Decision |
|------|----------|

## Project Patterns

## Warnings

| Date | Specification | Reason |
|------|---------------|--------|

---
*Last updated: ` + now.Format(time.DateOnly) + `*
`)
}
