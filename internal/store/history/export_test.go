package history

import (
	"fmt"
	"strings"

	"baton/internal/report"
)

// LogLine returns a record as a line of the log, for tests that forge one.
func LogLine(t interface{ Fatal(...any) }, c Change) string {
	line, err := c.line()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// LogOutside records changes by somebody else, as Observe does.
func LogOutside(h *History, docs []DocChange) error {
	r := &recorder{History: h, note: func(report.Code, string, string) {}}
	return r.logOutside(docs)
}

// KnownCache returns a cache with these lines and a valid checksum.
func KnownCache(cache, lines string) string {
	first, _, _ := strings.Cut(cache, "\n")
	words := strings.SplitN(first, " ", 3)
	var file, offset int64
	var sum string
	if _, err := fmt.Sscanf(words[2], "%d %d %s", &file, &offset, &sum); err != nil {
		panic(err)
	}
	head := fmt.Sprintf("%d %d %s %d %d", file, offset, sum, len(lines), 0)
	return fmt.Sprintf("%s %08x %s\n%s", knownMark, knownCheck(head, []byte(lines)), head, lines)
}

// OldVersionLine returns the record of a version as older versions of baton wrote it. Its bytes are
// in a pack or, for pack 0, in a file of their own.
func OldVersionLine(t interface{ Fatal(...any) }, v Snapshot, pack, from int64) string {
	v.Part, v.Moved, v.Pack, v.From = 0, false, pack, from
	line, err := v.line()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}
