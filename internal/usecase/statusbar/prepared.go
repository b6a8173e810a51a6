package statusbar

import (
	"cmp"
	"encoding/json"

	"baton/internal/statusline"
	"baton/internal/workspace"
)

// Prepared returns what commands prepared for the status line (D49). A cache that cannot be read
// counts as empty.
func (p StatusBar) Prepared() (line statusline.Prepared) {
	if data, err := p.Store.ReadCache(statusline.PreparedName); err == nil {
		_ = json.Unmarshal(data, &line)
	}
	return line
}

// Prepare keeps a line for the status line. It reports whether it could; callers may ignore that,
// because it is only a cache. If the sessions were never counted, the time is now.
func (p StatusBar) Prepare(line statusline.Prepared) bool {
	line.At = cmp.Or(line.At, workspace.Stamp(p.Now()))
	data, err := workspace.Encoded(line, "")
	if err != nil || len(data) > statusline.MostPrepared {
		return false
	}
	return p.Store.WriteCache(statusline.PreparedName, data) == nil
}
