package agents

import (
	"context"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/waiting"
)

// Agent answers one event of an agent's session: it updates the session's record and returns the
// text for the agent. A repeated event gets the zero answer (agents.md 2.6), except before a tool.
// Without a project the answer is empty. Errors go to the log of the door; a hook fails open (D15).
func (p Agents) Agent(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	if e.Session == "" {
		return agentsession.Answer{}, nil
	}
	p.O.Client = e.Client
	at, err := sessions.Of(p.Workspace).AgentProject(ctx, e.Session)
	if at == nil || err != nil {
		return agentsession.Answer{}, err
	}
	Of(at).describe(&e)
	out, err := Of(at).answer(ctx, e)
	out.Waits = waiting.Of(at).Note(ctx, e)
	return out, err
}

// Attend starts the command for a session that began to wait for a person. It is called after the
// client was answered.
func (p Agents) Attend(ctx context.Context, session string) error {
	at, err := sessions.Of(p.Workspace).AgentProject(ctx, session)
	if at == nil || err != nil {
		return err
	}
	return waiting.Of(at).Attend(ctx, session)
}

// describe completes what an event says about a wait: the question at the end of an agent's last
// message, and the end of a limit. What it asks for becomes one short line without secrets.
func (p Agents) describe(e *agentsession.Event) {
	switch e.Event {
	case agentsession.Stop:
		e.About = agentsession.QuestionIn(e.Text)
	case agentsession.Failure:
		e.Until = agentsession.LimitEnd(e.About+" "+e.Text, p.Now())
	}
	if e.About != "" {
		about := safetext.Line(safetext.WithoutSecrets(e.About, p.Env.Environ))
		e.About = safetext.Runes(about, agentsession.MostAbout)
	}
}

// answer is Agent in the session's project. The start of a session, compaction, stop and end may
// ask git, each question with the limit of gitrepo.Limit. Prompts, tools and sub-agents may not;
// they use git's previous answers (architecture law 9).
func (p Agents) answer(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	switch e.Event {
	case agentsession.Start:
		return p.agentStart(ctx, e)
	case agentsession.Prompt:
		return p.agentPrompt(ctx, e)
	case agentsession.PreTool:
		waiting.Of(p.Workspace).Resume(ctx, e)
		return p.AgentPreTool(ctx, e)
	case agentsession.PostTool:
		return p.agentPostTool(ctx, e)
	case agentsession.PreCompact:
		return p.agentPreCompact(ctx, e)
	case agentsession.PostCompact:
		return p.agentPostCompact(ctx, e)
	case agentsession.Stop, agentsession.Failure:
		return p.agentStop(ctx, e)
	case agentsession.SubStart:
		return p.agentSubStart(ctx, e)
	case agentsession.SubStop:
		return p.agentSubStop(ctx, e)
	case agentsession.End:
		return p.agentEnd(ctx, e)
	case agentsession.TodoAdded, agentsession.TodoDone:
		return p.agentTodo(ctx, e)
	case agentsession.AskPermission, agentsession.AskQuestion, agentsession.Answered, agentsession.Interrupt,
		agentsession.BeIdle: // these only change what the record says about a wait
		_, err := p.WithAgent(ctx, e, func(*agentsession.Record) error { return nil })
		return agentsession.Answer{}, err
	}
	return agentsession.Answer{}, nil
}
