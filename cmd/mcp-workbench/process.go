package main

import (
	"context"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/following"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/lock/listings"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/adapters/selection"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/application/results"
	"mcp-workbench/application/sessions"
	"mcp-workbench/application/shares"
	"mcp-workbench/application/sharing"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// process has the parts that all hosts share: the configuration, the lock, the connections to servers
// and the texts for hosts. It knows no host.
type process struct {
	// configuration is the one that the program started with, current the one in use.
	configuration *config.Configuration
	current       *application.Current
	reloader      *application.Reloader
	settings      definitions.Settings
	connector     *sharing.Connector
	board         *status.Board // nil if status is off
	unpinned      *application.PreparingConnector
	packages      *packages.Store
	file          *lockfile.Locks
	definitions   ports.Definitions
	pinning       *pinning.Pinning
	listings      ports.Listings
	descriptions  *application.Descriptions
	indexes       *application.ToolIndexes
	selections    *selection.Processes
	subscriptions *shares.Budget // of all hosts
	kept          *results.Budget
	record        *activity.Record // nil if activity is not recorded
	program       *mcpserver.Program
	telemetry     *telemetry.Telemetry // nil if nothing is exported
	log           *slog.Logger
}

// use calls a function that uses servers, and then always closes them. A signal ends the function's
// context; after a second one, servers get no more time to exit.
func (p *process) use(ctx context.Context, do func(context.Context) error, closeServers func(context.Context)) error {
	using, stopping, stop := untilSignal(ctx)
	defer stop()
	err := do(using)
	closing, cancel := context.WithTimeout(stopping, p.shutdownLimit())
	defer cancel()
	closeServers(closing)
	if using.Err() != nil && err != nil {
		return terminal.ErrInterrupted
	}
	return err
}

// untilSignal returns contexts that end with the first and the second signal. Until stop is called, signals
// do nothing else.
func untilSignal(ctx context.Context) (running, stopping context.Context, stop func()) {
	listen := console.LeaveInterrupts()
	running, stopping, end := ownprocess.UntilSignal(ctx)
	return running, stopping, func() { end(); listen() }
}

// shutdownLimit returns how long all servers together may take to exit: as long as the longest
// limit of any server, in the configuration of the start and in the current one.
func (p *process) shutdownLimit() time.Duration {
	return domain.LongestShutdown(slices.Concat(p.configuration.Catalog.Toolboxes(), p.current.Toolboxes()))
}

// maxInFlight is the maximum number of unanswered requests of a host.
const maxInFlight = 4096

func newHostSettings(configuration *config.Configuration) mcpserver.Settings {
	_, isElsewhere := os.LookupEnv("XDG_STATE_HOME")
	return mcpserver.Settings{
		MessageSize: configuration.Limits.MessageSize, InFlight: maxInFlight, InputReply: configuration.Limits.InputReply,
		Skills: configuration.Skills, UsualPlaces: runtime.GOOS == "linux" && !isElsewhere,
	}
}

// newLocks returns the locks beside the files of the configuration, which are read at their first use.
func newLocks(configuration *config.Configuration) *lockfile.Locks {
	path, _ := configuration.Again()
	return lockfile.NewLocks(path, configuration.FilesOfToolboxes(), safefile.InStateFolder("locks"))
}

// newPlace returns where servers are started.
func newPlace(prepared *preparation) stdio.Place { return prepared.options.servers() }

// newVersion returns the version that hosts see.
func newVersion() mcpserver.Version { return mcpserver.Version(version) }

// newPackages returns the store of packages, which reads and writes no file before a package is
// pinned. Without a state directory, pinning a package of npm fails.
func newPackages(place stdio.Place) *packages.Store {
	folder, _ := safefile.InStateFolder("packages")()
	environ := place.Environ
	if environ == nil {
		environ = os.Environ()
	}
	return packages.New(folder, environ)
}

// newConnector returns the connector that starts servers at the package versions that the lock
// pins, and shared servers once for all hosts.
func newConnector(
	unpinned *application.PreparingConnector, fetched ports.Packages, locks ports.PackageLocks, decisions *pinning.Pinning, log *slog.Logger,
) *sharing.Connector {
	return sharing.NewConnector(unpinned.AtPins(fetched, locks, decisions.Packages, log), log)
}

// newListings returns the last listings of servers, in the state directory. It reads and writes
// files at their first use only.
func newListings(lock *lockfile.Locks, place stdio.Place, log *slog.Logger) ports.Listings {
	within := place.Folder
	if within == "" {
		within, _ = os.Getwd() // without it, servers cannot start there either
	}
	return listings.New(safefile.InStateFolder("listings"), lock.Path(), within, log)
}

// newRecord returns the record of activity, nil if it is off.
func newRecord(configuration *config.Configuration, log *slog.Logger) *activity.Record {
	return activity.NewRecord(recordedIn(), domain.RecordSettings(configuration.Activity), time.Now(), log)
}

// recordedIn returns a function for the folder of the record.
func recordedIn() func() (string, error) { return safefile.InStateFolder("activity") }

// selectionArgument makes the program a process that runs a jq program or a regular expression over a result. Users never
// type it.
const selectionArgument = "__selection"

// newSelections returns what runs selections: this program, as a process of its own for each.
func newSelections() *selection.Processes { return selection.New(programs.OwnPath, selectionArgument) }

// newSubscriptionShare returns the share of a caller of the subscriptions of all hosts.
func newSubscriptionShare(subscriptions *shares.Budget, caller caller) sessions.Share {
	return sessions.Share{Budget: subscriptions, Caller: string(caller)}
}

// newSelector returns the selector of a caller.
func newSelector(selections *selection.Processes, caller caller) *selection.Selector {
	return selections.Of(string(caller))
}

// newKept returns the budget of the results that all hosts keep. The longest result fits into it.
func newKept(configuration *config.Configuration) *results.Budget {
	return results.NewBudget(max(configuration.Limits.KeptResults, configuration.Limits.MessageSize+1<<20))
}

// newKeeper returns the keeper of the results of a caller.
func newKeeper(
	catalog ports.Catalog, selector ports.Selector, shared results.SharedHost, kept *results.Budget, caller caller,
) *results.Keeper {
	return results.NewKeeper(catalog, selector, shared, kept, string(caller))
}

func newCurrent(configuration *config.Configuration) *application.Current {
	return application.NewCurrent(following.InUse(configuration))
}

// newSettings returns a function for the current settings of definitions.
func newSettings(current *application.Current) func() definitions.Settings {
	return current.Definitions
}

// newCatalogOf returns a constructor for catalogs.
func newCatalogOf() func([]domain.Toolbox) ports.Catalog {
	return func(toolboxes []domain.Toolbox) ports.Catalog { return config.NewCatalog(toolboxes) }
}

// newPinning returns the decisions by the lock. If callers have tokens, some may not see all
// servers, so no caller is told what is wrong with the lock.
func newPinning(
	configuration *config.Configuration, pins ports.Pins, definitions ports.Definitions, log *slog.Logger,
) *pinning.Pinning {
	if len(configuration.HTTP.Tokens) > 0 {
		pins = pinning.Undisclosed(pins, func(err error) { log.Warn("the lock cannot be used", "error", err) })
	}
	decisions := pinning.New(configuration.Pinning, pins, definitions)
	decisions.SetPackages(configuration.Packages)
	return decisions
}
