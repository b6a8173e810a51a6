package hook

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
)

// Outcomes of a call that did not succeed. With an exit code it is "exit N".
const (
	outcomeRefused     = agentsession.OutcomeRefused
	outcomeInterrupted = "interrupted"
	outcomeFailed      = "failed"
)

// outcome returns how a call ended, "" if it succeeded or the client does not say. failure says
// that the event is one for failed calls.
func outcome(c client, p payload, failure bool) string {
	said := strings.TrimPrefix(strings.TrimSpace(p.text("tool_response", "error")), "Error: ")
	r := p.object("tool_response", "tool_result", "toolResult")
	switch {
	case p.truth("is_interrupt", "isInterrupt") || r.truth("interrupted"):
		return outcomeInterrupted
	case isRefusal(said), isRefusal(r.text("text_result_for_llm", "textResultForLlm", "error")):
		return outcomeRefused
	case r.text("result_type", "resultType") == "denied", r.text("result_type", "resultType") == "rejected",
		r.text("error_type") == "execution_denied": // Copilot, Qwen Code
		return outcomeRefused
	}
	for _, text := range [...]string{
		said, r.text("llmContent", "output", "text_result_for_llm", "textResultForLlm", "stdout"),
	} {
		if code := exitCode(c, text); code != "" && code != "0" {
			return "exit " + code
		}
	}
	for _, at := range [...]payload{r, r.object("metadata")} {
		if code, ok := at.number("exit_code", "exitCode"); ok && code != 0 {
			return "exit " + strconv.Itoa(int(code))
		}
	}
	if failure || unsuccessful(p) {
		return outcomeFailed
	}
	return ""
}

// isRefusal reports whether a text is the answer of a client, a hook or a person that did not let a
// call run. Claude Code gives the model these texts, and a batch has nothing else (seen in 2.1).
func isRefusal(said string) bool {
	for _, begin := range [...]string{
		"PreToolUse:", "Claude requested permissions to ", "This command requires approval",
		"The user doesn't want to proceed with this tool use", "The user doesn't want to take this action",
		"Permission to use ", "Permission for this action has been denied",
	} {
		if strings.HasPrefix(said, begin) {
			return true
		}
	}
	return false
}

// exitCode returns the exit code that a client's answer names: in the first line of Claude Code's
// ("Exit code 1"), and after the output in those of Gemini CLI and Qwen Code ("Exit Code: 1"). What
// a command prints may look like either, so each form counts for its clients and in its place only.
func exitCode(c client, text string) string {
	if c.name != gemini && c.name != qwen {
		line, _, _ := strings.Cut(text, "\n")
		code, _ := strings.CutPrefix(line, "Exit code ")
		return digits(code)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, line := range slices.Backward(lines) {
		if code, ok := strings.CutPrefix(line, "Exit Code: "); ok {
			return digits(code)
		}
		name, _, _ := strings.Cut(line, ": ")
		if name != "Signal" && name != "Background PIDs" && name != "Process Group PGID" {
			return "" // the output of the command
		}
	}
	return ""
}

// digits returns a text if it is a number of at most four digits.
func digits(text string) string {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err != nil || len(text) > 4 || n < 0 {
		return ""
	}
	return text
}

// todos returns the open items of the client's own list of to-dos that a call writes; nil for any
// other call. Claude Code, OpenCode and Qwen write todos with content and status, Gemini CLI with
// description, and Codex a plan of steps.
func todos(tool string, input payload) []string {
	switch tool {
	case "todowrite", "writetodos", "updateplan":
	default:
		return nil
	}
	out := []string{}
	for _, item := range input.list("todos", "plan") {
		one := parse(item)
		text := one.text("content", "description", "step")
		switch one.text("status") {
		case "completed", "cancelled", "done":
		default:
			if text != "" && len(out) < agentsession.MostTodos {
				out = append(out, safetext.FirstBytes(text, mostText))
			}
		}
	}
	return out
}
