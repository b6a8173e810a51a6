package project

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/store/filestore"
	"baton/internal/task"
)

// configName is the configuration file, optional in every layout (D27).
const configName = ".baton/config.yaml"

// mostConfig bounds the configuration in bytes; it is a page of settings.
const mostConfig = 1 << 20

// config is the configuration of a project: the values of the file over the defaults of the one table.
type config struct {
	table    settingTable
	values   map[string]any // by full key; only what the file gives and what is right
	problems []*report.Error
	exists   bool
}

// config reads the configuration once.
func (p *Project) config() *config {
	p.configOnce.Do(func() { p.conf = readConfig(p.root) })
	return &p.conf
}

func readConfig(root string) config {
	c := config{table: settings(), values: map[string]any{}}
	data, err := filestore.ReadFile(filepath.Join(root, filepath.FromSlash(configName)), configName, mostConfig)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrInvalid) {
		return c
	}
	c.exists = true
	if e, ok := errors.AsType[*report.Error](err); ok {
		said := *e
		if said.Code == "too_large" {
			said.Code = "config_invalid"
		}
		c.fail(&said)
		return c
	}
	if err != nil {
		c.fail(&report.Error{Kind: report.Refused, Code: "config_unreadable", Message: configName + " cannot be read: " + reasonOf(err), Hint: "check the file's permissions", Err: err})
		return c
	}
	root2, err := frontmatter.ParseYAML(data)
	if err != nil {
		e := *report.As(err)
		e.Code = "config_invalid"
		e.Message = configName + line(e.Line) + ": " + e.Message
		c.fail(&e)
		return c
	}
	c.read("", root2)
	return c
}

// reasonOf gives the system's words without the path, which stands in the sentence already.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

func line(n int) string {
	if n == 0 {
		return ""
	}
	return ":" + strconv.Itoa(n)
}

func (c *config) fail(e *report.Error) {
	e.Op, e.Path = "config.read", configName
	c.problems = append(c.problems, e)
}

// read takes the values below a key in, against the table.
func (c *config) read(prefix string, m frontmatter.Map) {
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
			c.values[full] = value
		case c.table.section(full) && isMap:
			c.read(full+".", sub)
		case c.table.section(full) && e.Value == nil:
		default:
			c.unknown(full, e)
		}
	}
}

// readMap takes a mapping of names to texts in.
func (c *config) readMap(full string, e frontmatter.Entry, isMap bool, sub frontmatter.Map) {
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
	c.values[full] = values
}

func (c *config) wrong(full string, e frontmatter.Entry, s settingRow) {
	c.fail(&report.Error{
		Kind: report.Corrupt, Code: "config_type", Line: e.Line,
		Message: configName + line(e.Line) + ": " + quote(full) + " must be " + s.wants(),
		Hint:    "for example " + s.key + ": " + s.example(),
	})
}

func (c *config) unknown(full string, e frontmatter.Entry) {
	hint := "`baton config list` shows every key"
	var keys []task.ID
	for _, s := range c.table {
		keys = append(keys, task.ID(s.key))
	}
	if near := nearest(full, keys); len(near) > 0 {
		hint = "did you mean " + near[0] + "? " + hint
	}
	c.fail(&report.Error{
		Kind: report.Corrupt, Code: "config_key", Line: e.Line,
		Message: configName + line(e.Line) + ": there is no setting " + quote(full), Hint: hint,
	})
}

// fault is why nothing may be written with this configuration, nil when it is sound (D27).
func (c *config) fault() error {
	if len(c.problems) == 0 {
		return nil
	}
	return c.problems[0]
}

// warnings tells readers what is wrong with the configuration.
func (c *config) warnings() []report.Finding {
	var out []report.Finding
	for _, e := range c.problems {
		out = append(out, report.Finding{Code: e.Code, Severity: report.Severe, Path: e.Path, Line: e.Line, Text: e.Message})
	}
	return out
}

func (c *config) value(key string) any {
	if v, ok := c.values[key]; ok {
		return v
	}
	s, _ := c.table.row(key)
	return s.def
}

// given tells whether the file says something about a setting.
func (c *config) given(key string) bool { _, ok := c.values[key]; return ok }

func (c *config) text(key string) string { s, _ := c.value(key).(string); return s }

func (c *config) number(key string) int { n, _ := c.value(key).(int); return n }

func (c *config) on(key string) bool { is, _ := c.value(key).(bool); return is }

// lease is how long a claim holds without a write of its holder.
func (c *config) lease() time.Duration {
	d, err := time.ParseDuration(c.text("tasks.lease"))
	if err != nil {
		return 30 * time.Minute
	}
	return d
}

// limits are the sizes and counts of the size policy (5.13).
func (p *Project) limits() task.Limits {
	c := p.config()
	return task.Limits{
		WarnKB: c.number("tasks.warn_kb"), ArchiveKB: c.number("tasks.archive_kb"), KeepSessions: c.number("tasks.keep_sessions"),
		NoticeSessions: c.number("tasks.notice_sessions"), Sizing: c.text("tasks.sizing"),
	}
}

// repository gives the folder of a task's repository, slash path relative to the root or absolute; "" when the
// configuration names none (D19).
func (c *config) repository(name string) string {
	m, _ := c.value("repositories").(map[string]string)
	return m[name]
}

// dialect is the dialect of new files (TS-D16).
func (c *config) dialect() task.Dialect {
	d, err := task.ParseDialect(c.text("tasks.dialect"))
	if err != nil { // the table lets no other word in
		return task.V2
	}
	return d
}

// zone is the local zone, for stamps in headings (TS-D8).
func (p *Project) zone() *time.Location { return p.now().Location() }
