//go:build !windows

package stdio

const separators = "/"

// adaptToSystem does nothing: a program gets its arguments unchanged.
func (*launch) adaptToSystem() error { return nil }

// notExecutable says why an existing file is not a program.
func notExecutable() string { return "is not executable" }

// wrongFormat reports whether a file could not be started because it is not a Windows
// program.
func wrongFormat(error) bool { return false }
