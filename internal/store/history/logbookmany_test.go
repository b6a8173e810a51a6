package history

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A record with long names lists as many documents as its length allows.
func TestD37_ALongRecordListsWhatFits(t *testing.T) {
	t.Parallel()
	for _, long := range []int{0, 100, 900} {
		c := Change{Seq: 1}
		for i := range mostDocs + 100 {
			c.Docs = append(c.Docs, DocChange{Name: fmt.Sprintf("docs/%04d%s", i, strings.Repeat("x", long))})
		}
		raw, err := c.line()
		if err != nil || len(raw) > mostRecord+len(recordEnd) || len(c.Docs)+c.More != mostDocs+100 {
			t.Fatalf("%d bytes, %d documents and %d more: %v", len(raw), len(c.Docs), c.More, err)
		}
		if len(c.Docs) < mostDocs && len(raw) < mostRecord*9/10 {
			t.Errorf("%d bytes are used for %d documents", len(raw), len(c.Docs))
		}
		if _, is := parseChange(bytes.TrimSuffix(raw, []byte("\n"))); is != recordGood {
			t.Error("the record cannot be read")
		}
	}
}
