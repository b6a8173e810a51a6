//go:build agents && linux

package agents

import (
	"net/http"
	"strings"
)

// gemini is Google's interface: one event with the whole answer.
type gemini struct{}

func (gemini) main(body map[string]any) bool {
	if wantsJSON(body) {
		return false
	}
	for _, tool := range list(body["tools"]) {
		if len(list(member(tool, "functionDeclarations"))) > 0 {
			return true
		}
	}
	return false
}

// wantsJSON reports whether a helper of the client asks for a verdict instead of a turn.
func wantsJSON(body map[string]any) bool {
	config := body["generationConfig"]
	return word(member(config, "responseMimeType")) == "application/json" || member(config, "responseJsonSchema") != nil
}

func (gemini) answer(w http.ResponseWriter, path string, body map[string]any, t turn) {
	if wantsJSON(body) {
		t = turn{text: text(map[string]any{
			"model_choice": "flash", "reasoning": "short", "complexity_reasoning": "short", "complexity_score": 1, "next_speaker": "user",
		}), input: t.input}
	}
	var parts []any
	if t.text != "" {
		parts = append(parts, map[string]any{"text": t.text})
	}
	for _, c := range t.calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"name": c.name, "args": c.input}})
	}
	answer := map[string]any{
		"candidates": []any{
			map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0},
		},
		"usageMetadata": map[string]any{"promptTokenCount": t.input, "candidatesTokenCount": 20, "totalTokenCount": t.input + 20},
		"modelVersion":  "mock",
	}
	if strings.HasSuffix(path, ":generateContent") {
		object(w, answer)
		return
	}
	newStream(w).data(answer)
}

func (gemini) said(body map[string]any) []said {
	all := []said{{role: "instructions", text: textOf(member(body["systemInstruction"], "parts"))}}
	for _, content := range list(body["contents"]) {
		for _, part := range list(member(content, "parts")) {
			if response := member(part, "functionResponse"); response != nil {
				out := member(response, "response")
				all = append(all, said{role: "tool", result: true, text: word(member(out, "output")) + word(member(out, "error"))})
			} else if s := word(member(part, "text")); s != "" {
				all = append(all, said{role: word(member(content, "role")), text: s})
			}
		}
	}
	return all
}
