package statedir

import (
	"strings"
)

// Folders of the layouts, relative to the project's root.
const (
	DevtFolder  = ".devt/state"
	BatonFolder = ".baton/work"
)

// Names in a state folder that no sweep moves, whatever they are. Another kind of entry with such a
// name is ad hoc (5.4), but moving it could remove the lock, the archive that is being filled, or
// the register of instances.
const (
	ArchiveName   = ".archive"   // folder of the snapshots (5.9)
	LockName      = ".lock"      // lock file (5.11)
	InstancesName = ".instances" // folder of the register of instances (5.12)
)

// StateFolder is the state folder of a layout.
type StateFolder struct {
	Layout string
	Dir    string // slash path relative to the project's root
}

// Folders returns the state folders of the layouts in the order in which baton searches for them
// (D16).
func Folders() [2]StateFolder {
	return [2]StateFolder{{"baton", BatonFolder}, {"devt", DevtFolder}}
}

// FolderPrefixes returns the paths of the state folders as they occur in texts.
func FolderPrefixes() [2]string { return [2]string{DevtFolder + "/", BatonFolder + "/"} }

// The name of a lane's review is the slug of its title between these two texts.
const (
	lanePrefix = "review-lane-"
	laneSuffix = ".md"
)

// LaneFile returns the name of a lane's review for the slug of its title (5.15).
func LaneFile(slug string) string { return lanePrefix + slug + laneSuffix }

// LaneOf returns the slug in the name of a lane's review. ok is false for other names. The
// extension may be missing.
func LaneOf(file string) (slug string, ok bool) {
	return strings.CutPrefix(strings.TrimSuffix(file, laneSuffix), lanePrefix)
}
