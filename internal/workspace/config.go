package workspace

import (
	"context"
	"maps"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/workspace/config"
)

// Settings returns the configuration, which it reads once.
func (p *Workspace) Settings() *config.Config {
	p.configOnce.Do(func() { p.Conf = config.Read(p.Root) })
	return &p.Conf
}

// Limits returns the sizes and counts of the size policy (5.13).
func (p *Workspace) Limits() task.Limits {
	c := p.Settings()
	return task.Limits{
		WarnKB: c.Number(
			"tasks.warn_kb",
		), ArchiveKB: c.Number("tasks.archive_kb"), KeepSessions: c.Number("tasks.keep_sessions"),
		NoticeSessions: c.Number("tasks.notice_sessions"), Sizing: c.Text("tasks.sizing"),
	}
}

// Zone returns the local time zone, for stamps in headings (TS-D8).
func (p *Workspace) Zone() *time.Location { return p.Now().Location() }

// snapshotLimits returns the limits of the kept versions (D37).
func (p *Workspace) snapshotLimits() history.Limits {
	c := p.Settings()
	return history.Limits{
		MaxBytes: min(int64(c.Number("snapshots.max_mb")), 1<<20) << 20,
		MaxAge:   time.Duration(min(c.Number("snapshots.days"), 36500)) * 24 * time.Hour,
	}
}

// Config lists every setting with its value and its source. It works without a project too.
func (p *Workspace) Config(ctx context.Context) (ConfigList, error) {
	if err := ctx.Err(); err != nil {
		return ConfigList{}, err
	}
	c := p.Settings()
	out := ConfigList{Settings: []Setting{}, Warnings: append([]report.Finding{}, c.Warnings()...)}
	if c.Exists {
		out.Path = config.Name
	}
	for _, s := range config.Settings() {
		row := Setting{
			Key: s.Key, Value: shown(s.Default()), Default: shown(s.Default()), Source: "default", Doc: s.Meaning(),
		}
		if v, ok := p.believe().own.Values[s.Key]; ok {
			row.Value, row.Source = shown(v), "user"
		}
		if v, ok := c.Values[s.Key]; ok {
			row.Value, row.Source = shown(v), "file"
		}
		out.Settings = append(out.Settings, row)
	}
	out.Warnings = slices.Concat(out.Warnings, p.TrustFaults(), p.TrustFindings())
	return out, nil
}

// shown returns a value that is never null in JSON.
func shown(v any) any {
	switch v := v.(type) {
	case []string:
		return append([]string{}, v...)
	case map[string]string:
		out := map[string]string{}
		maps.Copy(out, v)
		return out
	}
	return v
}
