package mcpserver

import (
	"context"

	"baton/internal/usecase/find"
)

// memoryTool returns the memory tool that models know, over the project's own folder (agents.md
// 11): its words and its answers are those of the original, so the text of a result is the answer
// itself and not its JSON.
func memoryTool() tool {
	return tool{
		name: "memory", title: "Memory", destroys: true, whole: "text",
		about: "Notes that outlive a session, as files below /memories: view, create, str_replace, insert, " +
			"delete, rename.",
		plain: func(result any) string { return result.(*find.MemoryResult).Text },
		action: does(func(ctx context.Context, c *call, r find.MemoryRequest) (find.MemoryResult, error) {
			return c.project.Find.Memory(ctx, r)
		}),
	}
}
