package mcpserver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCalls1000 are calls that read the head of every task, in a project of 1,000 tasks of 10 KB (D29), and one that
// does not.
func BenchmarkCalls1000(b *testing.B) {
	w := newWorld(b)
	session := strings.Repeat("- Went through one more part of the code and changed what had to change\n", 30)
	for i := 1; i <= 1000; i++ {
		var text strings.Builder
		fmt.Fprintf(
			&text,
			"# Task #%d: Sample %d\n\n## 0. Metadata\n```json\n{\n  \"task_id\": %d,\n  \"status\": \"ready\",\n"+
				"  \"dependencies\": [%d],\n  \"total_sessions\": 4\n}\n```\n\n",
			i, i, i, i-i%10,
		)
		text.WriteString(
			"## 1. Context\n\n**Epic:** Samples (#10)\n\n### Requirements\nA task of an ordinary size.\n\n### Acceptance Criteria\n" +
				"- [ ] It works\n- [x] It is tested\n\n## 3. Progress Log\n",
		)
		for n := 1; n <= 4; n++ {
			fmt.Fprintf(&text, "\n### Session %d - 2026-03-0%d 10:00\n**Did:**\n%s\n**Next:** The next part\n", n, n, session)
		}
		if err := os.WriteFile(
			filepath.Join(w.dir, ".baton", "tasks", fmt.Sprintf("task-%d-state.md", i)), []byte(text.String()), 0o600,
		); err != nil {
			b.Fatal(err)
		}
	}
	client := w.client(newServer(w.env, Options{}), nil)
	for _, c := range []struct{ tool, id string }{{"status", ""}, {"task_list", ""}, {"task_show", "1"}} {
		b.Run(c.tool, func(b *testing.B) {
			arguments := map[string]any{}
			if c.id != "" {
				arguments["id"] = c.id
			}
			for b.Loop() {
				if r, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: arguments}); err != nil ||
					r.IsError {
					b.Fatal(err, r)
				}
			}
		})
	}
}
