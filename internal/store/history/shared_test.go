package history_test

import "baton/internal/store/filestore/crashtest"

// Names shared with the other tests of stores.
var (
	all          = crashtest.All
	allOrNothing = crashtest.AllOrNothing
	crashes      = crashtest.Crashes
	documents    = crashtest.Documents
	errorName    = crashtest.ErrorName
	newCrashFS   = crashtest.NewFS
	noTemps      = crashtest.NoTemps
	nudge        = crashtest.Nudge
	put          = crashtest.Put
	realTemp     = crashtest.RealTemp
	sampled      = crashtest.Sampled
	scenes       = crashtest.Scenes
	seeds        = crashtest.Seeds
	steady       = crashtest.Env
	update       = crashtest.Update
)

// Entries of the test scenes.
const (
	entry = crashtest.Entry
	kept  = crashtest.Kept
)
