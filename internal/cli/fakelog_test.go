package cli

import (
	"context"

	"baton/internal/project"
)

func (f *fake) ChangeLog(_ context.Context, r project.ChangeLogRequest) (project.ChangeLog, error) {
	return reply[project.ChangeLog](f, r)
}

func (f *fake) Undo(_ context.Context, r project.UndoRequest) (project.UndoResult, error) {
	return reply[project.UndoResult](f, r)
}
