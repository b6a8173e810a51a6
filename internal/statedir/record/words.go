package record

// Words are the words that three fields of the record may contain. A nil list allows any text. A
// nil *Words means those of the original tool.
type Words struct {
	Types, Phases, Tiers []string
	Aliases              map[string]string // other words for types
}

// DevtWords returns the words of the original tool.
func DevtWords() *Words {
	return &Words{Types: WorkflowTypes(), Phases: Phases(), Tiers: Tiers(), Aliases: TypeAliases()}
}

// first returns the phase in which a workflow begins, or "" if no phase is known.
func (w *Words) first() string {
	if w == nil {
		return firstPhase
	}
	if len(w.Phases) == 0 {
		return ""
	}
	return w.Phases[0]
}

// aliases returns the other words for types.
func (w *Words) aliases() map[string]string {
	if w == nil {
		return TypeAliases()
	}
	return w.Aliases
}

// list returns the words that a field may contain, or nil if any text is allowed.
func (w *Words) list(field string) []string {
	if w == nil {
		w = DevtWords()
	}
	switch field {
	case "phase":
		return w.Phases
	case "tier":
		return w.Tiers
	case "workflow_type":
		return w.Types
	case "validation_status":
		return []string{validationWord}
	}
	return nil
}

// FieldsWith returns the known fields of the record in the order of the contract (5.6.1).
func FieldsWith(w *Words) []Field {
	fields := allFields()
	for i := range fields {
		fields[i].Allowed = w.list(fields[i].Name)
	}
	return fields
}

// Fields is FieldsWith the words of the original tool.
func Fields() []Field { return FieldsWith(nil) }

// field returns the known field with a name, if there is one.
func (w *Words) field(name string) (Field, bool) {
	for _, field := range allFields() {
		if field.Name == name {
			field.Allowed = w.list(name)
			return field, true
		}
	}
	return Field{}, false
}
