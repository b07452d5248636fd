package logins

// File returns the path of a login.
func (s *Store) File(key Key) string { return s.file(key) }

// LockFile returns the path of the lock of a login.
func (s *Store) LockFile(key Key) string { return lockOf(s.file(key)) }
