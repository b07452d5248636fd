package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/atomicfile"
)

// ownFile is the configuration of the workbench as a file to change.
type ownFile struct {
	path    string
	origin  config.Origin
	before  []byte // nil when it does not exist
	dynamic bool
	sources config.Options
	// schema is written with a new one, which names it; nil for none.
	schema *schemaFile
	// isTrusted says that the user trusts the file as it is, or that there is none yet.
	isTrusted bool
}

// openOwnFile reads the configuration in use, or the one that is to be made. What is
// wrong with it is a failure: a file that cannot be used is for its author to mend.
func openOwnFile(options options) (*ownFile, error) {
	sources, err := options.sources()
	if err != nil {
		return nil, err
	}
	sources.Lenient = false
	file := &ownFile{sources: sources}
	if file.path, file.origin = config.Place(sources); file.path == "" {
		return nil, errors.New("there is no user configuration directory; name a file with --config")
	}
	file.before, err = hostfiles.Load(file.path)
	if errors.Is(err, fs.ErrNotExist) {
		file.isTrusted = true
		return file, nil
	}
	if err != nil {
		return nil, err
	}
	file.isTrusted, _ = options.trusts(file.path, file.before)
	configuration, err := file.check(file.before)
	if err != nil {
		return nil, unusable(err)
	}
	file.dynamic = configuration.ToolMode == config.Dynamic
	if file.before == nil {
		file.before = []byte{}
	}
	return file, nil
}

// isNew reports whether the file does not exist.
func (f *ownFile) isNew() bool { return f.before == nil }

// isShared reports whether the file belongs to a project rather than to a person: it was
// found in the working directory, or is in a repository and may be committed.
func (f *ownFile) isShared() bool {
	return f.origin == config.FromWorkingDirectory || isInRepository(filepath.Dir(f.path))
}

// takingUp says when a workbench that is running reads the file again.
func (f *ownFile) takingUp() string {
	if f.origin == config.FromWorkingDirectory && !f.isTrusted {
		return (&config.UntrustedError{Path: f.path}).Error()
	}
	return "A workbench that is running reads it again by itself."
}

func isInRepository(directory string) bool {
	for {
		if _, err := os.Stat(filepath.Join(directory, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(directory)
		if above == directory {
			return false
		}
		directory = above
	}
}

// text returns what the file says, that of an empty configuration when it is new.
func (f *ownFile) text() []byte {
	if !f.isNew() {
		return f.before
	}
	if f.schema == nil {
		return configtext.New("")
	}
	return configtext.New(f.schema.reference())
}

// check judges a text as the program judges its configuration.
func (f *ownFile) check(text []byte) (*config.Configuration, error) {
	return config.Check(f.sources, f.path, text, newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
}

// proposal returns the change of the file to a text. A private file can be read by its
// owner only, whatever it was before.
func (f *ownFile) proposal(after []byte, private bool) proposal {
	return proposal{
		path: f.path, before: configtext.Masked(f.before), after: configtext.Masked(after), preset: f.isNew(),
		apply: func() error {
			if _, err := hostfiles.Writable(f.path); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
				return err
			}
			if private && !f.isNew() {
				if err := os.Chmod(f.path, 0o600); err != nil {
					return fmt.Errorf("keep %s from others: %w", f.path, err)
				}
			}
			return f.write(after)
		},
	}
}

// write writes the file. A file that was trusted, or is new, is trusted as it is written, since
// others wrote nothing in it.
func (f *ownFile) write(after []byte) error {
	if err := f.replace(after); err != nil {
		return err
	}
	if !f.isTrusted || filepath.Base(f.path) != config.FileName || f.path == config.UserPlace(f.sources) {
		return nil
	}
	if err := trustRecords().Add(f.path, after, lockBeside(f.path)); err != nil {
		return fmt.Errorf("%s was written, but is not trusted: %w", f.path, err)
	}
	return nil
}

// replace writes the file, and its schema before it, so that it never names what is not
// there.
func (f *ownFile) replace(after []byte) error {
	if f.schema == nil {
		return atomicfile.ReplaceIf(f.path, f.before, after, 0o600)
	}
	if err := f.schema.write(); err != nil {
		return err
	}
	if err := atomicfile.ReplaceIf(f.path, f.before, after, 0o600); err != nil {
		return errors.Join(err, f.schema.takeBack())
	}
	return nil
}
