package main

import (
	"runtime"
	"strings"
)

// seesProcesses reports whether baton can see which agent runs a command, and that an agent was
// killed.
const seesProcesses = runtime.GOOS == "linux"

// open starts the process of an agent with a session, and returns the answer of its first hook.
func (s *stage) open(session string) (context string) {
	if s.err != nil {
		return ""
	}
	c, err := startClient(session)
	if err != nil {
		s.fail("%w", err)
		return ""
	}
	s.client, s.holder = c, ""
	if !seesProcesses { // otherwise the agent has to say who it is
		s.holder = session
	}
	return s.send(session, "SessionStart", object{"source": "startup"}).Specific.Context
}

// leave ends the agent's process.
func (s *stage) leave() {
	if s.client != nil {
		s.client.kill()
		s.client = nil
	}
}

// hang wraps a line at blanks so that no part is wider than columns. Further parts are indented by
// two blanks more than the line. 0 or less means no limit.
func hang(line string, columns int) []string {
	if columns <= 0 || len([]rune(line)) <= columns {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var parts []string
	for word := range strings.FieldsSeq(line) {
		last := len(parts) - 1
		switch {
		case last < 0:
			parts = append(parts, indent+word)
		case len([]rune(parts[last]))+1+len([]rune(word)) > columns:
			parts = append(parts, indent+"  "+word)
		default:
			parts[last] += " " + word
		}
	}
	return parts
}

// excerpt prints the lines of a text that begin with the given words, in order.
func (s *stage) excerpt(text string, starts ...string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, start := range starts {
		for i, line := range lines {
			if strings.HasPrefix(line, start) {
				s.indent(line)
				lines = lines[i+1:]
				break
			}
		}
	}
}
