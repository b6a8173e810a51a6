package cli

import (
	"context"

	"baton/internal/project"
)

func (f *fake) Versions(_ context.Context, r project.VersionsRequest) (project.VersionList, error) {
	return reply[project.VersionList](f, r)
}

func (f *fake) ShowVersion(_ context.Context, revision string) (project.VersionText, error) {
	return reply[project.VersionText](f, "ShowVersion "+revision)
}

func (f *fake) DiffVersions(_ context.Context, r project.VersionDiffRequest) (project.VersionDiff, error) {
	return reply[project.VersionDiff](f, r)
}

func (f *fake) RestoreVersion(_ context.Context, r project.VersionRestoreRequest) (project.VersionRestored, error) {
	return reply[project.VersionRestored](f, r)
}
