package background

// isReset reports false: there are no bridges on Windows.
func isReset(error) bool { return false }
