package statedir

import (
	"strings"
)

// Folders of the layouts, below the project's root.
const (
	DevtFolder  = ".devt/state"
	BatonFolder = ".baton/work"
)

// Names in a state folder that no sweep touches whatever is after them: something else of that name
// is ad hoc (5.4), but moving it would take away the lock, the archive that is being filled, or the
// register of the instances.
const (
	ArchiveName   = ".archive"   // folder of the snapshots (5.9)
	LockName      = ".lock"      // lock file (5.11)
	InstancesName = ".instances" // folder of the register of instances (5.12)
)

// StateFolder is where a layout has its state folder.
type StateFolder struct {
	Layout string
	Dir    string // slash path below the project's root
}

// Folders returns the state folders of the layouts in the order in which they are looked for (D16).
func Folders() [2]StateFolder {
	return [2]StateFolder{{"baton", BatonFolder}, {"devt", DevtFolder}}
}

// FolderPrefixes returns the state folders as texts refer to them.
func FolderPrefixes() [2]string { return [2]string{DevtFolder + "/", BatonFolder + "/"} }

// The name of a lane's review is the slug of its title between these.
const (
	lanePrefix = "review-lane-"
	laneSuffix = ".md"
)

// LaneFile returns the name of the review of a lane, by the slug of its title (5.15).
func LaneFile(slug string) string { return lanePrefix + slug + laneSuffix }

// LaneOf returns the slug in the name of a lane's review, false for another name. The name may lack
// its extension.
func LaneOf(file string) (slug string, ok bool) {
	return strings.CutPrefix(strings.TrimSuffix(file, laneSuffix), lanePrefix)
}
