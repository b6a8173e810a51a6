package task_test

import (
	"testing"

	"baton/internal/task"
)

func TestMetaText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, metadata, want string }{
		{"string", "```json\n{\"note\": \"a \\\"quoted\\\" word\"}\n```", `a "quoted" word`},
		{"number as written", "```json\n{\"note\": 12345678901234567890}\n```", "12345678901234567890"},
		{"null", "```json\n{\"note\": null}\n```", ""},
		{"absent", "```json\n{\"other\": 1}\n```", ""},
		{"the last of two", "```json\n{\"note\": \"a\", \"note\": \"b\"}\n```", "b"},
		{"comments and trailing comma", "```jsonc\n{ // why\n\"note\": \"a\",\n}\n```", "a"},
		{"broken", "```json\n{\"note\" = 1}\n```", ""},
		{"bullets", "- note: plain words\n- other: x", "plain words"},
		{"quoted bullet", "- note: \"quoted words\"", "quoted words"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := task.Parse("1", []byte("# Task #1: T\n\n## 0. Metadata\n"+tt.metadata+"\n\n## 3. Progress Log\n"))
			if got := s.MetaText("note"); got != tt.want {
				t.Errorf("MetaText = %q, want %q", got, tt.want)
			}
		})
	}
}
