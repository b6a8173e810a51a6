package waiting

import (
	"context"
	"encoding/json"
	"os/exec"
	"strconv"
	"time"

	"baton/internal/agentsession"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// The lock and the cache of the command that runs for a wait. They are not records, so their names
// have no extension.
const (
	attendLock = "agents/lock-attention"
	attendName = "agents/attention"
)

// mostUnseen is for how long a command counts as running if the system does not tell.
const mostUnseen = time.Minute

// attending is the command that was started last.
type attending struct {
	PID     int    `json:"pid"`
	StartID string `json:"born,omitempty"`
	At      string `json:"at"` // RFC 3339 UTC
}

// Attend starts the command of on_attention for a session that begins to wait (D45), and does not
// wait for it. It starts none if the setting is not approved, if one still runs, or if one was
// started for this wait already. The next reminder of the wait tries again.
//
// The command line is the setting as it is written. What is known about the session is in
// variables.
func (p Waiting) Attend(ctx context.Context, session string) error {
	command := p.OnAttention()
	if command == "" {
		return nil
	}
	for _, lock := range [...]string{attendLock, agentsession.RecordLock(session)} {
		free, held := p.Store.LockCache(ctx, lock, agentsession.LockPatience)
		if !held {
			return nil // another hook is about to start it
		}
		defer free()
	}
	if p.attends() {
		return nil
	}
	rec := p.AgentRecordOf(session)
	if !rec.Begins() || rec.Ended != "" {
		return nil
	}
	cmd := tasks.Shell(context.Background(), command)
	cmd.Dir = p.Root
	cmd.Env = append(p.Env.Environ[:len(p.Env.Environ):len(p.Env.Environ)], p.variables(ctx, rec)...)
	if err := p.start(cmd); err != nil {
		return err
	}
	rec.Wait.Called = true
	p.SaveAgent(rec)
	return nil
}

// attends reports whether the command that was started last still runs.
func (p Waiting) attends() bool {
	var last attending
	data, err := p.Store.ReadCache(attendName)
	if err != nil || json.Unmarshal(data, &last) != nil || last.PID <= 0 {
		return false
	}
	process := p.O.Process(last.PID)
	if last.StartID == "" && p.Now().Sub(workspace.ParseStamp(last.At)) > mostUnseen {
		return false
	}
	return process.Exists && process.StartID == last.StartID
}

// start starts a command that outlives this process, and notes its process.
func (p Waiting) start(cmd *exec.Cmd) error {
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	now := attending{PID: cmd.Process.Pid, StartID: p.O.Process(cmd.Process.Pid).StartID, At: workspace.Stamp(p.Now())}
	if data, err := workspace.Encoded(now, ""); err == nil {
		_ = p.Store.WriteCache(attendName, data) // if that fails, the next wait may start a second one
	}
	return cmd.Process.Release()
}

// variables describes a session to the command. BATON_ABOUT may come from a model: it is one line
// without control characters, of at most 160 characters.
func (p Waiting) variables(ctx context.Context, rec *agentsession.Record) []string {
	out := []string{}
	for _, v := range [...]struct{ name, value string }{
		{"AGENT", clean(rec.Client)},
		{"SESSION", clean(rec.Session)},
		{"STATE", string(rec.Wait.State)},
		{"SINCE", clean(rec.Wait.Since)},
		{"UNTIL", clean(rec.Wait.Until)},
		{"ABOUT", clean(rec.Wait.About)},
		{"TASK", clean(string(rec.Task))},
		{"WORKTREE", p.Root},
		{"WAITING", strconv.Itoa(p.Count(ctx))},
	} {
		out = append(out, "BATON_"+v.name+"="+v.value)
	}
	return out
}
