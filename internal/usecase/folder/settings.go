package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/store/disk"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// folderSettings are the settings of state folders (5.1).
type folderSettings struct {
	Runs     int    // number of snapshots in a ring, 0 or more
	Hygiene  string // block, warn or off: what happens at the end of a workflow with raw dispatches (5.6.4)
	Lanes    string // block, warn or off: what happens to a begin or a reset while lanes are at work (F-75)
	findings []report.Finding
}

// The original tool's settings for one project, and for all projects of a person.
const (
	DevtConfigName   = ".devt/config.json"
	DevtDefaultsName = ".devt/defaults.json"
)

// FolderSettings returns the settings for a state folder. The project's contract overrides baton's
// configuration, which overrides the layout's configuration, which overrides the defaults.
func (p Folder) FolderSettings(place workspace.FolderPlace) folderSettings {
	c := p.Settings()
	s := folderSettings{Runs: c.Number("work.archive_runs"), Hygiene: c.Text("work.dispatch_hygiene"), Lanes: "block"}
	if place.Layout == workspace.LayoutDevt {
		own := p.devtSettings()
		s.findings, s.Lanes = own.findings, own.Lanes
		if !c.Given("work.archive_runs") {
			s.Runs = own.Runs
		}
		if !c.Given("work.dispatch_hygiene") {
			s.Hygiene = own.Hygiene
		}
	}
	if runs := place.Contract.ArchiveRuns(); runs > 0 {
		s.Runs = runs
	}
	return s
}

// devtSettings reads the project's .devt/config.json on top of the defaults in the home folder. A
// file that cannot be read counts as empty, and the answer reports it. An invalid value counts as
// the default (SD-43).
func (p Folder) devtSettings() folderSettings {
	s := folderSettings{Runs: statedir.ArchiveRuns, Hygiene: "block", Lanes: "block"}
	files := [...]struct{ dir, name string }{{p.Env.Home, DevtDefaultsName}, {p.Root, DevtConfigName}}
	for _, f := range files {
		if f.dir == "" {
			continue
		}
		c, err := readDevtConfig(filepath.Join(f.dir, filepath.FromSlash(f.name)))
		if err != nil {
			s.findings = append(s.findings, report.CodeConfigInvalid.Finding(f.name, 0,
				f.name+" cannot be read, so none of its settings apply: "+safetext.Line(err.Error())))
			continue
		}
		c.into(&s)
	}
	return s
}

// devtConfig is the relevant part of the original tool's configuration.
type devtConfig struct {
	state map[string]json.RawMessage
	mode  json.RawMessage
	lanes json.RawMessage
}

func readDevtConfig(path string) (devtConfig, error) {
	data, err := disk.ReadFile(path, filepath.Base(path), config.Most)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return devtConfig{}, nil
	}
	if err != nil {
		return devtConfig{}, errors.New(config.ReasonOf(err))
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(Uncommented(data), &all); err != nil {
		return devtConfig{}, err
	}
	c := devtConfig{mode: all["dispatch_hygiene_mode"], lanes: all["lane_state_guard"]}
	_ = json.Unmarshal(all["state"], &c.state) // anything but an object has no settings
	return c, nil
}

// into applies the file's settings.
func (c devtConfig) into(s *folderSettings) {
	if raw, ok := c.state["archive_runs"]; ok {
		s.Runs = statedir.ArchiveRuns
		if n, ok := wholeNumber(raw); ok {
			s.Runs = n
		}
	}
	for _, set := range [...]struct {
		raw  json.RawMessage
		into *string
	}{{c.mode, &s.Hygiene}, {c.lanes, &s.Lanes}} {
		if set.raw == nil {
			continue
		}
		var mode string
		_ = json.Unmarshal(set.raw, &mode) // anything but a known text is block
		*set.into = "block"
		if mode == "warn" || mode == "off" {
			*set.into = mode
		}
	}
}

// wholeNumber reads a JSON number that is whole and not negative, in any notation.
func wholeNumber(raw json.RawMessage) (int, bool) {
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(raw)), 64)
	return int(min(max(n, 0), 1<<30)), err == nil && n >= 0 && n == math.Trunc(n)
}

// Uncommented replaces the comments of JSON with blanks, so that positions in messages stay right.
// Comment marks inside strings are text. The tasks' formats have their own reader of commented
// JSON, which preserves the comments because baton edits those files. This file belongs to another
// program and is only read, so any JSON that the other program accepts must work.
func Uncommented(data []byte) []byte {
	out := bytes.Clone(bytes.TrimPrefix(data, []byte("\ufeff")))
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(out[i:], []byte("//")):
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case bytes.HasPrefix(out[i:], []byte("/*")):
			end := bytes.Index(out[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			for stop := i + 2 + end + 2; i < stop; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		}
	}
	return out
}
