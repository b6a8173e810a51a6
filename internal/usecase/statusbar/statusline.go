package statusbar

import (
	"path/filepath"
	"strconv"

	"baton/internal/report"
	"baton/internal/statusline"
	"baton/internal/store/disk"
	"baton/internal/workspace"
)

// StatusLineRequest requests the status line.
type StatusLineRequest struct {
	Env     report.Env
	Dir     string // -C: replaces the folder that the agent names
	Input   []byte // the agent's input; may be empty or broken
	Format  string // full or compact; "" is the configured one
	Plain   bool   // ASCII bars, no colour
	NoColor bool
	View    bool // return the content as data, too
}

// StatusLineResult is the line, and its content as data.
type StatusLineResult struct {
	Line string
	View statusline.View
}

// opener opens a file for reading, as filestore.FS does. Tests use it to count reads.
type opener func(path string) (disk.File, error)

// StatusLine makes the status line of the project around the agent's folder, if any (gsd.md N10,
// specflow.md 5.14, D23, D24). It does not fail: anything that cannot be read is left out of the
// line. It opens a handful of files. It asks git only if GSD's settings request that, and writes
// only the sensor and GSD's bridge file, each only where it is requested.
func StatusLine(r StatusLineRequest) StatusLineResult {
	return RenderLine(r, disk.OS{}.Open)
}

// RenderLine is StatusLine with another way to open files.
func RenderLine(r StatusLineRequest, open opener) StatusLineResult {
	if r.Env.Getenv == nil {
		r.Env.Getenv = func(string) string { return "" }
	}
	in := statusline.Parse(r.Input)
	dir := r.Dir
	if dir == "" {
		dir = in.Dir
	}
	dir = workspace.AbsoluteIn(r.Env.Dir, dir)
	f := statusline.Facts{Dir: filepath.Base(dir)}
	var o statusline.Options
	g := glance{env: r.Env, open: open}
	sensor := g.gather(dir, r.Dir != "", in, &f, &o)
	if in.Broken && !f.Tasks && g.specflow == "" && g.own == "" {
		return StatusLineResult{} // GSD's line says nothing then (N10)
	}
	if r.Format != "" {
		o.Format = r.Format
	}
	o.Plain, o.NoColor = r.Plain, r.NoColor || r.Env.Getenv("NO_COLOR") != ""
	o.Columns = variable(r.Env, "COLUMNS")
	o.AutoCompact = variable(r.Env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW")
	out := StatusLineResult{Line: statusline.Line(in, f, o)}
	if r.View {
		out.View = statusline.Describe(in, f, o)
	}
	if sensor {
		g.sense(in)
	}
	g.bridge(in)
	return out
}

// variable returns a number from the environment, or 0.
func variable(env report.Env, name string) int {
	n, err := strconv.Atoi(env.Getenv(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// glance is one quick reading of the files around a folder.
type glance struct {
	env  report.Env
	open opener
	lineSite

	ready *statusline.Prepared // once it is read
}

// gather fills in the facts from the files, and returns whether the sensor is on. If the program
// dies, the agent shows no line at all. Therefore a panic in here loses only the facts that are
// still missing, and never the line.
func (g *glance) gather(
	dir string, given bool, in statusline.Input, f *statusline.Facts, o *statusline.Options,
) (sensor bool) {
	defer func() { _ = recover() }()
	g.survey(dir, given)
	c := g.configured()
	*o, sensor = c.options, c.sensor
	g.readDigest(f, c.digest)
	g.original(in, f, *o)
	if f.Tasks = g.tasks != ""; f.Tasks && o.Wants("task", *f) {
		f.Task = g.activeTask(in.Session)
	}
	if o.Wants("waiting", *f) {
		f.Waiting = g.waiting()
	}
	if reported, lost := in.Session != "" && o.Wants("agent", *f), o.Wants("lost", *f); reported || lost {
		root := g.records()
		if reported {
			f.Agent = g.injected(root, in.Session)
		}
		if lost {
			f.Lost = g.losses(root)
		}
	}
	if o.Wants("branch", *f) {
		f.Branch = g.branch()
	}
	return sensor
}
