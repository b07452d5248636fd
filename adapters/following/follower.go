package following

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/redaction"
	"mcp-workbench/adapters/system/filewatch"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/trust/consent"
	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Follower reads the configuration of a program again. All fields but Reloaded and AfterStart must be set. Use it once.
type Follower struct {
	// Sources returns where the configuration may be, as at the start.
	Sources func() (config.Options, error)
	// Started is the configuration that the program started with.
	Started    *config.Configuration
	Transports map[string]ports.Transport
	// Consent knows the files that the user trusts.
	Consent  consent.Consent
	Reloader *application.Reloader
	Pinning  *pinning.Pinning
	Lock     *lockfile.File
	// Reloaded is passed each reloaded configuration without a mistake; nil for none.
	Reloaded func(*config.Configuration)
	// AfterStart is called before the configuration is watched; nil for nothing. It is for what need not
	// delay the start of the program either.
	AfterStart func()
	// Level is that of Log, whose lines pass through Redactor. Problems are printed on Screen.
	Level    *slog.LevelVar
	Log      *slog.Logger
	Redactor *redaction.Redactor
	Screen   *terminal.Output

	// trusted is the configuration of the working directory that the user trusted while the program
	// ran, or that was read again there; nil for none.
	trusted *config.Configuration
	// named are the files besides its own on which the configuration depends, as it was last read.
	named []string
}

const (
	// followAfter is the delay before the configuration is watched, so that the threads for that do
	// not slow down the start. Earlier signals are kept.
	followAfter = 100 * time.Millisecond
	// readLockAfter is the delay before the lock is read, so that it is known even if its file is
	// removed before a toolbox is opened. The start does not wait for it.
	readLockAfter = time.Second
)

// Follow reloads the configuration whenever its file changes or a signal asks for it, until the context
// ends. It returns at once.
func (f *Follower) Follow(ctx context.Context, asked <-chan os.Signal) {
	time.AfterFunc(followAfter, func() {
		if f.AfterStart != nil {
			f.AfterStart()
		}
		f.follow(ctx, asked)
	})
}

// follow is Follow, until the context ends.
func (f *Follower) follow(ctx context.Context, asked <-chan os.Signal) {
	watches := f.watch(ctx)
	started := time.NewTimer(readLockAfter)
	defer started.Stop()
	for {
		select {
		case <-started.C:
			f.Pinning.Packages()
			continue
		case <-watches.changed:
		case <-asked:
		case <-ctx.Done():
			return
		}
		f.Reloader.Reload(func() (application.Configuration, []domain.ConfigurationProblem) {
			configuration, problems := f.read()
			if f.trusted != nil && f.Lock.Move(f.trusted.Path) {
				f.Pinning.Begin() // the user trusted the file that this lock belongs to
			}
			return configuration, problems
		})
		watches.follow(ctx, f.named)
	}
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
		// The lock is also read again when it is needed; this reports a change soon.
		go filewatch.Watch(ctx, lock, nil, func() { f.Pinning.Packages() })
	}
	return watches
}

// dependencies returns the files that a configuration was read from besides its own, and those in which the user's trust
// in the others is recorded once it exists.
func (f *Follower) dependencies(configuration *config.Configuration) []string {
	files := configuration.OtherFiles()
	for _, path := range configuration.UntrustedIncludes() {
		if record, err := f.Consent.Records.Place(path); err == nil { // otherwise trust cannot be recorded
			files = append(files, record)
		}
	}
	return files
}

// read reloads the configuration from the same file and by the same rules, except that a mistake
// in it is a failure.
func (f *Follower) read() (application.Configuration, []domain.ConfigurationProblem) {
	configuration, err := f.load()
	if err == nil {
		f.named = f.dependencies(configuration)
		f.Redactor.Hide(configuration)
		f.Level.Set(configuration.LogLevel)
		if f.Reloaded != nil {
			f.Reloaded(configuration)
		}
		for _, warning := range configuration.Warnings {
			f.Log.Warn(warning.String())
		}
		if configuration.Unknown != nil {
			f.Log.Warn(configuration.Unknown.Error())
		}
		return InUse(configuration), nil
	}
	f.Screen.Printf("mcp-workbench: the configuration as it is now cannot be used:\n%v\n", err)
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return application.Configuration{}, invalid.Concerns
	}
	if untrusted, ok := errors.AsType[*config.UntrustedError](err); ok {
		return application.Configuration{}, []domain.ConfigurationProblem{untrusted.Concern()}
	}
	return application.Configuration{}, []domain.ConfigurationProblem{{All: true, Text: "it cannot be read; standard error says why"}}
}

// load loads the configuration. The tool mode cannot change while the program runs, so the
// names of toolboxes and servers must fit the one that it started with.
func (f *Follower) load() (*config.Configuration, error) {
	from, err := f.Sources()
	if err != nil {
		return nil, err
	}
	switch {
	case f.trusted != nil:
		from.Path, from.Origin = f.trusted.Again()
	case f.Started.Untrusted == nil:
		from.Path, from.Origin = f.Started.Again()
	}
	if from.Path != "" { // a trusted file is not replaced by another
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
