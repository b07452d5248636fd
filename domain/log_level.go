package domain

import "slices"

// LowestLogLevel is the level that includes all log messages.
const LowestLogLevel = "debug"

// UsualLogLevel is the level of log messages whose own level is unknown.
const UsualLogLevel = "info"

// logLevels are the levels of log messages, the lowest first (2025-11-25,
// server/utilities/logging).
var logLevels = []string{LowestLogLevel, UsualLogLevel, "notice", "warning", "error", "critical", "alert", "emergency"}

// IsLogLevel reports whether the protocol has a log level of that name.
func IsLogLevel(name string) bool { return slices.Contains(logLevels, name) }

// LogSeverity returns the rank of a log level: the higher, the more severe. "" ranks as
// LowestLogLevel, and unknown names rank as UsualLogLevel.
func LogSeverity(level string) int {
	switch {
	case level == "":
		level = LowestLogLevel
	case !IsLogLevel(level):
		level = UsualLogLevel
	}
	return slices.Index(logLevels, level)
}
