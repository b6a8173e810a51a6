package cli

import (
	"context"

	"baton/internal/project"
)

func (f *fake) Lost(_ context.Context, r project.LostRequest) (project.LostList, error) {
	return reply[project.LostList](f, r)
}

func (f *fake) RestoreLost(_ context.Context, r project.LostRestoreRequest) (project.LostRestored, error) {
	return reply[project.LostRestored](f, r)
}

func (f *fake) AcceptLost(_ context.Context, r project.LostAcceptRequest) (project.LostAccepted, error) {
	return reply[project.LostAccepted](f, r)
}
