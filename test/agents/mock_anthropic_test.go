//go:build agents && linux

package agents

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

// serial numbers ids that a model chooses, which only have to be unique.
var serial atomic.Int64

func unique(prefix string) string { return fmt.Sprintf("%s_%04d", prefix, serial.Add(1)) }

// anthropic is the Messages interface, with and without streaming.
type anthropic struct{}

func (anthropic) main(body map[string]any) bool {
	return len(list(body["tools"])) > 0 && member(body["output_config"], "format") == nil
}

func (anthropic) answer(w http.ResponseWriter, _ string, body map[string]any, t turn) {
	var blocks []map[string]any
	if t.text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": t.text})
	}
	stop := "end_turn"
	for _, c := range t.calls {
		stop = "tool_use"
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": unique("toolu"), "name": c.name, "input": c.input})
	}
	usage := map[string]any{
		"input_tokens": t.input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": t.cached, "output_tokens": 1,
	}
	message := map[string]any{
		"id": unique("msg"), "type": "message", "role": "assistant", "model": body["model"], "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}
	if body["stream"] != true {
		message["content"], message["stop_reason"] = blocks, stop
		object(w, message)
		return
	}
	s := newStream(w)
	s.event("message_start", map[string]any{"message": message})
	for i, block := range blocks {
		start := map[string]any{"type": "text", "text": ""}
		delta := map[string]any{"type": "text_delta", "text": block["text"]}
		if block["type"] == "tool_use" {
			start = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": text(block["input"])}
		}
		s.event("content_block_start", map[string]any{"index": i, "content_block": start})
		s.event("content_block_delta", map[string]any{"index": i, "delta": delta})
		s.event("content_block_stop", map[string]any{"index": i})
	}
	s.event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 20},
	})
	s.event("message_stop", map[string]any{})
}

func (anthropic) said(body map[string]any) []said {
	var all []said
	for _, block := range list(body["system"]) {
		all = append(all, said{role: "instructions", text: word(member(block, "text"))})
	}
	for _, message := range list(body["messages"]) {
		role := word(member(message, "role"))
		if s := word(member(message, "content")); s != "" {
			all = append(all, said{role: role, text: s})
			continue
		}
		for _, block := range list(member(message, "content")) {
			switch word(member(block, "type")) {
			case "text":
				all = append(all, said{role: role, text: word(member(block, "text"))})
			case "tool_result":
				all = append(all, said{role: role, result: true, text: textOf(member(block, "content"))})
			}
		}
	}
	return all
}
