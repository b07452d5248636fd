package setup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// packageResult is the JSON that update prints about a server whose package did not come from the registry of MCP servers.
type packageResult struct {
	Server  string `json:"server"`
	Kind    string `json:"kind"`
	Package string `json:"package"`
	// Starts is the version that the next start runs, "" if it is not known.
	Starts string `json:"starts,omitempty"`
	Newest string `json:"newest,omitempty"`
	Error  string `json:"error,omitempty"`

	why string
}

// maxAsking is the number of package managers that ask at the same time.
const maxAsking = 4

// isFetched reports whether a launcher fetches what a server runs.
func isFetched(settings setup.Settings) bool {
	line := launcher.Read(settings.Command, settings.Args)
	return line.Launcher && line.Fetches && line.Target() != ""
}

// packageVersions returns the versions of the packages of servers, those of launchers from the package registries of the user.
//
// Decision: it asks no registry for a file that the user does not trust, whose launchers could name any.
func (u *update) packageVersions(ctx context.Context, own *ownFile, servers []setup.Configured) []packageResult {
	if len(servers) > 0 && !own.mayAsk() {
		u.say("%s is not trusted, so no package registry is asked about its servers; %s shows it", own.path, u.command("trust"))
		return []packageResult{}
	}
	results := make([]packageResult, len(servers))
	lock, _ := lockfile.Beside(own.path).Lock() // a broken lock pins nothing
	slots := make(chan struct{}, maxAsking)
	var asking sync.WaitGroup
	for i, server := range servers {
		asking.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] = u.versionsOf(ctx, own, server, lock)
		})
	}
	asking.Wait()
	return slices.DeleteFunc(results, func(r packageResult) bool { return r.Package == "" })
}

// versionsOf returns the versions of the package of a server. Its package is "" for none.
func (u *update) versionsOf(ctx context.Context, own *ownFile, server setup.Configured, lock *domain.Lock) packageResult {
	result := packageResult{Server: server.ID.Path()}
	program := domain.Program{Command: server.Settings.Command, Args: server.Settings.Args, Cwd: server.Settings.Cwd, Env: map[string]string{}}
	for name, value := range server.Settings.Env {
		if !strings.Contains(value, "${") { // a variable is looked up only for a start
			program.Env[name] = value
		}
	}
	if line := launcher.Read(program.Command, program.Args); line.StartsContainer() && line.Target() != "" {
		result.Kind, result.Package, result.why = "image", line.Target(), fmt.Sprintf("the image that this machine has, whose version is not asked for; '%s pull %s' fetches the newest under that name", line.Program, line.Target())
		if _, digest, isFixed := strings.Cut(line.Target(), "@"); isFixed {
			result.Starts, result.why = digest, ""
		}
		return result
	}
	found, fetches, err := u.Versions(ctx, domain.Server{ID: server.ID, Traits: domain.Traits{Program: program}})
	if !fetches {
		return result
	}
	result.Kind, result.Package, result.Starts, result.Newest, result.why = string(found.Kind), found.Name, found.Starts, found.Newest, found.Why
	if err != nil {
		result.Error = domain.OneLine(err.Error())
	}
	if lock != nil && own.pinsPackages() {
		if pin, isPinned := lock.Package(server.ID); isPinned && pin.Name == found.Name {
			result.Starts, result.why = pin.Version, "which the lock pins"
		}
	}
	return result
}

// mayAsk reports whether servers and registries that the file names may be asked: not for the untrusted file of a folder.
func (f *ownFile) mayAsk() bool { return f.origin != config.FromWorkingDirectory || f.isTrusted }

// pinsPackages reports whether servers start at the versions of the lock.
func (f *ownFile) pinsPackages() bool {
	return f.checked != nil && f.checked.Packages != domain.PackagesOff
}

// line returns the result as a line of text.
func (r packageResult) line() string {
	about := fmt.Sprintf("%s (%s %s): ", r.Server, r.Kind, r.Package)
	reason, _, _ := strings.Cut(strings.TrimPrefix(r.Error, r.Package+": "), " (npm says: ") // --json has all of it
	newest := "the newest is " + r.Newest
	if r.Newest == "" {
		newest = "the newest is not known: " + reason
	}
	switch {
	case r.Kind == "image":
		return about + "starts " + cmp.Or(r.Starts, r.why)
	case r.Starts == "" && r.Newest == "":
		return about + "no version is known: " + reason
	case r.Starts == "":
		return about + fmt.Sprintf("starts the version that uvx has kept; %s, which %s@latest takes", newest, r.Package)
	case r.Starts == r.Newest && r.why == "":
		return about + "starts the newest version, " + r.Newest
	case r.why != "":
		return about + "starts " + r.Starts + ", " + r.why + "; " + newest
	}
	return about + "starts " + r.Starts + "; " + newest
}
