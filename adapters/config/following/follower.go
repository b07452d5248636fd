package following

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"syscall"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Follower reloads the configuration of a program. All fields except Reloaded must be set. Follow must be
// called at most once.
type Follower struct {
	// Sources returns the options with which the configuration is loaded, as at the start.
	Sources func() (config.Options, error)
	// Started is the configuration that the program started with.
	Started    *config.Configuration
	Transports map[string]ports.Transport
	// Consent tells which files the user trusts.
	Consent  trust.Consent
	Reloader *application.Reloader
	Pinning  *pinning.Pinning
	Lock     *lockfile.Locks
	// Reloaded is called with each reloaded configuration that has no mistakes, and whether the operator asked for
	// it by a hangup (SIGHUP). It may be nil.
	Reloaded func(configuration *config.Configuration, isAsked bool)
	// Level is the level of Log, whose lines pass through Redactor. Problems are printed on Screen.
	Level    *slog.LevelVar
	Log      *slog.Logger
	Redactor *config.Redactor
	Screen   *terminal.Output

	refreshes chan chan<- struct{}
	ended     chan struct{}

	// own is the file of the configuration, as it was last loaded.
	own fs.FileInfo
	// trusted is the configuration of the working directory that the user trusted while the program
	// ran, or that was reloaded from there; nil for none.
	trusted *config.Configuration
	// files are those of the toolboxes of the last loaded configuration.
	files map[domain.ToolboxName]string
	// named are the further files on which the last loaded configuration depends, as they were read.
	named map[string]fs.FileInfo
	// failed are those of a later one that cannot be used.
	failed map[string]fs.FileInfo
}

// Follow reloads the configuration whenever its file changes or a signal asks for it, until the context
// ends. It returns immediately.
func (f *Follower) Follow(ctx context.Context, asked <-chan os.Signal) {
	f.refreshes, f.ended = make(chan chan<- struct{}), make(chan struct{})
	go f.follow(ctx, asked)
}

// Refresh reloads the configuration if one of its files has changed, without the pause after which Follow would, and
// returns when that is done. It may be called after Follow, by several goroutines at once.
func (f *Follower) Refresh(ctx context.Context) {
	done := make(chan struct{})
	select {
	case f.refreshes <- done:
		<-done
	case <-f.ended:
	case <-ctx.Done():
	}
}

// follow is Follow, but returns when the context ends.
func (f *Follower) follow(ctx context.Context, asked <-chan os.Signal) {
	defer close(f.ended)
	f.own = f.Started.File
	watches := f.watch(ctx)
	f.Pinning.Packages() // so that the lock is known even if its file is removed before a toolbox is opened
	for {
		select {
		case <-watches.changed:
			f.reload(false)
		case got := <-asked:
			f.reload(got == syscall.SIGHUP)
		case done := <-f.refreshes:
			if f.hasChanged() {
				f.reload(false)
			}
			close(done)
		case <-ctx.Done():
			return
		}
		watches.follow(ctx, f.named, f.failed)
	}
}

func (f *Follower) reload(isAsked bool) {
	f.Reloader.Reload(func() (application.Configuration, []domain.ConfigurationProblem) {
		configuration, problems := f.read(isAsked)
		if f.trusted != nil && f.Lock.Move(f.trusted.Path) {
			f.Pinning.Begin() // the user trusted the file that this lock belongs to
		}
		if f.files != nil {
			f.Lock.Divide(f.files)
		}
		return configuration, problems
	})
}

// hasChanged reports whether a file on which the configuration depends is not as it was read.
func (f *Follower) hasChanged() bool {
	if path, _ := cmp.Or(f.trusted, f.Started).Again(); path != "" && safefile.HasChanged(path, f.own) {
		return true
	}
	for path, seen := range f.named {
		if safefile.HasChanged(path, seen) {
			return true
		}
	}
	return false
}

// watch watches the files until the context ends.
func (f *Follower) watch(ctx context.Context) *watches {
	watches := newWatches()
	if path, _ := f.Started.Again(); path != "" {
		watches.begin(ctx, path, f.Started.File)
	}
	f.named = f.dependencies(f.Started)
	watches.follow(ctx, f.named)
	f.Consent.Watch(f.Started, func(path string, seen fs.FileInfo) { watches.begin(ctx, path, seen) })
	if lock := f.Lock.Path(); lock != "" {
		// The lock is also read again when it is needed. This reports a change earlier.
		go safefile.Watch(ctx, lock, nil, func() { f.Pinning.Packages() })
	}
	return watches
}

// dependencies returns the files that a configuration includes, and the records that will exist when the user trusts
// the untrusted ones.
func (f *Follower) dependencies(configuration *config.Configuration) map[string]fs.FileInfo {
	files := maps.Clone(configuration.OtherFiles)
	for _, path := range configuration.UntrustedIncludes() {
		if record, err := f.Consent.Records.Place(path); err == nil { // otherwise trust cannot be recorded
			files[record] = nil
		}
	}
	return files
}

// read reloads the configuration from the same file and by the same rules, except that it fails if the
// file has a mistake.
func (f *Follower) read(isAsked bool) (application.Configuration, []domain.ConfigurationProblem) {
	configuration, err := f.load()
	if err == nil {
		f.own, f.named, f.failed = configuration.File, f.dependencies(configuration), nil
		f.files = configuration.FilesOfToolboxes()
		f.Redactor.Hide(configuration)
		f.Level.Set(configuration.LogLevel)
		if f.Reloaded != nil {
			f.Reloaded(configuration, isAsked)
		}
		for _, warning := range configuration.Warnings {
			f.Log.Warn(warning.String())
		}
		if configuration.Unknown != nil {
			f.Log.Warn(configuration.Unknown.Error())
		}
		return InUse(configuration), nil
	}
	f.Screen.Printf("mcp-workbench: the changed configuration cannot be used:\n%v\n", err)
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		f.failed = invalid.OtherFiles
		return application.Configuration{}, invalid.Concerns
	}
	if untrusted, ok := errors.AsType[*config.UntrustedError](err); ok {
		return application.Configuration{}, []domain.ConfigurationProblem{untrusted.Concern()}
	}
	return application.Configuration{}, []domain.ConfigurationProblem{{All: true, Text: "it cannot be read; standard error says why"}}
}

// load loads the configuration. The tool mode cannot change while the program runs, so the
// names of toolboxes and servers must fit the tool mode that it started with.
func (f *Follower) load() (*config.Configuration, error) {
	from, err := f.Sources()
	if err != nil {
		return nil, err
	}
	if f.trusted != nil || f.Started.Untrusted == nil {
		from.Path, from.Origin = cmp.Or(f.trusted, f.Started).Again()
	}
	if from.Path != "" { // a known file must not be replaced by an untrusted one
		from.Untrusted = config.Refused
	}
	from.Lenient = false
	configuration, err := config.Load(from, f.Transports)
	if err == nil && configuration.Origin == config.FromWorkingDirectory {
		f.trusted = configuration
	}
	if err != nil || configuration.ToolMode == f.Started.ToolMode {
		return configuration, err
	}
	wanted := configuration.ToolMode
	from.Flags["toolMode"] = string(f.Started.ToolMode)
	configuration, err = config.Load(from, f.Transports)
	if err == nil {
		configuration.ToolMode = wanted
	}
	return configuration, err
}
