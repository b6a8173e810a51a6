package mcpserver

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/project"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/work"
)

// tool is one tool as it is declared: its name and description have the words that an agent would
// search for, because clients keep tools behind a search (agents.md 7.2).
type tool struct {
	name, title, about string
	without            string           // field of the request that is not a parameter
	params             []param          // from the fields of the request
	reads              bool             // changes nothing
	destroys           bool             // may do what cannot be taken back
	repeats            bool             // the same call again changes nothing more
	long               bool             // its answer can be long: response_format is a parameter
	brief              bool             // its answer can be long; response_format is not declared
	paged              bool             // its answer is a list: limit and offset are parameters
	whole              string           // field of the answer that is not cut
	newest             string           // list of the answer of which the end is worth more than the beginning
	plain              func(any) string // makes the text of the answer, where that is not its JSON
	shaped             bool             // the shape of its answer is declared
	asking             bool             // a person may allow what it may not do by itself
	action
}

// action is what a tool does, with the types of its request and its answer.
type action struct {
	asks, answers reflect.Type
	run           func(context.Context, *call) (any, error)
}

// does returns the action of a tool. R is its request, whose fields are the parameters.
func does[R, T any](use func(context.Context, *call, R) (T, error)) action {
	return action{reflect.TypeFor[R](), reflect.TypeFor[T](), func(ctx context.Context, c *call) (any, error) {
		result, err := use(ctx, c, c.request.Interface().(R))
		return &result, err
	}}
}

// calls returns the action of a tool that is one use case.
func calls[U, R, T any](group func(*project.Project) U, use func(U, context.Context, R) (T, error)) action {
	return does(func(ctx context.Context, c *call, r R) (T, error) { return use(group(c.project), ctx, r) })
}

// The groups of use cases that are tools.
func tasksOf(p *project.Project) tasks.Tasks          { return p.Tasks }
func digestsOf(p *project.Project) digests.Digests    { return p.Digests }
func sessionsOf(p *project.Project) sessions.Sessions { return p.Sessions }
func workOf(p *project.Project) work.Work             { return p.Work }

// call is one call of a tool.
type call struct {
	shared
	request  reflect.Value
	project  *project.Project
	progress func(message string) // tells the client how far it is; does nothing where the client did not ask
	page     *page
}

// shared are the parameters that many tools have.
type shared struct {
	Limit  int    `json:"limit" minimum:"1" maximum:"50"`
	Offset int    `json:"offset" minimum:"0"`
	Format string `json:"response_format" enum:"concise,detailed"`
}

// How many entries of a list an answer has: usually, and at most (as the tag of Limit says).
const (
	usualPage = 20
	mostPage  = 50
)

// withParams adds the parameters: the fields of the request, and of shared those that the tool has.
func (t tool) withParams() tool {
	for _, p := range paramsOf(t.asks) {
		if p.name != t.without {
			t.params = append(t.params, p)
		}
	}
	for _, p := range paramsOf(reflect.TypeFor[shared]()) {
		p.shared = true
		switch format := p.name == "response_format"; {
		case format:
			p.hidden = !t.long // every tool takes it, and it is declared where it matters (D52)
			t.params = append(t.params, p)
		case t.paged:
			t.params = append(t.params, p)
		}
	}
	return t
}

// declared returns the tool as a client sees it.
func (t tool) declared() *mcp.Tool {
	open := false
	out := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: schema(t.params),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.reads, IdempotentHint: t.repeats || t.reads, OpenWorldHint: &open,
		},
	}
	if !t.reads { // of a tool that only reads, the hint means nothing
		out.Annotations.DestructiveHint = &t.destroys
	}
	if t.shaped {
		out.OutputSchema = shapeOf(t)
	}
	return out
}

// shapeOf returns the output schema of a tool: the fields of its answer with their types, one level
// deep, and the error that may be in their place. It is true of every answer and short: many
// clients load it each time they start. Nothing is required, because clients check answers that are
// errors too.
func shapeOf(t tool) json.RawMessage {
	fields := `"error":{"type":"object"}`
	addFields(&fields, t.answers)
	if t.long || t.brief {
		fields += `,"left_out":{"type":"array"}`
	}
	if t.paged {
		fields += `,"total":{"type":"integer"},"next_offset":{"type":"integer"}`
	}
	return json.RawMessage(`{"type":"object","properties":{` + fields + `}}`)
}

// addFields adds the fields of a struct, those of embedded ones among them.
func addFields(to *string, shape reflect.Type) {
	for i := range shape.NumField() {
		field := shape.Field(i)
		if inner := field.Type; field.Anonymous {
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			addFields(to, inner)
			continue
		}
		if name := jsonName(field); name != "" && !strings.Contains(*to, quoted(name)+":") {
			*to += "," + quoted(name) + ":" + typeOf(field.Type)
		}
	}
}

// jsonName returns the name of a field in JSON, "" for one that JSON leaves out.
func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "-" || !field.IsExported():
		return ""
	case name == "":
		return field.Name
	}
	return name
}

// typeOf returns the schema of one field. It says nothing of a value that may have several types or
// be null.
func typeOf(kind reflect.Type) string {
	switch {
	case kind == reflect.TypeFor[task.ID]():
		return `{"anyOf":[{"type":"integer"},{"type":"string"}]}`
	case kind.Implements(reflect.TypeFor[json.Marshaler]()):
		return "{}"
	}
	switch kind.Kind() {
	case reflect.String:
		return `{"type":"string"}`
	case reflect.Bool:
		return `{"type":"boolean"}`
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint, reflect.Uint64:
		return `{"type":"integer"}`
	case reflect.Slice:
		if kind.Elem().Kind() != reflect.Uint8 {
			return `{"type":"array"}`
		}
	case reflect.Map, reflect.Struct:
		return `{"type":"object"}`
	case reflect.Pointer:
		if inner := typeOf(kind.Elem()); inner == `{"type":"object"}` {
			return `{"anyOf":[` + inner + `,{"type":"null"}]}`
		}
	}
	return "{}"
}
