package mcpserver

import (
	"reflect"

	"baton/internal/protocol/speech"
	"baton/internal/report"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/work"
)

// spoken says in calls of the server's tools what baton's texts say in commands: an agent that has
// only the tools cannot run a command (F-40).
type spoken struct{ speech.Speech }

func speechOf(all []tool) spoken {
	out := speech.Speech{}
	for _, t := range all {
		out[t.name] = namesOf(t.params)
	}
	return spoken{out}
}

// sayIn puts calls of tools in place of commands in an answer: in the texts of its findings, and in
// the text for a session. What documents say stays as it is, except for a command in backticks that
// the text for a session quotes: the call does the same.
func (s spoken) sayIn(value any) {
	switch r := value.(type) {
	case *sessions.ContextResult:
		r.Text = s.Say(r.Text)
		for i := range r.Left {
			r.Left[i].Command = s.Say(r.Left[i].Command)
		}
	case *work.Result:
		r.Text = s.Say(r.Text)
	}
	s.sayInFindings(reflect.ValueOf(value))
}

// sayInFindings is sayIn for the findings in a value.
func (s spoken) sayInFindings(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			s.sayInFindings(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.sayInFindings(v.Index(i))
		}
	case reflect.Struct:
		if f, ok := v.Addr().Interface().(*report.Finding); ok {
			f.Text = s.Say(f.Text)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.sayInFindings(v.Field(i))
			}
		}
	}
}
