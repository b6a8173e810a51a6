package digests

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
	"baton/internal/workspace/planning"
)

// ConfigValue is the answer of "config get".
type ConfigValue struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // as in JSON
	Path  string `json:"path"`  // the file that has it, or "" for a default
}

// ConfigSetRequest sets a key of .planning/config.json.
type ConfigSetRequest struct {
	Key   string
	Value string // JSON, or else a text
}

// ConfigChange is the answer of "config set".
type ConfigChange struct {
	Key      string           `json:"key"`
	Previous any              `json:"previous"` // null if there was none
	Value    any              `json:"value"`
	Changed  bool             `json:"changed"`
	Path     string           `json:"path"`
	Warnings []report.Finding `json:"warnings"`
}

// ConfigGet returns the value of a key: a setting of baton, or else a key of .planning/config.json,
// where GSD keeps its settings. With a workstream, its file comes before the project's. fallback is
// the answer if no file has the key; nil means NotFound not_found. A file that is not JSON is
// Corrupt json_invalid, and a key without a name is Usage name_invalid.
func (p Digests) ConfigGet(ctx context.Context, key string, fallback *string) (ConfigValue, error) {
	const op = "config.get"
	if key == "" {
		return ConfigValue{}, &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeNameInvalid, Message: "no setting is named",
			Hint: "name one, for example workflow.research; `baton config list` lists the settings of baton",
		}
	}
	own, err := p.Config(ctx)
	if err != nil {
		return ConfigValue{}, err
	}
	for _, s := range own.Settings {
		if s.Key == key {
			out := ConfigValue{Key: key, Value: s.Value}
			if s.Source != "default" {
				out.Path = own.Path
			}
			return out, nil
		}
	}
	at, files, err := p.planningConfigs(ctx, op)
	if err != nil {
		return ConfigValue{}, err
	}
	for _, name := range files {
		doc, err := at.Store.Read(ctx, name)
		if err != nil {
			return ConfigValue{}, err
		}
		if !doc.Exists {
			continue
		}
		root, err := configRoot(op, name, doc.Data)
		if err != nil {
			return ConfigValue{}, err
		}
		if node, ok := root.At(key); ok {
			return ConfigValue{Key: key, Value: plainValue(node, doc.Data), Path: name}, nil
		}
	}
	if fallback != nil {
		return ConfigValue{Key: key, Value: *fallback}, nil
	}
	return ConfigValue{}, &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeNotFound, Path: files[0],
		Message: files[len(files)-1] + " has no key " + safetext.Quote(key) + ", and baton has no such setting",
		Hint:    "--default VALUE prints VALUE instead; `baton config list` lists the settings of baton",
	}
}

