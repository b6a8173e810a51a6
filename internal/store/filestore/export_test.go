package filestore

// ReplaceCache writes a cache as on systems where two files cannot be exchanged.
func (s *Store) ReplaceCache(name string, data []byte) error { return s.replaceCache(name, data) }
