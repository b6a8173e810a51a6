package store

// Undoes says that the transaction takes back a change that the store's log numbers so: the
// oldest, where it takes back several. A store without a log has no use for it.
func (t *Tx) Undoes(change int64) { t.undoes = change }

// Undone gives what Undoes was given, 0 for nothing.
func (t *Tx) Undone() int64 { return t.undoes }
