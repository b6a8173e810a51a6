// Command spy is on PATH in place of baton. It passes everything to the real program, which is in
// ../real. In ../hooks.jsonl it records what each hook was sent and what it answered, and in
// ../mcp.jsonl what an MCP server was sent. A file ../digest replaces any text that a hook returns.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	self, err := os.Executable()
	if err != nil {
		fail(err)
	}
	home := filepath.Dir(filepath.Dir(self))
	// baton looks for its client among its parent processes, past shells and similar programs, so
	// this one must look like one of those.
	os.WriteFile("/proc/self/comm", []byte("env"), 0o644)
	program := filepath.Join(home, "real", "baton")
	if len(os.Args) < 2 || os.Args[1] != "hook" && os.Args[1] != "mcp" {
		fail(syscall.Exec(program, append([]string{"baton"}, os.Args[1:]...), os.Environ()))
	}
	cmd := exec.Command(program, os.Args[1:]...)
	if os.Args[1] == "hook" {
		os.Exit(hook(cmd, home))
	}
	os.Exit(serve(cmd, filepath.Join(home, "mcp.jsonl")))
}

// hook runs one hook and records it.
func hook(cmd *exec.Cmd, home string) int {
	in, _ := io.ReadAll(os.Stdin)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &complaint
	begun := time.Now()
	code := run(cmd)
	if text, err := os.ReadFile(filepath.Join(home, "digest")); err == nil {
		replace(&out, string(text))
	}
	line, err := json.Marshal(map[string]any{
		"args": os.Args[1:], "in": string(in), "out": out.String(), "err": complaint.String(), "exit": code,
		"began": begun.UnixNano(), "took_ms": time.Since(begun).Milliseconds(),
	})
	if err != nil {
		fail(err)
	}
	note(filepath.Join(home, "hooks.jsonl"), append(line, '\n'))
	os.Stdout.Write(out.Bytes())
	os.Stderr.Write(complaint.Bytes())
	return code
}

// replace replaces the text that a hook adds to the model's context.
func replace(out *bytes.Buffer, text string) {
	var answer map[string]any
	if json.Unmarshal(out.Bytes(), &answer) != nil {
		return
	}
	for _, at := range []any{answer, answer["hookSpecificOutput"]} {
		if object, ok := at.(map[string]any); ok && object["additionalContext"] != nil {
			object["additionalContext"] = text
		}
	}
	if data, err := json.Marshal(answer); err == nil {
		out.Reset()
		out.Write(data)
	}
}

// serve runs a server between the client and the log.
func serve(cmd *exec.Cmd, log string) int {
	in, err := cmd.StdinPipe()
	if err != nil {
		fail(err)
	}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		fail(err)
	}
	go func() {
		for s := range signals {
			cmd.Process.Signal(s)
		}
	}()
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := os.Stdin.Read(buf)
			if n > 0 {
				note(log, buf[:n])
				in.Write(buf[:n])
			}
			if err != nil {
				in.Close()
				return
			}
		}
	}()
	return code(cmd.Wait())
}

func run(cmd *exec.Cmd) int { return code(cmd.Run()) }

func code(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		fail(err)
	}
	return 0
}

// note appends in one write, so that hooks that run at the same time do not mix their lines.
func note(log string, data []byte) {
	f, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		fail(err)
	}
	defer f.Close()
	f.Write(data)
}

func fail(err error) {
	os.Stderr.WriteString("spy: " + err.Error() + "\n")
	os.Exit(97)
}
