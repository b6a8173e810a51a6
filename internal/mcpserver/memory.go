package mcpserver

import (
	"context"

	"baton/internal/usecase/find"
)

// memoryTool is the memory tool that models know, over the project's own folder (agents.md 11): its
// words and its answers are those of the original, so the text of a result is the answer itself and
// not its JSON.
func memoryTool() tool {
	return tool{
		name: "memory", title: "Memory", destroys: true, whole: "text",
		about: "Notes that outlive a session, as files below /memories: view, create, str_replace, insert, " +
			"delete, rename.",
		// The tool has words of its own for a line that is not there; so a negative one gets as far
		// as the tool.
		params: []param{
			{name: "command", kind: text, must: true, words: []string{
				"view", "create", "str_replace", "insert", "delete", "rename",
			}},
			{name: "path", kind: text, about: "below /memories"},
			{name: "view_range", kind: numbers, about: "first and last line; -1 is the end"},
			{name: "file_text", kind: text},
			{name: "old_str", kind: text},
			{name: "new_str", kind: text},
			{name: "insert_line", kind: number, about: "0 is the beginning", least: -1},
			{name: "insert_text", kind: text},
			{name: "old_path", kind: text},
			{name: "new_path", kind: text},
		},
		plain: func(result any) string { return result.(*find.MemoryResult).Text },
		action: does(func(ctx context.Context, c *call) (find.MemoryResult, error) {
			return c.project.Find.Memory(ctx, find.MemoryRequest{
				Command: c.texts["command"], Path: c.texts["path"], ViewRange: c.args.numbers["view_range"],
				FileText: c.texts["file_text"], OldStr: c.texts["old_str"], NewStr: c.texts["new_str"],
				InsertLine: c.number("insert_line", 0), InsertText: c.texts["insert_text"],
				OldPath: c.texts["old_path"], NewPath: c.texts["new_path"],
			})
		}),
	}
}
