package domain

import "errors"

// SettingErrors collects the problems and warnings about the settings of a server. The zero value is empty. It is not
// safe for concurrent use.
type SettingErrors struct{ errs []error }

// Add adds a SettingError with these fields.
func (s *SettingErrors) Add(found, wanted string, key ...string) {
	s.errs = append(s.errs, &SettingError{Key: key, Found: found, Wanted: wanted})
}

// Warn adds a SettingWarningError.
func (s *SettingErrors) Warn(text string, key ...string) {
	s.errs = append(s.errs, &SettingWarningError{Key: key, Text: text})
}

// Join returns all of them as one error, nil if there are none.
func (s *SettingErrors) Join() error { return errors.Join(s.errs...) }
