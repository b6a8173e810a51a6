package gitrepo

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// patienceForWriting is longer than the limit for a question, because git must not be killed
// between creating its lock and removing it.
const patienceForWriting = 10 * time.Second

// Setting returns a value of the repository's own config, or "" if there is none. ErrUnknown
// outside git, and if git gives no answer.
func (r Repo) Setting(ctx context.Context, key string) (string, error) {
	out, err := r.config(ctx, "--get", key)
	return strings.TrimRight(string(out), "\n"), err
}

// Set writes a value into the repository's own config, which all its checkouts share. ErrUnknown if
// git refuses.
func (r Repo) Set(ctx context.Context, key, value string) error {
	_, err := r.config(ctx, "--replace-all", key, value)
	return err
}

// Forget removes a section from the repository's own config. A missing section is no error.
func (r Repo) Forget(ctx context.Context, section string) error {
	_, err := r.config(ctx, "--remove-section", section)
	return err
}

// config calls git config. Exit code 1 means a missing key, and 128 a missing section.
func (r Repo) config(ctx context.Context, args ...string) ([]byte, error) {
	if r.Dir == "" {
		return nil, ErrUnknown
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrUnknown
	}
	limited, cancel := context.WithTimeout(ctx, patienceForWriting)
	defer cancel()
	cmd := exec.CommandContext(limited, git, append([]string{"-C", r.Root, "config", "--local"}, args...)...)
	cmd.Env = Environment(r.Environ)
	out, err := cmd.Output()
	code := cmd.ProcessState.ExitCode()
	absent := args[0] == "--get" && code == 1 || args[0] == "--remove-section" && code == 128
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !absent:
		return nil, ErrUnknown
	}
	return out, nil
}
