package stdio

import (
	"slices"
	"strings"
)

const (
	// maxDetails is the number of lines after a reason that may belong to it.
	maxDetails = 2
	// examinedBytes is the number of bytes of a line that are examined.
	examinedBytes = 1 << 10
)

// lineKind says what a line is.
type lineKind int

const (
	// otherLine is a line that says nothing about a failure.
	otherLine lineKind = iota
	// reasonLine is a line that says why a program failed.
	reasonLine
	// detailLine is a line that belongs to the last reason.
	detailLine
)

// A reasonSelector finds the lines of a program's output that say why it failed: the exception above a
// stack, the last line of a traceback, the code and the reason of npm. The only program that it knows by
// name is npm, whose errors are many lines with one prefix. It classifies the lines of one output, in their
// order. Its zero value is ready to use.
type reasonSelector struct {
	// room is how many of the next lines may belong to the last reason.
	room int
	// traceback is true from the head of a Python traceback to the exception below it.
	traceback bool
	// npm is true within the lines of one npm error.
	npm bool
}

// next classifies the next line.
func (s *reasonSelector) next(line string) lineKind {
	line = strings.TrimRight(line[:min(len(line), examinedBytes)], " \t\r\n")
	text := strings.TrimSpace(line)
	if rest, isNPM := cutNPM(text); isNPM {
		return s.nextNPM(rest)
	}
	s.npm = false
	switch {
	case strings.HasPrefix(text, "Traceback (most recent call last)"):
		s.traceback, s.room = true, 0
		return otherLine
	case s.traceback && strings.HasPrefix(line, " "):
		return otherLine // a frame
	case s.traceback && text != "":
		s.traceback, s.room = false, maxDetails
		return reasonLine
	case isNoise(text):
		s.room = 0
		return otherLine
	case isError(text):
		s.room = maxDetails
		return reasonLine
	case s.room > 0:
		s.room--
		return detailLine
	}
	return otherLine
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
func (s *reasonSelector) nextNPM(rest string) lineKind {
	if !s.npm || strings.HasPrefix(rest, "code ") {
		s.npm, s.room = true, maxDetails
		if isAdvice(rest) {
			return otherLine
		}
		return reasonLine
	}
	words := strings.Fields(rest)
	if s.room == 0 || len(words) < 2 || isAdvice(rest) {
		return otherLine
	}
	s.room--
	return detailLine
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
