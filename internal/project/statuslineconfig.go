package project

import (
	"bytes"
	"path/filepath"

	"baton/internal/statusline"
)

// lineConfig is what the settings say about the line.
type lineConfig struct {
	options statusline.Options
	digest  string // layout.digest
	sensor  bool
}

// configured reads GSD's settings, and baton's over them.
func (g *glance) configured() lineConfig {
	var c lineConfig
	if g.gsd != "" {
		c.options.ReadPlanning(g.whole(g.gsd, mostPlanningConfig))
	}
	// YAML is parsed only for a file that may say something about the line. A file that is wrong anywhere is ignored
	// as a whole (D27).
	data := g.whole(filepath.Join(g.root, filepath.FromSlash(configName)), mostConfig)
	if bytes.Contains(data, []byte("statusline")) || g.several() && bytes.Contains(data, []byte("digest")) {
		if conf := readConfig(g.root); conf.fault() == nil {
			c.baton(&conf)
		}
	}
	return c
}

// several tells whether the configuration may have to choose a digest.
func (g *glance) several() bool {
	n := 0
	for _, name := range [...]string{g.state, g.own, g.specflow} {
		if name != "" {
			n++
		}
	}
	return n > 1
}

// baton takes in .baton/config.yaml: what it says goes before what GSD's settings say.
func (c *lineConfig) baton(conf *config) {
	c.digest = conf.text("layout.digest")
	c.sensor, _ = conf.value("statusline.sensor").(bool)
	o := &c.options
	o.Segments, _ = conf.value("statusline.segments").([]string)
	o.Scale = statusline.Scale(conf.text("statusline.scale"))
	if conf.given("statusline.state_format") {
		o.Format = conf.text("statusline.state_format")
	}
	if conf.given("statusline.context_position") {
		o.Front = conf.text("statusline.context_position") == "front"
	}
	if conf.given("statusline.show_context_tokens") {
		o.Tokens, _ = conf.value("statusline.show_context_tokens").(bool)
	}
}
