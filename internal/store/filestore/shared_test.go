package filestore_test

import "baton/internal/store/filestore/crashtest"

// Names shared with the other tests of stores.
const (
	entry = crashtest.Entry
	kept  = crashtest.Kept
)

type scene = crashtest.Scene

var (
	allOrNothing = crashtest.AllOrNothing
	crashes      = crashtest.Crashes
	documents    = crashtest.Documents
	errorName    = crashtest.ErrorName
	newCrashFS   = crashtest.NewFS
	noTemps      = crashtest.NoTemps
	nudge        = crashtest.Nudge
	old          = crashtest.Old
	on           = crashtest.On
	put          = crashtest.Put
	realTemp     = crashtest.RealTemp
	sampled      = crashtest.Sampled
	scenes       = crashtest.Scenes
	seeds        = crashtest.Seeds
	steady       = crashtest.Env
	update       = crashtest.Update
)
