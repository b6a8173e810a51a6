package statusbar

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/statusline"
	"baton/internal/store/disk"
	"baton/internal/workspace/config"
	"baton/internal/workspace/planning"
)

// bridgeFresh is how long a bridge file stays as it is if the percentage is the same (D49).
const bridgeFresh = time.Second

// bridge writes the file that GSD's context monitor reads, where that hook is installed (F-60,
// D49). It has the same bytes as the one that GSD's own status line writes. Failures are ignored,
// because the line must be printed in any case.
func (g *glance) bridge(in statusline.Input) {
	if in.Left == "" || in.Session == "" || strings.ContainsAny(in.Session, `/\`) ||
		strings.Contains(in.Session, "..") || g.env.Now == nil || !g.prepared(g.records()).Bridge {
		return
	}
	now := g.env.Now()
	place := filepath.Join(planning.TempFolder(g.env.Getenv), "claude-ctx-"+in.Session+".json")
	left := `"remaining_percentage":` + in.Left + `,"used_pct":` +
		strconv.Itoa(int(math.Floor(100-max(-1e9, min(1e9, *in.Remaining))+0.5)))
	if info, err := os.Lstat(place); err == nil && info.Mode().IsRegular() {
		age := now.Sub(info.ModTime())
		if age >= 0 && age < bridgeFresh && strings.Contains(string(g.whole(place, mostUpdate)), left) {
			return
		}
	}
	text := `{"session_id":` + jsontext.Quote(in.Session) + "," + left + `,"timestamp":` +
		strconv.FormatInt(now.Unix(), 10) + "}"
	_ = exchange(place, strconv.Itoa(g.env.PID), []byte(text))
}

// exchange writes a file under a new name of its own, and renames it. It follows no link, because
// others may write into the temporary folder.
func exchange(place, own string, data []byte) error {
	var system disk.OS
	written := strings.TrimSuffix(place, ".json") + "." + own + ".tmp"
	f, err := system.Create(written, 0o600)
	if errors.Is(err, fs.ErrExist) { // left by a process that died
		if err = system.Remove(written); err == nil {
			f, err = system.Create(written, 0o600)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = system.Rename(written, place)
	}
	if err != nil {
		_ = system.Remove(written)
	}
	return err
}

// monitorHook is the name of GSD's context monitor in the settings of a client.
const monitorHook = "gsd-context-monitor"

// settings calls visit with the text of every file of settings that the clients with a status line
// read for this project.
func (p StatusBar) settings(visit func(text string)) {
	for _, client := range [...]struct{ variable, folder string }{
		{"CLAUDE_CONFIG_DIR", ".claude"}, {"QWEN_HOME", ".qwen"},
	} {
		here := filepath.Join(p.Root, client.folder)
		names := []string{filepath.Join(here, "settings.json"), filepath.Join(here, "settings.local.json")}
		if dir := p.Env.Getenv(client.variable); dir != "" {
			names = append(names, filepath.Join(dir, "settings.json"))
		} else if p.Env.Home != "" {
			names = append(names, filepath.Join(p.Env.Home, client.folder, "settings.json"))
		}
		for _, name := range names {
			if data, err := disk.ReadFile(name, name, config.Most); err == nil {
				visit(string(data))
			}
		}
	}
}

// KeepBridge notes for the status line whether a hook of GSD's context monitor is installed. It
// returns whether the note changed, and whether there is such a hook. It is a note in a cache, so
// failures are ignored.
func (p StatusBar) KeepBridge() (changed, installed bool) {
	p.settings(func(text string) { installed = installed || strings.Contains(text, monitorHook) })
	line := p.Prepared()
	if line.Bridge == installed {
		return false, installed
	}
	line.Bridge = installed
	return p.Prepare(line), installed
}

// Blind reports whether GSD's context monitor is installed and baton's status line shows, but does
// not write the file that the monitor reads.
func (p StatusBar) Blind() bool {
	monitor, shows := false, false
	p.settings(func(text string) {
		monitor = monitor || strings.Contains(text, monitorHook)
		shows = shows || strings.Contains(text, "baton statusline")
	})
	return monitor && shows && !p.Prepared().Bridge
}
