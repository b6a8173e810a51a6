package filestore

// logs tells whether this store keeps a log: one that keeps a ledger does.
func (s *Store) logs() bool { return s.o.Watch.By != nil }

// attribute says in a record who makes the change at hand, and with what.
func (w *writer) attribute(c *Change) {
	c.By, c.Head, c.Command = w.o.Watch.By(), w.headNow(), w.o.Command
	if w.o.Watch.Agent != nil {
		c.Agent, c.Session = w.o.Watch.Agent()
	}
}
