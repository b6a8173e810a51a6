// Package config reads .baton/config.yaml. One table holds every setting with its default, what it
// accepts and what it means (D27).
package config

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store/disk"
	"baton/internal/task"
)

// Name is the configuration file, optional in every layout (D27).
const Name = ".baton/config.yaml"

// Most is the largest size of the configuration, in bytes.
const Most = 1 << 20

// Config is the configuration of a project: the values of its file, and the defaults from the
// table.
type Config struct {
	name     string // of the file, for messages
	table    Table
	Values   map[string]any // by full key; valid values of the file only
	Problems []*report.Error
	Ignored  []report.Finding // keys that this version does not know
	Exists   bool             // the file exists
}

// Defaults returns a configuration without a file.
func Defaults() Config { return Config{table: Settings(), Values: map[string]any{}} }

// Read reads the configuration of the project with this root.
func Read(root string) Config {
	return ReadFile(filepath.Join(root, filepath.FromSlash(Name)), Name)
}

// ReadFile reads a configuration file. Messages call it name.
func ReadFile(path, name string) Config {
	c := Config{name: name, table: Settings(), Values: map[string]any{}}
	data, err := disk.ReadFile(path, name, Most)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrInvalid) {
		return c
	}
	c.Exists = true
	if e, ok := errors.AsType[*report.Error](err); ok {
		said := *e
		if said.Code == report.CodeTooLarge {
			said.Code = report.CodeConfigInvalid
		}
		c.Fail(&said)
		return c
	}
	if err != nil {
		c.Fail(&report.Error{Kind: report.Refused, Code: report.CodeConfigUnreadable, Message: name +
			" cannot be read: " + ReasonOf(err), Hint: "check the file's permissions", Err: err})
		return c
	}
	root2, err := frontmatter.ParseYAML(data)
	if err != nil {
		e := *report.As(err)
		e.Code = report.CodeConfigInvalid
		e.Message = name + Line(e.Line) + ": " + e.Message
		c.Fail(&e)
		return c
	}
	c.read("", root2)
	return c
}

// ReasonOf returns the system's error text without the path, which the sentence already has.
func ReasonOf(err error) string {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// Line returns the number of a line for a message, "" for none.
func Line(n int) string {
	if n == 0 {
		return ""
	}
	return ":" + strconv.Itoa(n)
}

// Fail adds a problem of the file.
func (c *Config) Fail(e *report.Error) {
	e.Op, e.Path = "config.read", c.name
	c.Problems = append(c.Problems, e)
}

// read reads the values below a key and checks them against the table.
func (c *Config) read(prefix string, m frontmatter.Map) {
	for _, e := range m {
		full := prefix + e.Key
		s, known := c.table.row(full)
		switch sub, isMap := e.Value.(frontmatter.Map); {
		case known && s.kind == kindMap:
			c.readMap(full, e, isMap, sub)
		case known:
			value, ok := s.convert(e)
			if !ok {
				c.wrong(full, e, s)
				continue
			}
			c.Values[full] = value
		case c.table.section(full) && isMap:
			c.read(full+".", sub)
		case c.table.section(full) && e.Value == nil:
		default:
			c.unknown(full, e)
		}
	}
}

// readMap reads a mapping of names to texts.
func (c *Config) readMap(full string, e frontmatter.Entry, isMap bool, sub frontmatter.Map) {
	if e.Value == nil {
		return
	}
	s, _ := c.table.row(full)
	if !isMap {
		c.wrong(full, e, s)
		return
	}
	values := make(map[string]string, len(sub))
	for _, one := range sub {
		text, ok := one.Value.(string)
		if !ok {
			c.wrong(full+"."+one.Key, one, s)
			continue
		}
		values[one.Key] = text
	}
	c.Values[full] = values
}

func (c *Config) wrong(full string, e frontmatter.Entry, s Row) {
	c.Fail(&report.Error{
		Kind: report.Corrupt, Code: report.CodeConfigType, Line: e.Line,
		Message: c.name + Line(e.Line) + ": " + safetext.Quote(full) + " must be " + s.Wants(),
		Hint:    "for example " + s.Key + ": " + s.Example(),
	})
}

// unknown ignores a key that this version does not know. A newer baton may know it, so it does not
// stop a team-mate with an older one (F-18).
func (c *Config) unknown(full string, e frontmatter.Entry) {
	text := c.name + Line(e.Line) + ": there is no setting " + safetext.Quote(full) + ", so it is ignored"
	if near := c.table.nearest(full, e.Value); near != "" {
		text += "; did you mean " + near + "?"
	}
	c.Ignore(e.Line, text)
}

// Ignore adds a finding about a key that is ignored.
func (c *Config) Ignore(line int, text string) {
	c.Ignored = append(c.Ignored, report.CodeConfigKey.Finding(c.name, line, text))
}

// Fault returns why nothing may be written with this configuration, or nil if it is sound (D27).
// Keys that are ignored are no reason (D52).
func (c *Config) Fault() error {
	if len(c.Problems) == 0 {
		return nil
	}
	return c.Problems[0]
}

// Warnings returns the problems of the configuration, for readers.
func (c *Config) Warnings() []report.Finding {
	var out []report.Finding
	for _, e := range c.Problems {
		out = append(
			out, e.Code.Finding(e.Path, e.Line, e.Message).As(report.Severe),
		)
	}
	return append(out, c.Ignored...)
}

// Value returns the value of a setting: from the file, or else the default.
func (c *Config) Value(key string) any {
	if v, ok := c.Values[key]; ok {
		return v
	}
	s, _ := c.table.row(key)
	return s.def
}

// Given reports whether the file has a setting.
func (c *Config) Given(key string) bool { _, ok := c.Values[key]; return ok }

// Text returns a setting that is a text, or "" if the key has another type or does not exist.
func (c *Config) Text(key string) string { s, _ := c.Value(key).(string); return s }

// Number returns a setting that is a number, or 0 if the key has another type or does not exist.
func (c *Config) Number(key string) int { n, _ := c.Value(key).(int); return n }

// On reports whether a setting is true. It returns false if the key has another type or does not
// exist.
func (c *Config) On(key string) bool { is, _ := c.Value(key).(bool); return is }

// Lease returns how long a claim lasts if its holder writes nothing.
func (c *Config) Lease() time.Duration {
	d, err := time.ParseDuration(c.Text("tasks.lease"))
	if err != nil {
		return 30 * time.Minute
	}
	return d
}

// Dialect returns the dialect of new files (TS-D16).
func (c *Config) Dialect() task.Dialect {
	d, err := task.ParseDialect(c.Text("tasks.dialect"))
	if err != nil { // the table allows no other word
		return task.V2
	}
	return d
}
