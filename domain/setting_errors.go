package domain

import (
	"errors"
	"fmt"
)

// SettingError is a problem in the settings of a server. It matches ErrInvalidSetting.
type SettingError struct {
	// Key is the path of the value within the settings, for example {"args", "1"}.
	Key []string
	// Found describes the value, without secrets.
	Found string
	// Wanted describes a valid value.
	Wanted string
}

func (e *SettingError) Error() string {
	return fmt.Sprintf("%v: found %s, want %s", e.Key, e.Found, e.Wanted)
}

// Is reports whether target is ErrInvalidSetting.
func (e *SettingError) Is(target error) bool { return target == ErrInvalidSetting }

// SettingWarningError is what a user should know about the settings of a server, which can be used as they are.
type SettingWarningError struct {
	// Key is the path of the value within the settings.
	Key []string
	// Text says what is true of the value, after its path.
	Text string
}

func (w *SettingWarningError) Error() string { return fmt.Sprintf("%v %s", w.Key, w.Text) }

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
