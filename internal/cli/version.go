package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker (-X baton/internal/cli.version=…); a plain `go build` leaves it to the build info.
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

// versionOf gathers what the executable knows of itself; the build info is only read where it is needed.
func versionOf(name string, full bool) Version {
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

func (d *door) printVersion() error {
	if d.json {
		return d.printJSON(versionOf("baton", true))
	}
	return d.print([]byte("baton " + versionOf("baton", false).Version + "\n"))
}

func (d *door) versionCommand() *cobra.Command {
	return d.command(spec{
		use: "version", short: "Print the version",
		long:    "Print the version of baton. With --json also the commit, the Go version and the system it was built for.",
		example: "baton version\nbaton version --json",
		run:     func(*cobra.Command, []string) error { return d.printVersion() },
	})
}
