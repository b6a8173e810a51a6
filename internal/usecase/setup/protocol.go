package setup

import (
	"context"
	"fmt"
	"strings"

	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

const (
	ProtocolName = ".baton/protocol.md" // a project's own text instead of baton's, optional in every layout
	MostProtocol = 64 << 10             // size limit of that file, in bytes
)

// Protocol returns the session protocol for the project (5.16 to 5.18). A phase's text comes from
// .baton/protocol.md if it has one, or else from baton. It works without a project too. It fails
// with Usage phase_unknown, and with NotFound task_unknown.
func (p Setup) Protocol(ctx context.Context, r ProtocolRequest) (ProtocolResult, error) {
	out := ProtocolResult{Warnings: append([]report.Finding{}, p.Settings().Warnings()...)}
	guide := protocol.Options{Setting: p.Settings().Text("protocol.setting"), Words: "criterion"}
	kind, digest := p.digestKind()
	if guide.Digest = kind; len(p.Dirs) == 0 && p.HasState() {
		guide.NoTasks, guide.Path = true, digest
	}
	if r.Task != "" {
		id, err := task.ParseID(r.Task)
		if err != nil {
			return ProtocolResult{}, err
		}
		l, err := p.LoadTask(ctx, p.Store, id)
		if err != nil {
			return ProtocolResult{}, err
		}
		t := sessions.Of(p.Workspace).TaskWords(l)
		guide.Words, guide.Task, guide.Path = t.Words, t.Command, t.Path
	}
	own, findings, err := p.protocolFile(ctx)
	if err != nil {
		return ProtocolResult{}, err
	}
	guide.Override = own
	out.Warnings = append(out.Warnings, findings...)
	if len(own) > 0 {
		out.Override = ProtocolName
	}
	if r.Phase != "" {
		if guide.Phase = guide.Find(r.Phase); guide.Phase == "" {
			return ProtocolResult{}, phaseUnknown(r.Phase, guide)
		}
	}
	out.Setting, out.Phase, out.Text = guide.Setting, guide.Phase, protocol.Text(guide)
	return out, ctx.Err()
}

// digestKind returns which digest's commands the protocol may name, and the path of that digest.
// Without a project it is baton's own.
func (p Setup) digestKind() (kind, path string) {
	if !p.HasState() {
		return "", ""
	}
	_, places := p.DigestRoot()
	switch {
	case len(places) == 0:
		return protocol.KindNone, ""
	case len(places) == 1 && places[0].Layout == workspace.LayoutSpecflow:
		return protocol.KindSpecflow, places[0].State
	}
	return "", places[0].State
}

// protocolFile reads the project's own texts. If the file cannot be read, that is only a warning,
// because baton's texts are used instead.
func (p Setup) protocolFile(ctx context.Context) (map[string]string, []report.Finding, error) {
	doc, err := p.Store.Read(ctx, ProtocolName)
	if err == nil && !doc.Exists {
		return nil, nil, nil
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	bad := report.CodeProtocolUnreadable.Finding(ProtocolName, 0, "")
	if err != nil {
		bad.Text = ProtocolName + " cannot be read, so baton's own protocol is used: " + report.As(err).Error()
		return nil, []report.Finding{bad}, nil
	}
	if doc.Outside { // agents follow these texts, so they must not come from outside the project
		bad.Text = ProtocolName + " is a link that leads outside the project, so baton's own protocol is used"
		return nil, []report.Finding{bad}, nil
	}
	if len(doc.Data) > MostProtocol {
		bad.Text = fmt.Sprintf(
			"%s has %d KB, more than the %d KB allowed, so baton's own protocol is used", ProtocolName,
			len(doc.Data)>>10, MostProtocol>>10,
		)
		return nil, []report.Finding{bad}, nil
	}
	own, findings := protocol.ParseOverride(doc.Data)
	return own, tasks.WithPath(ProtocolName, findings), nil
}

func phaseUnknown(name string, o protocol.Options) error {
	return &report.Error{
		Op: "protocol", Kind: report.Usage, Code: report.CodePhaseUnknown,
		Message: "the protocol has no phase " +
			safetext.Quote(safetext.FirstRunes(name, 40)), Hint: "its phases are " + strings.Join(o.Phases(), ", "),
	}
}
