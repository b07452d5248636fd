package config

import (
	"fmt"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// UntrustedFile says how to treat an untrusted file of the working directory.
type UntrustedFile int

const (
	// LeftOut: the user's own configuration is used instead, if there is one.
	LeftOut UntrustedFile = iota
	// LookedAt: it is read, for a command that starts no server.
	LookedAt
	// Refused: loading fails.
	Refused
)

// UntrustedError is a file that the user does not trust: one of the working directory, or one that it
// includes.
type UntrustedError struct {
	// Path is where the file is.
	Path string
	// Text is its content, for the user to look at. It is nil if Exposure is set, since no trust makes
	// such a file usable.
	Text []byte
	// Exposure says who else can change the file, "" if only the user can.
	Exposure string
	// Why says why the content is not trusted, "" if the user was never shown any.
	Why string
	// Toolbox is the toolbox of a plugin whose manifest is at Path, "" for a configuration. Rejected says why the plugin
	// cannot be used at all, "" if it can.
	Toolbox  domain.ToolboxName
	Rejected string
}

// source is the file in use and its text, or the places where none was found.
type source struct {
	path     string
	origin   Origin
	searched []string
	// later is the place in the user's configuration directory when no file was found.
	later string

	content
	// untrusted is the file of the working directory that the user does not trust, nil for none.
	untrusted *UntrustedError
}

// read reads the file of a source, if it has one.
func (s *source) read() {
	if s.path != "" {
		s.content = readFile(s.path, maxFileSize)
	}
}

// findSource finds and reads the file in use. It fails with an *UntrustedError if the options refuse an
// untrusted file.
func findSource(options Options, environment *environment) (source, error) {
	found := find(options, environment, true)
	found.read()
	untrusted := options.distrust(found)
	if untrusted != nil && options.Untrusted == Refused {
		return source{}, untrusted
	}
	if untrusted != nil && options.Untrusted == LeftOut {
		found = find(options, environment, false)
		found.read()
	}
	found.untrusted = untrusted
	return found, nil
}

// distrust returns why a file of the working directory is not used, nil for any other file and for
// one that is trusted. A file that cannot be read needs no trust.
func (o Options) distrust(found source) *UntrustedError {
	if found.origin != FromWorkingDirectory || found.unusable != "" {
		return nil
	}
	if exposure := safefile.PathExposure(found.path); exposure != "" {
		return &UntrustedError{Path: found.path, Exposure: exposure}
	}
	why := ""
	if o.Trusts != nil {
		var trusted bool
		if trusted, why = o.Trusts(found.path, found.data); trusted {
			return nil
		}
	}
	return &UntrustedError{Path: found.path, Text: found.data, Why: why}
}

// Error says to the user on one line which file is not used, and what to do.
func (e *UntrustedError) Error() string { return e.text("") }

// text returns the line with the words before the command. Others may have chosen the path, so invisible characters in
// it are escaped.
func (e *UntrustedError) text(before string) string {
	path := shown(e.Path)
	if e.Toolbox != "" {
		return e.pluginText(path, before)
	}
	if e.Exposure != "" {
		return fmt.Sprintf("%s is only used when it is named, since others can change it (%s); keep others from changing it, or name it with --config and %s",
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
	return fmt.Sprintf("%s is not trusted%s, so it is not used; to see what it would run, and to trust it, %srun %s",
		path, why, before, command)
}

// pluginText is text for a plugin.
func (e *UntrustedError) pluginText(path, before string) string {
	start := "the toolbox " + domain.QuotedName(e.Toolbox) + " is closed"
	switch {
	case e.Rejected != "":
		return start + ", since its plugin cannot be used: " + domain.CutBytes(domain.ReviewLine(e.Rejected), 2*maxShownPath)
	case e.Exposure != "":
		return fmt.Sprintf("%s, since others can change its plugin %s (%s); keep others from changing it, or allow it with %s", start, path, shown(e.Exposure), AllowForeignFlag)
	}
	trust := "`mcp-workbench trust " + domain.ShellWord(e.Path) + "`"
	if e.Why != "" {
		return fmt.Sprintf("%s, since its plugin %s is not trusted (%s); to see what is different, and to trust it, %srun `mcp-workbench update %s`, or %s for all of it",
			start, path, shown(e.Why), before, domain.ShellWord(string(e.Toolbox)), trust)
	}
	return fmt.Sprintf("%s, since its plugin %s is not trusted; to see what it would run, and to trust it, %srun %s", start, path, before, trust)
}

// Concern returns the problem about the file that hosts are shown.
func (e *UntrustedError) Concern() domain.ConfigurationProblem {
	return domain.ConfigurationProblem{Untrusted: true, Toolbox: e.Toolbox, Text: e.text("the user can ")}
}
