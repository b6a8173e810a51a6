package mcpserver

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/project"
	"baton/internal/task"
)

// tool is one tool as it is declared: its name and description have the words that an agent would
// search for, because clients keep tools behind a search (agents.md 7.2).
type tool struct {
	name, title, about string
	params             []param
	reads              bool             // changes nothing
	destroys           bool             // may do what cannot be taken back
	repeats            bool             // the same call again changes nothing more
	creates            bool             // with apply, makes tasks
	long               bool             // its answer can be long: response_format is a parameter
	paged              bool             // its answer is a list: limit and offset are parameters
	whole              string           // field of the answer that is not cut
	newest             string           // list of the answer of which the end is worth more than the beginning
	plain              func(any) string // makes the text of the answer, where that is not its JSON
	action
}

// action is what a tool does, and the type of its answer.
type action struct {
	shape reflect.Type
	run   func(context.Context, *call) (any, error)
}

// does makes the action of a tool from a use case.
func does[T any](use func(context.Context, *call) (T, error)) action {
	return action{reflect.TypeFor[T](), func(ctx context.Context, c *call) (any, error) {
		result, err := use(ctx, c)
		return &result, err
	}}
}

// call is one call of a tool.
type call struct {
	args
	project  *project.Project
	progress func(message string) // tells the client how far it is; does nothing where the client did not ask
	page     *page
}

// paging are the parameters of every list.
const (
	usualPage = 20
	mostPage  = 50
)

// withCommon adds the parameters that many tools share.
func (t tool) withCommon() tool {
	if t.paged {
		t.params = append(t.params, param{
			name: "limit", kind: number, least: 1, most: mostPage,
		}, param{name: "offset", kind: number})
	}
	if t.long {
		t.params = append(t.params, param{name: "response_format", kind: text, words: []string{"concise", "detailed"}})
	}
	return t
}

// declared is the tool as a client sees it.
func (t tool) declared() *mcp.Tool {
	destroys, open := t.destroys, false
	return &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about,
		InputSchema: schema(t.params), OutputSchema: shapeOf(t),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.reads, DestructiveHint: &destroys, IdempotentHint: t.repeats ||
				t.reads, OpenWorldHint: &open,
		},
	}
}

// shapeOf is the output schema of a tool: the fields of its answer with their types, one level
// deep, and the error that may be in their place. It is true of every answer and short: many
// clients load it at every start. Nothing is required, because clients check answers that are
// errors too.
func shapeOf(t tool) json.RawMessage {
	fields := `"error":{"type":"object"}`
	addFields(&fields, t.shape)
	if t.long {
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
		if field.Anonymous {
			addFields(to, field.Type)
			continue
		}
		if name := jsonName(field); name != "" {
			*to += "," + quoted(name) + ":" + typeOf(field.Type)
		}
	}
}

// jsonName is the name of a field in JSON, "" for one that is not there.
func jsonName(field reflect.StructField) string {
	name := field.Tag.Get("json")
	for i, c := range name {
		if c == ',' {
			name = name[:i]
			break
		}
	}
	switch {
	case name == "-" || !field.IsExported():
		return ""
	case name == "":
		return field.Name
	}
	return name
}

// typeOf is the schema of one field; of a value that may be of several types, or null, it says
// nothing.
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
