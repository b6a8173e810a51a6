//go:build agents && linux

package agents

import (
	"fmt"
	"net/http"
)

// chat is OpenAI's Chat Completions interface, with and without streaming.
type chat struct{}

func (chat) main(body map[string]any) bool {
	return len(list(body["tools"])) > 0 && body["response_format"] == nil
}

func (chat) answer(w http.ResponseWriter, _ string, body map[string]any, t turn) {
	finish := "stop"
	var calls []any
	for i, c := range t.calls {
		finish = "tool_calls"
		calls = append(calls, map[string]any{
			"index": i, "id": unique("call"), "type": "function",
			"function": map[string]any{"name": c.name, "arguments": text(c.input)},
		})
	}
	usage := map[string]any{"prompt_tokens": t.input, "completion_tokens": 20, "total_tokens": t.input + 20}
	frame := func(choices []any) map[string]any {
		return map[string]any{
			"id": "chatcmpl-mock", "object": "chat.completion.chunk", "created": 1, "model": body["model"], "choices": choices,
		}
	}
	if body["stream"] != true {
		message := map[string]any{"role": "assistant", "content": t.text}
		if calls != nil {
			message["tool_calls"] = calls
		}
		whole := frame([]any{map[string]any{"index": 0, "message": message, "finish_reason": finish}})
		whole["object"], whole["usage"] = "chat.completion", usage
		object(w, whole)
		return
	}
	s := newStream(w)
	delta := func(d map[string]any, finish any) {
		s.data(frame([]any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}}))
	}
	delta(map[string]any{"role": "assistant", "content": t.text}, nil)
	if calls != nil {
		delta(map[string]any{"tool_calls": calls}, nil)
	}
	delta(map[string]any{}, finish)
	last := frame([]any{})
	last["usage"] = usage
	s.data(last)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func (chat) said(body map[string]any) []said {
	var all []said
	for _, message := range list(body["messages"]) {
		role := word(member(message, "role"))
		if s := word(member(message, "content")); s != "" {
			all = append(all, said{role: role, result: role == "tool", text: s})
			continue
		}
		for _, part := range list(member(message, "content")) {
			all = append(all, said{role: role, result: role == "tool", text: word(member(part, "text"))})
		}
	}
	return all
}
