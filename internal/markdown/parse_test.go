package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// sample returns a document of at least size bytes that resembles a task file.
func sample(size int) []byte {
	var b bytes.Buffer
	b.WriteString("# Task #7: A title\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7\n}\n```\n\n## 1. Context\n\n")
	b.WriteString("- [ ] first criterion\n- [x] second criterion\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## 3. Progress Log\n\n")
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, "### Session %d - 2026-01-02 03:04\n\n**Did:**\n- wrote the parser for the lines of a document and its tests\n", n)
		b.WriteString("- measured it, with `code` in the text and a rather long line behind it that goes on and on\n\n")
		b.WriteString("**Issues:** None\n\n**Next:** go on with the table, then with the rest of what is open in the list above\n\n")
		b.WriteString("```\n### not a heading\nsome code\n```\n\n")
	}
	return b.Bytes()
}

func BenchmarkParse75KB(b *testing.B) {
	src := sample(75 << 10)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(src)
	}
}

func BenchmarkParse100000Lines(b *testing.B) {
	src := []byte(strings.Repeat("### Session 1\n\n**Did:** a\n- b\n- c\n\ntext\n\n**Next:** d\n\n", 10000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(src)
	}
}
