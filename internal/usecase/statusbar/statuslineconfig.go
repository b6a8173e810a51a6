package statusbar

import (
	"bytes"
	"path/filepath"

	"baton/internal/statusline"
	"baton/internal/workspace/config"
	"baton/internal/workspace/planning"
)

// lineConfig is the part of the settings about the line.
type lineConfig struct {
	options statusline.Options
	digest  string // layout.digest
	sensor  bool
}

// configured reads GSD's settings, and applies baton's on top.
func (g *glance) configured() lineConfig {
	var c lineConfig
	if g.gsd != "" {
		c.options.ReadPlanning(g.whole(g.gsd, planning.MostConfig))
	}
	// YAML is parsed only if the file may contain settings of the line. A file with any error is
	// ignored as a whole (D27).
	data := g.whole(filepath.Join(g.root, filepath.FromSlash(config.Name)), config.Most)
	if bytes.Contains(data, []byte("statusline")) || g.several() && bytes.Contains(data, []byte("digest")) {
		if conf := config.Read(g.root); conf.Fault() == nil {
			c.baton(&conf)
		}
	}
	return c
}

// several reports whether there are several digests, so that the configuration may have to choose
// one.
func (g *glance) several() bool {
	n := 0
	for _, name := range [...]string{g.state, g.own, g.specflow} {
		if name != "" {
			n++
		}
	}
	return n > 1
}

// baton applies .baton/config.yaml. Its settings override GSD's.
func (c *lineConfig) baton(conf *config.Config) {
	c.digest = conf.Text("layout.digest")
	c.sensor, _ = conf.Value("statusline.sensor").(bool)
	o := &c.options
	o.Segments, _ = conf.Value("statusline.segments").([]string)
	o.Scale = statusline.Scale(conf.Text("statusline.scale"))
	if conf.Given("statusline.state_format") {
		o.Format = conf.Text("statusline.state_format")
	}
	if conf.Given("statusline.context_position") {
		o.Front = conf.Text("statusline.context_position") == "front"
	}
	if conf.Given("statusline.show_context_tokens") {
		o.Tokens, _ = conf.Value("statusline.show_context_tokens").(bool)
	}
}
