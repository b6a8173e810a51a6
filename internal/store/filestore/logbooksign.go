package filestore

// logs tells whether this store keeps a log: one that keeps a ledger does.
func (s *Store) logs() bool { return s.o.Watch.By != nil }

// signature says who makes the change at hand.
func (w *writer) signature() (by, head, command string) {
	return w.o.Watch.By(), w.headNow(), w.o.Command
}
