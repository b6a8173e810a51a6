package store

// Undoes declares that the transaction undoes the change with this number in the store's log; if it
// undoes several, the oldest. A store without a log ignores it.
func (t *Tx) Undoes(change int64) { t.undoes = change }

// Undone returns the number that Undoes was given, or 0.
func (t *Tx) Undone() int64 { return t.undoes }
