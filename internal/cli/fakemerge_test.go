package cli

import (
	"context"

	"baton/internal/project"
)

func (f *fake) MergeInstall(_ context.Context, remove bool) (project.MergeSetup, error) {
	return reply[project.MergeSetup](f, remove)
}

func (f *fake) MergeCheck(context.Context) (project.MergeCheck, error) {
	return reply[project.MergeCheck](f, "merge check")
}
