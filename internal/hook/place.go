package hook

import (
	"context"
	"path/filepath"
	"strings"

	"baton/internal/workspace"
)

// around opens the project that the event happened in; nil when there is none. The event's own
// folder is looked at first: in a session with worktrees it follows the agent, while
// CLAUDE_PROJECT_DIR stays where the agent was started (agents.md 2.2).
func (d *door) around(ctx context.Context, in *message) asker {
	tried := ""
	for _, dir := range d.places(in) {
		if dir == tried {
			continue
		}
		tried = dir
		o := workspace.Options{
			Env: d.env, Dir: dir, Session: in.event.Session, Command: "hook", Wait: lockTime, Wary: true,
		}
		if dir == byVariable {
			o.Dir = "" // the variable then says where, and nothing above is looked at (D28)
		}
		p, err := d.open(ctx, o)
		if err != nil {
			continue
		}
		if p.Watched() {
			in.anchor(dir)
			return p
		}
		_ = p.Close()
	}
	return nil
}

// byVariable stands for the folder that BATON_ROOT names.
const byVariable = "\x00"

// places returns the folders to look from, best first. -C and BATON_ROOT come from a person and
// take precedence (D28).
func (d *door) places(in *message) []string {
	switch {
	case d.ask.dir != "":
		return []string{absolute(d.env.Dir, d.ask.dir)}
	case d.env.Getenv("BATON_ROOT") != "":
		return []string{byVariable}
	}
	var out []string
	if in.dir != "" {
		out = append(out, in.dir)
	}
	switch in.client.name {
	case claude, gemini, qwen, copilot:
		// these set it; in others it is left over from the agent that started them (agents.md 2.5)
		if dir := d.env.Getenv("CLAUDE_PROJECT_DIR"); filepath.IsAbs(dir) {
			out = append(out, filepath.Clean(dir))
		}
	}
	if in.dir == "" {
		out = append(out, d.env.Dir)
	}
	return out
}

// anchor makes the files of the event absolute if the project was not found from the event's own
// folder, to which they are relative.
func (in *message) anchor(dir string) {
	if in.dir == "" || dir == in.dir {
		return
	}
	for i := range in.event.Calls {
		edits := in.event.Calls[i].Edits
		for j, e := range edits {
			if !filepath.IsAbs(e.Path) && !strings.HasPrefix(e.Path, "/") && !strings.HasPrefix(e.Path, `\`) {
				edits[j].Path = filepath.Join(in.dir, e.Path)
			}
		}
	}
}

func absolute(base, dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(base, dir)
	}
	return filepath.Clean(dir)
}
