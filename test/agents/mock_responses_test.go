//go:build agents && linux

package agents

import "net/http"

// responses is OpenAI's Responses interface, always streaming.
type responses struct{}

func (responses) main(body map[string]any) bool {
	return len(list(body["tools"])) > 0 && member(member(body["text"], "format"), "schema") == nil
}

func (responses) answer(w http.ResponseWriter, _ string, _ map[string]any, t turn) {
	s := newStream(w)
	id := unique("resp")
	s.event("response.created", map[string]any{"response": map[string]any{"id": id}})
	items := []any{}
	if t.text != "" {
		item := map[string]any{"type": "message", "role": "assistant", "id": unique("item"), "content": []any{}}
		s.event("response.output_item.added", map[string]any{"output_index": 0, "item": item})
		s.event("response.output_text.delta", map[string]any{"item_id": item["id"], "output_index": 0, "content_index": 0, "delta": t.text})
		done := map[string]any{
			"type": "message", "role": "assistant", "id": item["id"],
			"content": []any{map[string]any{"type": "output_text", "text": t.text, "annotations": []any{}}},
		}
		s.event("response.output_item.done", map[string]any{"output_index": 0, "item": done})
		items = append(items, done)
	}
	for _, c := range t.calls {
		item := map[string]any{
			"type": "function_call", "id": unique("item"), "call_id": unique("call"), "name": c.name, "arguments": text(c.input),
		}
		if c.namespace != "" {
			item["namespace"] = c.namespace
		}
		if c.patch != "" {
			item = map[string]any{
				"type": "custom_tool_call", "id": item["id"], "call_id": item["call_id"], "name": c.name, "input": c.patch,
			}
		}
		s.event("response.output_item.added", map[string]any{"output_index": len(items), "item": item})
		s.event("response.output_item.done", map[string]any{"output_index": len(items), "item": item})
		items = append(items, item)
	}
	s.event("response.completed", map[string]any{"response": map[string]any{
		"id": id, "object": "response", "status": "completed", "output": items,
		"usage": map[string]any{
			"input_tokens": t.input, "input_tokens_details": map[string]any{"cached_tokens": t.cached},
			"output_tokens": 20, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": t.input + 20,
		},
	}})
}

func (responses) said(body map[string]any) []said {
	all := []said{{role: "instructions", text: word(body["instructions"])}}
	for _, item := range list(body["input"]) {
		switch word(member(item, "type")) {
		case "function_call_output", "custom_tool_call_output":
			all = append(all, said{role: "tool", result: true, text: textOf(member(item, "output"))})
		case "message", "":
			for _, part := range list(member(item, "content")) {
				all = append(all, said{role: word(member(item, "role")), text: word(member(part, "text"))})
			}
			if s := word(member(item, "content")); s != "" {
				all = append(all, said{role: word(member(item, "role")), text: s})
			}
		}
	}
	return all
}
