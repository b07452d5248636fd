package setup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// Program gives the commands access to the program that they belong to.
type Program struct {
	Console *terminal.Console
	// Colour says when to use colour: one of terminal.ColourModes.
	Colour string
	// CommandLine returns the command that was run with one more flag.
	CommandLine func(flag string) string
	// Sources are where the configuration may be, and Transports those it may name.
	Sources    config.Options
	Transports Kinds
	// Load loads the configuration for hosts, from the file at path or, if that is "", from
	// where it is found: that of the user before that of a project if projects join it. The user may be asked whether to
	// trust it.
	Load func(path string, joins bool) (*config.Configuration, error)
	// Schema returns the JSON Schema of the configuration.
	Schema func() ([]byte, error)
	// Trust records that the user trusts a file.
	Trust func(path string, text []byte) error
	// ReadPlugin reads the plugin in a folder.
	ReadPlugin func(folder string) (*Plugin, error)
	// AskRegistry returns a client of the registry with these settings, whose answers may take as long as the limit.
	AskRegistry func(ctx context.Context, settings domain.Server, limit time.Duration) (*registry.Client, error)
	// Versions returns the versions of the package that a server's launcher fetches, and whether there is one.
	Versions func(ctx context.Context, server domain.Server) (versions domain.PackageVersions, fetches bool, err error)
	// State returns the directory for the state of the program.
	State func() (string, error)
}

// ErrReported is the failure of a command that printed what is wrong.
var ErrReported = errors.New("the failure was printed")

// UnconfirmedError is the failure of a command that could not ask.
type UnconfirmedError struct{ command string }

func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("nothing was written, since there is no terminal to ask in; to write it, run %s", domain.QuotedCommand(e.command))
}

// UsageError is a mistake in the command line.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Editor changes files of the user: it shows each change and asks.
type Editor struct {
	// Yes writes without asking, DryRun writes nothing, and AsJSON prints one JSON object.
	Yes, DryRun, AsJSON bool
	// AsksFirst asks before a server is added, since its user does not see what it is.
	AsksFirst bool
	// AllowOptions accepts what needs care without a question. IsPasted says that a server which is added was described by
	// someone else, such as a page.
	AllowOptions, IsPasted bool

	Program
	terminal *terminal.Terminal
	// printErr is the first failure to print. It ends all output.
	printErr error
	// isUnconfirmed is true once a change was not written because there is no terminal.
	isUnconfirmed bool
}

// Open prepares the editor for one command, after its flags were read.
func (e *Editor) Open(program Program) *Editor {
	e.Program = program
	e.Sources.Lenient = false
	e.terminal = terminal.New(program.Console.Out, program.Colour)
	return e
}

// asks reports whether the user can be asked.
func (e *Editor) asks() bool { return e.terminal.IsInteractive() && !e.Yes && !e.DryRun && !e.AsJSON }

// command returns a command of this program, in quotes, about the configuration that this one is about.
func (e *Editor) command(words string) string {
	if e.Sources.Path != "" {
		words = "--config " + domain.ShellWord(e.Sources.Path) + " " + words
	}
	return domain.QuotedCommand("mcp-workbench " + words)
}

// say prints a line for people.
func (e *Editor) say(format string, args ...any) {
	if !e.AsJSON && e.printErr == nil {
		e.printErr = e.terminal.Print(format, args...)
	}
}

func (e *Editor) sayNotes(notes []string) {
	for _, note := range notes {
		e.say("note: %s", note)
	}
}

// change is a change of one file, or of the files in a folder.
type change struct {
	path string
	// before and after are the texts, without what must not be shown.
	before, after []byte
	// apply makes the change; nil if another change makes it.
	apply func() error
	// others are shown with it, and made after it. Notes say what stays behind.
	others []change
	notes  []string
}

// diff returns the change as a unified diff.
func (c change) diff() string {
	text := string(diff.Diff(c.path, c.before, c.path, c.after))
	_, text, _ = strings.Cut(text, "\n") // "diff A B", which the next lines repeat
	for _, other := range c.others {
		text += other.diff()
	}
	return text
}

// write makes the change and those after it.
func (c change) write() error {
	if err := c.apply(); err != nil {
		return err
	}
	for _, other := range c.others {
		if other.apply == nil {
			continue
		}
		if err := other.write(); err != nil {
			return fmt.Errorf("%s was written, but %s was not: %w", c.path, other.path, err)
		}
	}
	return nil
}

// show prints a change.
func (e *Editor) show(c change) error {
	text := c.diff()
	if !e.AsJSON && e.printErr == nil {
		e.printErr = e.terminal.Diff(text)
	}
	if e.asks() && strings.Contains(text, masking.Mask) {
		e.say("%s stands for a value that is written whole, and not shown.", masking.Mask)
	}
	return e.printErr
}

// settle shows a change, and makes it after a yes. It reports whether the change was made.
func (e *Editor) settle(c change) (written bool, err error) {
	if err := e.show(c); err != nil {
		return false, err
	}
	return e.apply(c, e.terminal.Confirm)
}

// apply makes a change that was shown, after a yes unless confirm is nil. It reports whether the change was made.
func (e *Editor) apply(c change, confirm func(question string) (bool, error)) (written bool, err error) {
	switch {
	case e.DryRun:
		return false, nil
	case e.Yes || confirm == nil:
	case !e.asks():
		e.isUnconfirmed = true
		return false, nil
	default:
		if yes, err := confirm("Write this to " + c.path + "?"); err != nil || !yes {
			return false, err
		}
	}
	if err = c.write(); err != nil {
		return false, err
	}
	for _, other := range c.others {
		if other.apply != nil && other.diff() != "" {
			e.say("%s: written, to be in step.", other.path)
		}
	}
	return true, nil
}

// finish prints the result with --json and returns the failure of the command.
func (e *Editor) finish(result any, failed bool) error {
	if e.AsJSON {
		if err := e.Console.Out.JSON(result); err != nil {
			return err
		}
	}
	switch {
	case e.printErr != nil:
		return e.printErr
	case failed:
		return ErrReported
	case e.isUnconfirmed:
		if e.AsksFirst { // the command has a link, which can have secrets in it
			return &UnconfirmedError{command: "mcp-workbench add LINK --yes"}
		}
		return &UnconfirmedError{command: e.CommandLine("--yes")}
	}
	return nil
}
