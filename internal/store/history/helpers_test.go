package history_test

import (
	"baton/internal/store/filestore"
	"baton/internal/store/history"
)

// keeper is a store that keeps history.
type keeper struct {
	*filestore.Store
	*history.History
}

func open(o filestore.Options, kept history.Options) keeper {
	s := filestore.Open(o)
	return keeper{s, history.Keep(s, kept)}
}
