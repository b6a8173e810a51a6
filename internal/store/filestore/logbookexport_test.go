package filestore

// LogLine writes a record as the log has it, for tests that make one up.
func LogLine(t interface{ Fatal(...any) }, c Change) string {
	line, err := c.line()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// LogOutside records what somebody else did, as Observe does.
func LogOutside(s *Store, docs []DocChange) error { return (&writer{Store: s}).logOutside(docs) }
