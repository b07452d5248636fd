package domain

import "errors"

// SettingErrors collects the problems in the settings of a server. The zero value is empty. It is not
// safe for concurrent use.
type SettingErrors struct{ errs []error }

// Add adds a SettingError with these fields.
func (s *SettingErrors) Add(found, wanted string, key ...string) {
	s.errs = append(s.errs, &SettingError{Key: key, Found: found, Wanted: wanted})
}

// Join returns all problems as one error, nil if there are none.
func (s *SettingErrors) Join() error { return errors.Join(s.errs...) }
