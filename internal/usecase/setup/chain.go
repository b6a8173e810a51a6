package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace/config"
)

// Limits of the status line that baton's line replaced (agents.md 6.4).
const (
	chainTime  = 150 * time.Millisecond
	chainBytes = 64 << 10
	chainGrace = 50 * time.Millisecond // for its child processes, after it ended
)

// ChainMark is set for the chained command. If that command asks baton for its line in turn, no
// third command is run.
const ChainMark = "BATON_STATUSLINE_CHAINED"

// ChainedStatusLine runs the status line from before baton's, if the user asked for both, and
// returns its output. It gets the same input. The result is "" if there is none, if it fails, or if
// it takes longer than 150 ms; then only baton's line is shown.
func ChainedStatusLine(ctx context.Context, env report.Env, agent string, input []byte) string {
	return ChainedWithin(ctx, env, agent, input, chainTime)
}

// ChainedWithin is ChainedStatusLine with another limit for the time that the command may take.
func ChainedWithin(ctx context.Context, env report.Env, agent string, input []byte, limit time.Duration) string {
	if env.Getenv(ChainMark) != "" {
		return ""
	}
	line := PreviousStatusLine(env, agent)
	if line == "" {
		return ""
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := tasks.Shell(limited, line)
	cmd.Dir, cmd.Stdin = env.Dir, bytes.NewReader(input)
	cmd.Env, cmd.WaitDelay = append(slices.Clone(env.Environ), ChainMark+"=1"), chainGrace
	out := &capped{}
	cmd.Stdout = out
	tasks.Group(cmd)
	err := cmd.Run()
	if limited.Err() != nil && cmd.Process != nil {
		tasks.EndGroup(cmd)
	}
	if err != nil {
		return ""
	}
	said := strings.TrimRight(out.b.String(), "\r\n")
	if agentconfig.Client(agent) == agentconfig.Qwen { // it shows two lines, and the second is baton's
		said, _, _ = strings.Cut(said, "\n")
	}
	return said
}

// capped keeps only the beginning of the bytes written to it.
type capped struct{ b bytes.Buffer }

func (c *capped) Write(data []byte) (int, error) {
	c.b.Write(data[:min(len(data), max(0, chainBytes-c.b.Len()))])
	return len(data), nil
}

// PreviousStatusLine returns the command of the status line that baton's line replaced in an
// agent's settings, or "" if there is none. An agent without a name is Claude Code.
func PreviousStatusLine(env report.Env, agent string) string {
	dir := userFolder(env)
	if dir == "" {
		return ""
	}
	name := lineNote(env, agentconfig.Client(agent))
	data, err := disk.ReadFile(filepath.Join(dir, name), name, config.Most)
	if err != nil {
		return ""
	}
	var setting struct {
		Command string `json:"command"`
	}
	if json.Unmarshal([]byte(parseLine(data).Previous), &setting) != nil {
		return ""
	}
	return setting.Command
}
