package cli

import (
	"context"

	"baton/internal/project"
)

func (f *fake) Blame(_ context.Context, r project.BlameRequest) (project.Blame, error) {
	return reply[project.Blame](f, r)
}
