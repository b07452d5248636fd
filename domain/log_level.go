package domain

import "slices"

// LowestLogLevel is the level of log messages that lets all of them pass.
const LowestLogLevel = "debug"

// logLevels are the levels of log messages, the lowest first (2025-11-25,
// server/utilities/logging).
var logLevels = []string{LowestLogLevel, "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// IsLogLevel reports whether the protocol has a log level of that name.
func IsLogLevel(name string) bool { return slices.Contains(logLevels, name) }

// LogSeverity returns the rank of a log level: the higher, the more severe. That of "" is
// the lowest. A name that is no level has the highest, so that such messages pass every
// bound.
func LogSeverity(level string) int {
	if i := slices.Index(logLevels, level); i >= 0 || level == "" {
		return max(i, 0)
	}
	return len(logLevels)
}
