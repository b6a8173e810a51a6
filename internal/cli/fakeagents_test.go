package cli

import (
	"context"

	"baton/internal/project"
)

func (f *fake) Context(_ context.Context, r project.ContextRequest) (project.ContextResult, error) {
	return reply[project.ContextResult](f, r)
}

func (f *fake) Protocol(_ context.Context, r project.ProtocolRequest) (project.ProtocolResult, error) {
	return reply[project.ProtocolResult](f, r)
}

func (f *fake) SetUpAgents(_ context.Context, r project.AgentsRequest) (project.AgentsResult, error) {
	return reply[project.AgentsResult](f, r)
}

func (f *fake) BuildPlugin(_ context.Context, r project.PluginRequest) (project.PluginResult, error) {
	return reply[project.PluginResult](f, r)
}