// ConfigSet sets a key of .planning/config.json; every other byte of the file stays. Objects that
// are missing, and the file itself, are added. The value null takes the key out, as it does in GSD.
// It fails with Usage name_invalid for a key of baton's own configuration and for an impossible
// name, with Usage unknown_key for a slip in the name of one of GSD's settings, with Usage
// value_invalid for a value of another type than the key has, and with Corrupt json_invalid for a
// file that is not a JSON object or has something else where the key needs one.
func (p Digests) ConfigSet(ctx context.Context, r ConfigSetRequest) (ConfigChange, error) {
	const op = "config.set"
	if err := p.checkKey(ctx, op, r.Key); err != nil {
		return ConfigChange{}, err
	}
	at, files, err := p.planningConfigs(ctx, op)
	if err != nil {
		return ConfigChange{}, err
	}
	value := asJSON(r.Value)
	out := ConfigChange{Key: r.Key}
	notes, err := at.Update(ctx, func(c *workspace.Change) error {
		name, doc := "", []byte(nil)
		for _, file := range files { // the first that exists, or else the project's
			got, err := c.Tx.Read(file)
			if err != nil {
				return err
			}
			if name, doc = file, got.Data; got.Exists {
				break
			}
		}
		text := doc
		if len(strings.TrimSpace(string(text))) == 0 {
			text = []byte("{\n}\n")
		}
		root, err := configRoot(op, name, text)
		if err != nil {
			return err
		}
		out.Path, out.Previous, out.Warnings = name, nil, []report.Finding{}
		was, there := root.At(r.Key)
		switch {
		case there:
			out.Previous = plainValue(was, text)
			err = sameKind(op, r.Key, was, value)
		case value != "null": // else there is nothing to take out, whatever its name
			out.Warnings, err = checkName(op, r.Key, name)
		}
		if err != nil {
			return err
		}
		keys := strings.Split(r.Key, ".")
		var next []byte
		ok := true
		switch {
		case value != "null":
			next, ok = jsontext.SetAt(text, keys, value, "\n")
		case there:
			next, ok = jsontext.DeleteAt(text, keys)
		default:
			next = doc
		}
		if !ok {
			return &report.Error{
				Op: op, Kind: report.Corrupt, Code: report.CodeJSONInvalid, Path: name,
				Message: name + " has something other than an object on the way to " + safetext.Quote(r.Key),
				Hint:    "see it with `baton config get " + strings.Split(r.Key, ".")[0] + "`",
			}
		}
		out.Value, out.Changed = json.RawMessage(value), string(next) != string(doc)
		if out.Changed {
			c.Tx.Write(name, next)
		}
		return nil
	})
	if err != nil {
		return ConfigChange{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// checkName refuses a name that GSD does not know if it has one that differs in a letter or two.
// Otherwise it warns, because a newer GSD may have more settings.
func checkName(op, key, file string) ([]report.Finding, error) {
	known, near := planning.KnownSetting(key)
	switch {
	case known:
		return []report.Finding{}, nil
	case near == "":
		return []report.Finding{report.CodeUnknownKey.Finding(file, 0,
			"GSD up to 1.14 has no setting "+safetext.Quote(key)+" and refuses to set it; `baton config set "+key+
				" null` takes it out again")}, nil
	}
	return nil, &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeUnknownKey,
		Message: "GSD has no setting " + safetext.Quote(key) + "; the nearest one is " + near,
		Hint:    "if a newer GSD has it, write it into " + file + " with an editor",
	}
}

// sameKind refuses a value of another type than the one that it replaces: GSD would misread it.
// null is of every type, because it only says that there is no value.
func sameKind(op, key string, was jsontext.Node, value string) error {
	now, fault := jsontext.Relaxed([]byte(value))
	old, next := was.KindWords(), now.KindWords()
	truths := was.Truth() && now.Truth()
	if fault != nil || old == next || truths || old == "null" || next == "null" {
		return nil
	}
	e := &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeValueInvalid,
		Message: key + " is " + old + " now, and the value is " + next,
		Hint:    "if GSD accepts this too, change it with an editor",
	}
	if old == "a text" {
		e.Hint = "if you mean a text, put it in double quotes: " + safetext.ShellQuote(jsontext.Quote(value))
	}
	return e
}

// checkKey refuses keys that .planning/config.json cannot have.
func (p Digests) checkKey(ctx context.Context, op, key string) error {
	own, err := p.Config(ctx)
	if err != nil {
		return err
	}
	for _, s := range own.Settings {
		if s.Key == key {
			return &report.Error{
				Op: op, Kind: report.Usage, Code: report.CodeNameInvalid,
				Message: key + " is a setting of baton, which only a person writes",
				Hint:    "set it in .baton/config.yaml",
			}
		}
	}
	parts := strings.Split(key, ".")
	if slices.ContainsFunc(parts, func(part string) bool { return !configName(part) }) {
		return &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeNameInvalid,
			Message: safetext.Quote(key) + " is not the name of a setting",
			Hint:    "a name has letters, digits, _ and -, with dots between its parts: workflow.research",
		}
	}
	return nil
}

func configName(part string) bool {
	return part != "" && strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" &&
		part != "__proto__" && part != "prototype" && part != "constructor" // GSD's program would change itself
}

// planningConfigs returns the files in which GSD keeps its settings, the first of which wins: that
// of the chosen workstream or project, and that of the folder .planning.
func (p Digests) planningConfigs(ctx context.Context, op string) (*workspace.Workspace, []string, error) {
	at, places, err := p.ForDigest(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	for _, place := range places {
		if place.Layout != workspace.LayoutGSD {
			continue
		}
		files := []string{workspace.Join(place.Dir, "config.json")}
		if whole := ".planning/config.json"; files[0] != whole {
			files = append(files, whole)
		}
		return at, files, nil
	}
	return nil, nil, served(op, places[0], []string{workspace.LayoutGSD})
}

// configRoot reads the object in a configuration.
func configRoot(op, name string, data []byte) (jsontext.Node, error) {
	root, fault := jsontext.Relaxed(data)
	if fault == nil && root.Kind == '{' {
		return root, nil
	}
	e := &report.Error{
		Op: op, Kind: report.Corrupt, Code: report.CodeJSONInvalid, Path: name,
		Message: name + " is not a JSON object, so its settings are unknown", Hint: "correct it with an editor",
	}
	return root, e
}

// plainValue returns a value for an answer: as in the file, or as text if comments are in it.
func plainValue(node jsontext.Node, src []byte) any {
	raw := node.Span.Of(src)
	if json.Valid(raw) {
		return json.RawMessage(raw)
	}
	return string(raw)
}

// asJSON writes a value as JSON: a text that is JSON stays, any other becomes a string.
func asJSON(text string) string {
	if trimmed := strings.TrimSpace(text); json.Valid([]byte(trimmed)) {
		return trimmed
	}
	return jsontext.Quote(text)
}
