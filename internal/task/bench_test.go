package task_test

import (
	"strconv"
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/tasktest"
)

// large returns a v2 file of about the given size in KB, with typical sessions.
func large(kb int) []byte {
	var b strings.Builder
	b.Write(create.New(tasktest.FullTask()))
	src := b.String()
	head, tail, _ := strings.Cut(src, "(No sessions yet)\n\n")
	b.Reset()
	b.WriteString(head)
	for n := 1; b.Len()+len(tail) < kb*1024; n++ {
		b.WriteString("### Session " + strconv.Itoa(n) + " - 2025-03-04 09:10\n**Did:**\n")
		for range 12 {
			b.WriteString("- Changed the way in which a token is read from its header and wrote a test that shows it\n")
		}
		b.WriteString("\n**Issues:** The clock of one machine is late, so tokens seem to come from the future\n\n**Next:** Allow for a " +
			"minute of difference\n\n")
	}
	b.WriteString(tail)
	return []byte(b.String())
}

// BenchmarkParse75KB reads a file of 75 KB and returns its bytes, which takes less than 200 µs.
func BenchmarkParse75KB(b *testing.B) {
	src := large(75)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if len(task.Parse("101", src).Bytes()) != len(src) {
			b.Fatal("bytes changed")
		}
	}
}

// BenchmarkParseShortLines reads a file of the same size with lines of thirty characters and nested lists. Such files
// are rare; the benchmark shows the cost of a line.
func BenchmarkParseShortLines(b *testing.B) {
	head, tail, _ := strings.Cut(string(create.New(tasktest.FullTask())), "(No sessions yet)\n\n")
	session := "### Session 1 - 2025-03-04 09:10\n**Did:**\n" + strings.Repeat("- Wrote one more small test\n  - for `token`\n", 8) +
		"\n**Next:** The next one\n\n"
	src := []byte(head + strings.Repeat(session, 75*1024/len(session)) + tail)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if len(task.Parse("101", src).Bytes()) != len(src) {
			b.Fatal("bytes changed")
		}
	}
}

// BenchmarkParseHead reads what a list reads of each task.
func BenchmarkParseHead(b *testing.B) {
	head := large(10)[:4096]
	b.ReportAllocs()
	for b.Loop() {
		if task.ParseHead("101", head).Title == "" {
			b.Fatal("no title")
		}
	}
}

// BenchmarkCheck75KB checks one criterion of a large file.
func BenchmarkCheck75KB(b *testing.B) {
	s := task.Parse("101", large(75))
	for b.Loop() {
		if _, err := s.SetCriterion(1, true, tasktest.Noon()); err != nil {
			b.Fatal(err)
		}
	}
}
