package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// ownFile is the configuration of the workbench as a file to change.
type ownFile struct {
	program *Program
	path    string
	origin  config.Origin
	before  []byte // nil if it does not exist
	dynamic bool
	// checked is the configuration in before; nil if the file does not exist or has mistakes.
	checked *config.Configuration
	// schema is written with a new file, which names it; nil for none.
	schema *schemaFile
	// background says that a new file makes windows share one workbench.
	background bool
	// store has the values in kept, by the names of their variables; nil for none.
	store passwordStore
	kept  map[string]string
	// renamed are the new names of toolboxes that an edit renames.
	renamed map[string]string
	// shownPlugins are the toolboxes with plugins that an edit adds, and whose skills the user is shown with it.
	shownPlugins []domain.ToolboxName
	// isTrusted is set if the user trusts the bytes of the file, or if neither the file nor a lock beside it exists.
	isTrusted bool
}

var errNoPlace = errors.New("there is no user configuration directory; name a file with --config")

// openOwnFile reads the configuration in use, or returns the one to be made.
//
// Failures: *config.InvalidError; those of reading the file.
func (p *Program) openOwnFile() (*ownFile, error) {
	file, invalid, err := p.openFaultyFile()
	if err == nil && invalid != nil {
		err = invalid
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// openFaultyFile is openOwnFile for a configuration that may have mistakes, which it returns.
func (p *Program) openFaultyFile() (*ownFile, *config.InvalidError, error) {
	file := &ownFile{program: p}
	if file.path, file.origin = config.Place(p.Sources); file.path == "" {
		return nil, nil, errNoPlace
	}
	var err error
	if file.before, err = hostfiles.LoadIfThere(file.path); err != nil {
		return nil, nil, err
	}
	if file.isNew() {
		file.isTrusted = !file.hasForeignLock()
		return file, nil, nil
	}
	file.isTrusted, _ = p.Sources.Trusts(file.path, file.before)
	if file.checked, err = file.check(file.before); err != nil {
		invalid, isInvalid := errors.AsType[*config.InvalidError](err)
		if !isInvalid {
			return nil, nil, err
		}
		return file, invalid, nil
	}
	file.dynamic = file.checked.ToolMode == config.Dynamic
	return file, nil, nil
}

// openInScope opens the configuration in use, which must be the one of a scope.
func (p *Program) openInScope(scope string) (*ownFile, setup.Configuration, error) {
	own, err := p.openOwnFile()
	if err != nil {
		return nil, setup.Configuration{}, err
	}
	configuration, err := own.inScope(scope)
	return own, configuration, err
}

// inScope returns what plans depend on, and fails unless the file is the one of a scope.
func (f *ownFile) inScope(scope string) (setup.Configuration, error) {
	configuration, err := f.configuration()
	if err != nil {
		return setup.Configuration{}, err
	}
	if err := configuration.CheckScope(scope); err != nil {
		return setup.Configuration{}, &UsageError{err}
	}
	return configuration, nil
}

// leftOf returns the mistakes that a check of the edited configuration found, as notes, if there are fewer of
// them than before. Otherwise it returns the failure of the check.
func leftOf(before *config.InvalidError, err error) ([]string, error) {
	after, isInvalid := errors.AsType[*config.InvalidError](err)
	if !isInvalid || before == nil || len(after.Problems) >= len(before.Problems) {
		return []string{}, err
	}
	notes := make([]string, len(after.Problems))
	for i, problem := range after.Problems {
		notes[i] = problem.String()
	}
	return notes, nil
}

// existsError reports that the configuration to be made exists.
type existsError struct{ path string }

func (e *existsError) Error() string {
	return e.path + " exists, and is not overwritten; 'mcp-workbench import' adds servers to it, 'mcp-workbench connect --all' connects hosts"
}

// newOwnFile returns the configuration to be made: where --config or WORKBENCH_CONFIG says,
// else that of the user.
//
// Failures: *existsError; errNoPlace.
func (p *Program) newOwnFile() (*ownFile, error) {
	file := &ownFile{program: p}
	file.path, file.origin = config.Place(p.Sources)
	if file.origin == config.FromWorkingDirectory {
		file.path, file.origin = config.UserPlace(p.Sources), config.FromUserConfigDirectory
	}
	if file.path == "" {
		return nil, errNoPlace
	}
	if _, err := os.Lstat(file.path); !errors.Is(err, fs.ErrNotExist) {
		return file, &existsError{file.path}
	}
	file.isTrusted = !file.hasForeignLock()
	return file, nil
}

// hasForeignLock reports whether a lock lies where the file is to be made, other than in the user's own folder.
//
// Decision: such a lock came with a repository, and would decide which versions of the new servers run. So the new file
// is not trusted before 'trust' showed what the lock pins.
func (f *ownFile) hasForeignLock() bool {
	if f.path == config.UserPlace(f.program.Sources) {
		return false
	}
	_, err := os.Lstat(lockfile.Beside(f.path).Path())
	return !errors.Is(err, fs.ErrNotExist)
}

// isNew reports whether the file does not exist.
func (f *ownFile) isNew() bool { return f.before == nil }

// isProject reports whether the file belongs to a project: it was found in the working
// directory, or is in a repository and may be committed.
func (f *ownFile) isProject() bool {
	return f.origin == config.FromWorkingDirectory || isInRepository(filepath.Dir(f.path))
}

func isInRepository(directory string) bool {
	if _, err := os.Stat(filepath.Join(directory, ".git")); err == nil {
		return true
	}
	parent := filepath.Dir(directory)
	return parent != directory && isInRepository(parent)
}

// done returns a sentence about a change, and why the change has no effect if the file is not used.
func (f *ownFile) done(sentence string) string {
	switch {
	case f.isTrusted:
	case f.isNew():
		return sentence + fmt.Sprintf(" %s lies beside %s and decides which versions run, so the file is not trusted; 'mcp-workbench trust' shows what it pins and asks.",
			domain.LockName, f.path)
	case f.origin == config.FromWorkingDirectory, f.needsTrust():
		return sentence + " " + (&config.UntrustedError{Path: f.path}).Error()
	}
	return sentence
}

// text returns the text of the file, that of an empty configuration if it is new.
func (f *ownFile) text() []byte {
	switch {
	case !f.isNew():
		return f.before
	case f.schema == nil:
		return emptyText("", f.background)
	}
	// A relative reference of RFC 3986: both files can be moved together.
	return emptyText((&url.URL{Path: "./" + filepath.Base(f.schema.path)}).String(), f.background)
}

// configuration returns what the plans of application/setup depend on.
func (f *ownFile) configuration() (setup.Configuration, error) {
	servers, err := serversIn(f.text())
	return setup.Configuration{
		Plugins: f.serversOfPlugins(),
		Kept:    f.kept, Elsewhere: f.elsewhere(), Included: f.includedFiles(), Shares: f.background,
		Path: f.path, Servers: servers, Keys: f.program.Transports.Keys(), IsProject: f.isProject(), Dynamic: f.dynamic, RunsWorkbench: programs.StartsWorkbench,
	}, err
}

// serversOfPlugins returns the names of the servers of plugins, by their toolboxes. A plugin that cannot be used has none.
func (f *ownFile) serversOfPlugins() map[domain.ToolboxName][]domain.ServerName {
	toolboxes, _ := textedit.ReadJSON(f.text(), []string{"toolboxes"}) // a file with a mistake there has none
	servers := map[domain.ToolboxName][]domain.ServerName{}
	for _, toolbox := range toolboxes {
		folder := pluginOf(f.path, f.text(), toolbox.Name)
		if folder == "" {
			continue
		}
		servers[domain.ToolboxName(toolbox.Name)] = []domain.ServerName{}
		plugin, err := plugins.Load(folder)
		if err != nil {
			continue
		}
		for _, server := range plugin.Servers {
			servers[domain.ToolboxName(toolbox.Name)] = append(servers[domain.ToolboxName(toolbox.Name)], domain.ServerName(server.Name))
		}
	}
	return servers
}

// includedFiles returns the files of toolboxes that the configuration includes.
func (f *ownFile) includedFiles() map[domain.ToolboxName]string {
	files := map[domain.ToolboxName]string{}
	if f.checked != nil {
		for _, toolbox := range f.checked.Catalog.Toolboxes() {
			if toolbox.File != "" {
				files[toolbox.Name] = toolbox.File
			}
		}
	}
	return files
}

// elsewhere returns the variables whose values the configuration has outside of the file.
func (f *ownFile) elsewhere() []string {
	if f.checked == nil {
		return nil
	}
	var names []string
	for _, place := range f.checked.Secrets {
		names = append(names, place.Variable)
	}
	return names
}

// check checks a text as the program checks its configuration.
func (f *ownFile) check(text []byte) (*config.Configuration, error) { return f.checkWith(text, false) }

// checkWith is check, if wanted with the plugins that are not trusted.
func (f *ownFile) checkWith(text []byte, readsPlugins bool) (*config.Configuration, error) {
	from := f.program.Sources
	from.Origin, from.ReadsPlugins = f.origin, readsPlugins
	return config.Check(from, f.path, text, f.program.Transports)
}

// change returns the change of the file to a text, in which descriptions that no user wrote are
// updated, and of the skills of its toolboxes. Afterwards only its owner can read a private file.
func (f *ownFile) change(after []byte, private bool) change {
	after = withRenewedDescriptions(f.before, after)
	others, notes := f.skillsInStep(after)
	return change{
		others: others, notes: notes,
		path: f.path, before: Masked(f.before, f.program.Transports), after: Masked(after, f.program.Transports),
		apply: func() error {
			if _, err := hostfiles.Writable(f.path); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
				return err
			}
			if private && !f.isNew() {
				if err := os.Chmod(f.path, 0o600); err != nil {
					return fmt.Errorf("make %s private: %w", f.path, err)
				}
			}
			return f.write(after)
		},
	}
}

// write writes the file, after its schema, so that it never names a missing one. A file that was
// trusted, or is new and has no lock beside it, is trusted with its new content, since all of it comes from the user.
func (f *ownFile) write(after []byte) error {
	return safefile.Exclusively(f.path, func() error { return f.writeLocked(after) })
}

func (f *ownFile) writeLocked(after []byte) error {
	if f.schema != nil {
		if err := f.schema.write(); err != nil {
			return err
		}
	}
	if err := safefile.ReplaceIf(f.path, f.before, after, 0o600); err != nil {
		if f.schema != nil {
			err = errors.Join(err, f.schema.undo())
		}
		return err
	}
	if !f.isTrusted || !f.needsTrust() {
		return nil
	}
	if err := f.program.Trust(f.path, after); err != nil {
		return fmt.Errorf("%s was written, but is not trusted: %w", f.path, err)
	}
	return nil
}

// needsTrust reports whether the file is used only if it is trusted, where it is found in the working folder.
func (f *ownFile) needsTrust() bool {
	return filepath.Base(f.path) == config.FileName && f.path != config.UserPlace(f.program.Sources)
}

// distrustUnseen leaves the file without trust after its change: a review shows no disabled servers, so what the change
// enables was never shown.
func (f *ownFile) distrustUnseen() { f.isTrusted = f.isTrusted && !f.needsTrust() }

// Servers returns the servers of the configuration at path, disabled ones too.
func Servers(path string) ([]setup.Settings, error) {
	text, err := safefile.ReadFile(path)
	if err != nil {
		return nil, err
	}
	servers, err := serversIn(text)
	settings := make([]setup.Settings, len(servers))
	for i, server := range servers {
		settings[i] = server.Settings
	}
	return settings, err
}
