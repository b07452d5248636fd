// Package errorlines finds the lines of a program's output that say why it failed: the exception
// above a stack, the last line of a traceback, the code and the reason of npm. The only program that it
// knows by name is npm, whose errors are many lines with one prefix.
package errorlines

import (
	"slices"
	"strings"
)

const (
	// followers is the number of lines after a reason that may belong to it.
	followers = 2
	// longest is the number of bytes of a line that are examined.
	longest = 1 << 10
)

// Kind says what a line is.
type Kind int

const (
	// Other is a line that says nothing about a failure.
	Other Kind = iota
	// Reason is a line that says why a program failed.
	Reason
	// Detail is a line that belongs to the last reason.
	Detail
)

// A Selector classifies the lines of one output, in their order. Its zero value is ready to use.
type Selector struct {
	// room is how many of the next lines may belong to the last reason.
	room int
	// traceback is true from the head of a Python traceback to the exception below it.
	traceback bool
	// npm is true within the lines of one npm error.
	npm bool
}

// Next classifies the next line.
func (s *Selector) Next(line string) Kind {
	line = strings.TrimRight(line[:min(len(line), longest)], " \t\r\n")
	text := strings.TrimSpace(line)
	if rest, isNPM := cutNPM(text); isNPM {
		return s.nextNPM(rest)
	}
	s.npm = false
	switch {
	case strings.HasPrefix(text, "Traceback (most recent call last)"):
		s.traceback, s.room = true, 0
		return Other
	case s.traceback && strings.HasPrefix(line, " "):
		return Other // a frame
	case s.traceback && text != "":
		s.traceback, s.room = false, followers
		return Reason
	case isNoise(text):
		s.room = 0
		return Other
	case isError(text):
		s.room = followers
		return Reason
	case s.room > 0:
		s.room--
		return Detail
	}
	return Other
}

// cutNPM returns what follows the prefix of a line of an npm error. Depending on its version, npm
// writes "npm error" or "npm ERR!".
func cutNPM(text string) (rest string, isNPM bool) {
	for _, prefix := range []string{"npm error", "npm ERR!"} {
		if rest, isNPM = strings.CutPrefix(text, prefix); isNPM {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// nextNPM classifies a line of an npm error: the code and what follows it say why npm failed, system
// error numbers and advice do not.
func (s *Selector) nextNPM(rest string) Kind {
	if !s.npm || strings.HasPrefix(rest, "code ") {
		s.npm, s.room = true, followers
		if isAdvice(rest) {
			return Other
		}
		return Reason
	}
	words := strings.Fields(rest)
	if s.room == 0 || len(words) < 2 || isAdvice(rest) {
		return Other
	}
	s.room--
	return Detail
}

// isAdvice reports whether a line of an npm error says nothing about the error.
func isAdvice(rest string) bool {
	return slices.ContainsFunc([]string{"A complete log", "syscall ", "errno ", "type ", "This is a problem related to"}, func(prefix string) bool {
		return strings.HasPrefix(rest, prefix) || strings.HasPrefix(rest, "network "+prefix)
	})
}

// isNoise reports whether a line is a frame of a stack, the source above it, or what Node prints
// around an exception.
func isNoise(text string) bool {
	switch text {
	case "", "^", "{", "}", "throw err;":
		return true
	}
	return slices.ContainsFunc([]string{
		"at ", "File \"", "node:", "Node.js v", "code: '", "errno: ", "syscall: ", "requireStack: ", "Require stack:", "- /",
		"goroutine ", "stack backtrace:", "note: run with `RUST_BACKTRACE",
	}, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// isError reports whether a line says that something failed.
func isError(text string) bool {
	if slices.ContainsFunc([]string{
		"error:", "fatal:", "panic:", "Exception:", "[error]", "[ERROR]", "ERROR ", "ERROR:", "FATAL", "level=error", `"level":"error"`,
		"command not found", "No such file or directory", "Permission denied", "is not recognized as an internal or external command",
		"thread 'main' panicked", "No module named ", "Cannot find module ", "Caused by:",
	}, func(part string) bool { return strings.Contains(text, part) }) {
		return true
	}
	// "Error", also at the end of a name such as TypeError, and alone or before a colon or a code.
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "Error")
		if !found {
			return false
		}
		if after == "" || strings.ContainsRune(": [(", rune(after[0])) {
			return true
		}
		rest = after
	}
}
