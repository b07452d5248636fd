package config

import (
	"fmt"
	"strings"

	"mcp-workbench/adapters/fileowner"
	"mcp-workbench/domain"
)

// UntrustedFile says what becomes of a file of the working directory that is not trusted.
type UntrustedFile int

const (
	// LeftOut: the user's own configuration is used in its place, or none.
	LeftOut UntrustedFile = iota
	// LookedAt: it is read, for those who start nothing of it.
	LookedAt
	// Refused: it is a failure.
	Refused
)

// UntrustedError is a file of the working directory that the user does not trust.
type UntrustedError struct {
	// Path is where the file is.
	Path string
	// Text are its bytes, for the user to look at. They are nil for a file that is never used from
	// there.
	Text []byte
	// Exposure says who besides the user decides about such a file.
	Exposure string
	// Why says why the bytes are not trusted, "" when the user never saw any.
	Why string
}

// readTrusted reads the file of a place, and returns why it does not count as the file of the
// working directory that it is, nil for every other one. What cannot be read is no question of
// trust.
func readTrusted(place location, options Options) (fileRead, *UntrustedError) {
	file := readFile(place)
	if place.origin != FromWorkingDirectory || file.unusable != "" {
		return file, nil
	}
	if exposure := fileowner.PathExposure(place.path); exposure != "" {
		return file, &UntrustedError{Path: place.path, Exposure: exposure}
	}
	trusted, why := false, ""
	if options.Trusts != nil {
		trusted, why = options.Trusts(place.path, file.data)
	}
	if !trusted {
		return file, &UntrustedError{Path: place.path, Text: file.data, Why: why}
	}
	return file, nil
}

// Error says on one line which file is not used, and what the user can do. The path may come from
// others, so whatever is not seen in it is an escape.
func (e *UntrustedError) Error() string {
	path := shown(e.Path)
	if e.Exposure != "" {
		return fmt.Sprintf("%s is only used when it is named, since others can change it (%s); keep it to its owner, or name it with --config and %s",
			path, shown(e.Exposure), AllowForeignFlag)
	}
	command := "`mcp-workbench trust` in that folder"
	if path == e.Path {
		command = "`mcp-workbench trust " + domain.ShellWord(path) + "`"
	}
	why := ""
	if e.Why != "" {
		why = " (" + shown(e.Why) + ")"
	}
	return fmt.Sprintf("%s is not trusted%s, so it is not used; to see what it would run, and to trust it, the user can run %s",
		path, why, command)
}

// Concern is the file as hosts read of it.
func (e *UntrustedError) Concern() domain.ConfigurationProblem {
	return domain.ConfigurationProblem{Untrusted: true, Text: e.Error()}
}

// maxShownPath is how many bytes of a path are shown. A path may be a text of others.
const maxShownPath = 400

// shown returns a path as it is shown, on one line.
func shown(path string) string {
	line := domain.ReviewLine(path)
	if len(line) > maxShownPath {
		line = strings.ToValidUTF8(line[:maxShownPath], "") + "…"
	}
	return line
}
