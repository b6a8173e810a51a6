package app

import (
	"runtime"
	"runtime/debug"
)

// version is set by the linker (-X baton/internal/cli/app.version=…); a plain `go build` leaves it
// to the build info.
var version string

// Version is the answer of "version".
type Version struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// VersionOf gathers what the executable knows of itself; the build info is only read where it is
// needed.
func VersionOf(name string, full bool) Version {
	v := Version{Name: name, Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if v.Version != "" && !full {
		return v
	}
	info, ok := debug.ReadBuildInfo()
	if ok && v.Version == "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	if v.Version == "" {
		v.Version = "dev"
	}
	if ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				v.Commit = setting.Value
			}
		}
	}
	return v
}
