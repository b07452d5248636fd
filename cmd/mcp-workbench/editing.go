package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// editing is what commands share that change files of people: they show what they
// would write and ask.
type editing struct {
	*terminal.Terminal
	yes, dryRun, asJSON bool
	// refused says that a change was not written because nobody could be asked.
	refused bool
}

// addFlags gives a command the flags of editing.
func (e *editing) addFlags(command *cobra.Command) {
	command.Flags().BoolVar(&e.yes, "yes", false, "write without asking")
	command.Flags().BoolVar(&e.dryRun, "dry-run", false, "show what would be written, and write nothing")
	command.Flags().BoolVar(&e.asJSON, "json", false, "print one JSON object ('mcp-workbench help hosts' has its form)")
	command.MarkFlagsMutuallyExclusive("yes", "dry-run")
}

// open takes the terminal, once the flags are read.
func (e *editing) open(options options) {
	e.Terminal = terminal.New(console.Out, options.colour)
}

// asks reports whether there is somebody to ask.
func (e *editing) asks() bool { return e.IsInteractive() && !e.yes && !e.dryRun && !e.asJSON }

// say prints a line for people.
func (e *editing) say(format string, args ...any) error {
	if e.asJSON {
		return nil
	}
	return e.Print(format, args...)
}

// proposal is a change of one file, with texts that can be shown.
type proposal struct {
	path          string
	before, after []byte
	// preset is what Enter answers: yes for a file of our own that is not there yet.
	preset bool
	apply  func() error
}

// diff returns the change as a unified diff.
func (p proposal) diff() string {
	text := string(diff.Diff(p.path, p.before, p.path, p.after))
	_, text, _ = strings.Cut(text, "\n") // "diff A B", which the next lines say again
	return text
}

// settle shows a change, asks, and makes it after a yes. It reports whether the change
// was made.
func (e *editing) settle(p proposal) (written bool, err error) {
	if !e.asJSON {
		if err := e.Diff(p.diff()); err != nil {
			return false, err
		}
	}
	switch {
	case e.dryRun:
		return false, nil
	case e.yes:
	case e.asJSON || !e.IsInteractive():
		e.refused = true
		return false, nil
	default:
		yes, err := e.Confirm("Write this to "+p.path+"?", p.preset)
		if err != nil || !yes {
			return false, err
		}
	}
	return true, p.apply()
}

// finish prints the result with --json and returns the error with which the program
// exits.
func (e *editing) finish(result any, failed bool) error {
	if e.asJSON {
		if err := json.NewEncoder(console.Out.Data()).Encode(result); err != nil {
			return &exitError{code: exitFailure, err: fmt.Errorf("write the result: %w", err)}
		}
	}
	switch {
	case failed:
		return &exitError{code: exitFailure}
	case e.refused:
		return &exitError{code: exitUsage, err: fmt.Errorf(
			"nothing was written, since nobody can be asked here; to write it, run '%s'", commandLine("--yes"),
		)}
	}
	return nil
}

// ended turns a failure of editing into the error with which the program exits.
func ended(err error) error {
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit
	}
	return &exitError{code: exitFailure, err: err}
}

// commandLine returns the command that was run, with one more flag.
func commandLine(flag string) string {
	words := []string{"mcp-workbench"}
	for _, word := range append(os.Args[1:len(os.Args):len(os.Args)], flag) {
		words = append(words, domain.ShellWord(word))
	}
	return strings.Join(words, " ")
}
