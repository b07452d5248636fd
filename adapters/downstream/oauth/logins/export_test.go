package logins

// SetStep sets the function that is called between the steps of a refresh, and returns
// what puts the former one back.
func SetStep(at func(name string)) (restore func()) {
	before := step
	step = at
	return func() { step = before }
}

// File returns the path of a login.
func (s *Store) File(key Key) string { return s.file(key) }

// LockFile returns the path of the lock of a login.
func (s *Store) LockFile(key Key) string { return lockOf(s.file(key)) }
