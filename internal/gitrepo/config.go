package gitrepo

import (
	"context"
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
	r.Patience = patienceForWriting
	out, code, err := r.run(ctx, "", 0, append([]string{"config", "--local"}, args...)...)
	if err == nil {
		return out, nil
	}
	if args[0] == "--get" && code == 1 || args[0] == "--remove-section" && code == 128 && noSection(err) {
		return nil, nil
	}
	return nil, err
}

// noSection reports whether git complains about nothing but a missing section.
func noSection(err error) bool {
	return strings.HasPrefix(strings.ToLower(Why(err)), "no such section")
}
