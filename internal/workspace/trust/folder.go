package trust

import (
	"path/filepath"
	"runtime"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// The files in baton's folder of the user's configuration.
const (
	FileName   = "trust"       // the approvals
	ConfigName = "config.yaml" // the user's own settings
)

// Folder returns baton's folder of the user's configuration, os.UserConfigDir()/baton, as a real
// path; "" if it is unknown.
//
// A folder that is only found through the home folder and is inside the project is not believed:
// its files would come with the project. If XDG_CONFIG_HOME names a folder there, the user wants
// that.
func Folder(env report.Env, inside ...string) string {
	base, named := env.Getenv("XDG_CONFIG_HOME"), true
	switch {
	case runtime.GOOS == "windows":
		base, named = env.Getenv("AppData"), false
	case runtime.GOOS == "darwin" && env.Home != "":
		base, named = filepath.Join(env.Home, "Library", "Application Support"), false
	case runtime.GOOS != "darwin" && base == "" && env.Home != "":
		base, named = filepath.Join(env.Home, ".config"), false
	}
	if !filepath.IsAbs(base) {
		return ""
	}
	folder := real(filepath.Join(base, "baton"))
	for _, root := range inside {
		if root != "" && !named && disk.Within(folder, real(root)) {
			return ""
		}
	}
	return folder
}

// real resolves the links of a path, as far as the path exists.
func real(path string) string {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if r, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(r, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
