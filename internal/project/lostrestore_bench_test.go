package project

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/workspace"
)

// lostText returns a digest or archive with n decisions; keep says which of them are in it.
func lostText(name string, n int, keep func(n int) bool) string {
	var b strings.Builder
	if name == specArchiveName {
		b.WriteString("# SpecFlow Decisions Archive\n\n| Date | Specification | Decision |\n|---|---|---|\n")
	} else {
		b.WriteString("# Project State\n\n## Accumulated Context\n\n### Decisions\n\n")
	}
	for i := range n {
		switch {
		case !keep(i):
		case name == specArchiveName:
			fmt.Fprintf(&b, "| 20%02d-%02d-%02d | SPEC-%d | Decision %d stands for as long as nobody changes it |\n", 10+
				i/3360, 1+i/280%12, 1+i/10%28, i%7, i)
		default:
			fmt.Fprintf(&b, "- [Phase %d]: Decision %d stands for as long as nobody changes it\n", 1+9*i/n, i)
		}
	}
	if name != specArchiveName {
		b.WriteString("\n### Pending Todos\n\nNone yet.\n\n## Session Continuity\n\nLast session: 2026-03-01\n")
	}
	return b.String()
}

// BenchmarkLostRestore restores entries of a long document: all of them, four of five, and all except the last.
func BenchmarkLostRestore(b *testing.B) {
	p := newWorld(b).as("a")
	for _, name := range [...]string{gsdDigest, specArchiveName} {
		for _, n := range [...]int{1000, 10000} {
			for wiped, keep := range map[string]func(int) bool{
				"all": func(int) bool { return false }, "four of five": func(i int) bool {
					return i%5 ==
						0
				}, "all but the last": func(i int) bool { return i == n-1 },
			} {
				full, now := lostText(name, n, func(int) bool { return true }), lostText(name, n, keep)
				known := p.EntriesOf(name, []byte(full))
				back := keysBack(p, name, known, now)
				b.Run(fmt.Sprintf("%s %d %s", workspace.DocKind(name), n, wiped), func(b *testing.B) {
					for b.Loop() {
						next, err := withAll(p, name, []byte(now), known, back)
						if err != nil || wiped != "all" && string(next) != full {
							b.Fatalf("%v", err)
						}
					}
				})
			}
		}
	}
}
