package specflow

import (
	"strings"
	"time"
)

// New returns a new digest in the form of SpecFlow's own (specflow.md 5.3), with a note about its
// size in a comment. name is the project's name.
func New(now time.Time, name string) []byte {
	name = strings.NewReplacer("--", "-", ">", "").Replace(fold(name))
	if name == "" {
		name = "this project"
	}
	return []byte(`# SpecFlow State

<!-- The digest of ` + name + `: at most 100 lines. Older decisions go to DECISIONS_ARCHIVE.md. -->

## Current Position

- **Active Specification:** none
- **Status:** idle
- **Next Step:** /sf:new

## Queue

| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|

## Decisions

| Date | Specification | Decision |
|------|---------------|----------|

## Project Patterns

## Warnings

| Date | Specification | Reason |
|------|---------------|--------|

---
*Last updated: ` + now.Format(time.DateOnly) + `*
`)
}
