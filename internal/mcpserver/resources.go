package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/agentconfig"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/find"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// The addresses of resources.
const (
	digestURI    = "state://digest"
	decisionsURI = "state://decisions"
	contractURI  = "state://contract"
	taskURI      = "state://task/"
	archiveURI   = "state://archive/"
	skillURI     = "skill://baton/SKILL.md"
)

// mostTasks bounds how many tasks a list of resources has; the template reaches all.
const mostTasks = 200

const (
	markdownType = "text/markdown"
	jsonType     = "application/json"
)

func (s *server) addResources() {
	s.mcp.AddResource(digestResource(), s.readDigest)
	s.mcp.AddResource(&mcp.Resource{
		URI: decisionsURI, Name: "decisions", Title: "Decisions", MIMEType: jsonType,
		Description: "Decisions of the project, also archived ones, newest last.",
	}, s.readDecisions)
	s.mcp.AddResource(&mcp.Resource{
		URI: contractURI, Name: "contract", Title: "Contract of the working folder", MIMEType: jsonType,
		Description: "Which names belong in the agents' working folder, and what is in them.",
	}, s.readContract)
	s.mcp.AddResource(&mcp.Resource{
		URI: skillURI, Name: "skill", Title: "Skill", MIMEType: markdownType,
		Description: "How to work with baton.",
	}, s.readSkill)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: taskURI + "{id}", Name: "task", Title: "Task file", MIMEType: markdownType,
		Description: "A task's state file.",
	}, s.readTask)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: archiveURI + "{id}", Name: "archive", Title: "Archived sessions", MIMEType: markdownType,
		Description: "The archived sessions of a task.",
	}, s.readTask)
}

func digestResource() *mcp.Resource {
	return &mcp.Resource{
		URI: digestURI, Name: "digest", Title: "Project digest", MIMEType: markdownType,
		Description: "STATE.md: where the project stands. Without one, what a session gets at its start.",
	}
}

// opened runs use on the project as it is now. What it reads never leaves the project (D45).
func opened[T any](ctx context.Context, s *server, command string, use func(*project.Project) (T, error)) (T, error) {
	p, err := project.Open(ctx, s.projectOptions(command, ""))
	if err != nil {
		var none T
		return none, err
	}
	defer p.Close() // nothing was written
	defer p.Confine()()
	return use(p)
}

// tasks returns all tasks as they are now.
func (s *server) tasks(ctx context.Context, command string) ([]tasks.TaskRow, error) {
	return opened(ctx, s, command, func(p *project.Project) ([]tasks.TaskRow, error) {
		list, err := p.Tasks.List(ctx, tasks.ListRequest{})
		return list.Tasks, err
	})
}

func (s *server) readDigest(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content, err := opened(ctx, s, "digest", func(p *project.Project) (string, error) {
		d, err := p.Find.Document(ctx, find.DocumentDigest, "")
		if report.CodeOf(err) != report.CodeNoDigest {
			return d.Text, err
		}
		c, err := p.Sessions.Context(ctx, sessions.ContextRequest{})
		return c.Text, err
	})
	return contents(r, markdownType, content, err)
}

func (s *server) readTask(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	kind, id := find.DocumentTask, ""
	rest, ok := strings.CutPrefix(r.Params.URI, taskURI)
	if !ok {
		kind = find.DocumentArchive
		rest, ok = strings.CutPrefix(r.Params.URI, archiveURI)
	}
	id, err := url.PathUnescape(rest)
	if !ok || err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	content, err := opened(ctx, s, kind, func(p *project.Project) (string, error) {
		d, err := p.Find.Document(ctx, kind, id)
		if d.Cut {
			d.Text += "\n… the document is longer: " + d.Path + "\n"
		}
		return d.Text, err
	})
	return contents(r, markdownType, content, err)
}

func (s *server) readDecisions(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content, err := opened(ctx, s, "decisions", func(p *project.Project) (string, error) {
		list, err := p.Digests.Decisions(ctx, digests.DecisionListRequest{All: true})
		if err != nil {
			return "", err
		}
		cut := cutter{text: 8000, list: 200, newest: "decisions"}
		data, err := cut.encode(reflect.ValueOf(&list).Elem(), nil)
		return string(data), err
	})
	return contents(r, jsonType, content, err)
}

func (s *server) readContract(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content, err := opened(ctx, s, "contract", func(p *project.Project) (string, error) {
		c, err := p.Folder.DirContract(ctx, folder.ContractRequest{})
		if err != nil {
			return "", err
		}
		data, err := report.EncodeJSON(c, "")
		return string(safetext.CleanJSON(bytes.TrimSpace(data))), err
	})
	return contents(r, jsonType, content, err)
}

func (s *server) readSkill(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return contents(r, markdownType, agentconfig.Skill(), nil)
}

// contents returns the result of a read. A document that is not there, or has an id that no
// document can have, is a resource that is not found; other failures are errors whose data is the
// object of the command line.
func contents(r *mcp.ReadResourceRequest, mime, content string, err error) (*mcp.ReadResourceResult, error) {
	if err != nil {
		if kind := report.KindOf(err); kind == report.NotFound || kind == report.Usage {
			return nil, mcp.ResourceNotFoundError(r.Params.URI)
		}
		return nil, protocolError(err)
	}
	return &mcp.ReadResourceResult{
		Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: mime, Text: content}},
	}, nil
}

// protocolError returns a failure as an error of the protocol, where it has no result for failures.
func protocolError(err error) error {
	f := report.FailureOf(err)
	code := int64(jsonrpc.CodeInternalError)
	if kind := f.Kind; kind == report.NotFound || kind == report.Usage {
		code = jsonrpc.CodeInvalidParams
	}
	data, _ := report.EncodeJSON(f, "") // strings and numbers always have JSON
	return &jsonrpc.Error{
		Code: code, Message: safetext.Line(f.Message), Data: safetext.CleanJSON(bytes.TrimSpace(data)),
	}
}

// listResources adds the tasks to the resources that are always there. It looks them up for every
// list: files come and go without the server.
func (s *server) listResources(
	ctx context.Context, method string, r mcp.Request, next mcp.MethodHandler,
) (mcp.Result, error) {
	result, err := next(ctx, method, r)
	all, ok := result.(*mcp.ListResourcesResult)
	if err != nil || !ok || all.NextCursor != "" {
		return result, err
	}
	list, err := s.tasks(ctx, "resources")
	if err != nil {
		return result, nil // no project, or no tasks: then the list has none
	}
	for _, t := range list[:min(len(list), mostTasks)] {
		all.Resources = append(all.Resources, &mcp.Resource{
			URI: taskURI + url.PathEscape(string(t.ID)), Name: "task-" + string(t.ID),
			Title: safetext.Line(safetext.Runes(t.Title, 100)), MIMEType: markdownType,
			Description: described(t),
		})
	}
	return all, nil
}

// described returns in a few words how a task stands, for a list that says nothing else about it.
func described(t tasks.TaskRow) string {
	status := strings.ReplaceAll(t.Status, "_", " ")
	if len(t.WaitingFor) > 0 && !t.Ready {
		status += ", waiting for others"
	}
	if t.CriteriaTotal > 0 {
		status += fmt.Sprintf(", %d of %d criteria", t.CriteriaDone, t.CriteriaTotal)
	}
	return safetext.Line("task, " + safetext.Runes(status, 100))
}
