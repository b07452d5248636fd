package main

import (
	"fmt"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// pinnedPackages are the packages of a configuration that its lock pins.
type pinnedPackages struct {
	configuration *config.Configuration
	file          *lockfile.File
	lock          domain.Lock
	fetched       ports.Packages
}

// pinnedPackagesOf reads the lock beside a configuration. Where it cannot be used, or is not
// to be, there are none.
func pinnedPackagesOf(configuration *config.Configuration) pinnedPackages {
	p := pinnedPackages{configuration: configuration, file: lockfile.Beside(configuration.Path), fetched: newPackages()}
	if lock, err := p.file.Lock(); err == nil && lock != nil && configuration.Packages != domain.PackagesOff {
		p.lock = *lock
	}
	return p
}

// examine finds pins that do not fit the configuration, or whose lock file cannot be used
// where it is needed.
func (p pinnedPackages) examine() []finding {
	var findings []finding
	for _, toolbox := range p.configuration.Catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			if found, mend := p.problem(server); found != "" {
				findings = append(findings, finding{codePackage, placeOf(server.ID), server.Redact(found), mend})
			}
		}
	}
	return findings
}

// problem returns what is wrong with the pin of a server, and how to mend it; "" for
// nothing.
func (p pinnedPackages) problem(server domain.Server) (found, mend string) {
	pin, isPinned := p.lock.Package(server.ID)
	request, isLauncher, err := p.fetched.Request(server)
	again := "'mcp-workbench lock --packages' pins it again"
	switch {
	case isLauncher && !isPinned && p.configuration.Packages == domain.PackagesLocked:
		return "its package is not pinned, and only pinned packages start (\"packages\": \"locked\")", "'mcp-workbench lock --packages' pins it, or says why it cannot"
	case !isPinned:
		return "", ""
	case !isLauncher:
		return fmt.Sprintf("the lock has a pin for %s, and its command is no launcher any more", pin.Spec), "'mcp-workbench lock --update' drops it"
	case err != nil:
		return fmt.Sprintf("the lock has a pin for %s, and the package of its command cannot be pinned: %v", pin.Spec, err), "'mcp-workbench lock --update' drops it"
	case !pin.Fits(request):
		return "its pin is not used: " + pin.Misfit(request), again
	case p.fetched.IsInstalled(pin):
		return "", ""
	}
	if _, err := p.file.PackageLock(server.ID, pin); err != nil {
		return fmt.Sprintf("%s is not installed on this machine, and its lock file cannot be used: %v", pin, err),
			fmt.Sprintf("restore the file, or take the newest version: 'mcp-workbench lock --update %s'", domain.ShellWord(placeOf(server.ID)))
	}
	return "", ""
}

// toolboxes returns the toolboxes of the configuration with servers as they are started,
// as far as that is installed.
func (p pinnedPackages) toolboxes() []domain.Toolbox {
	toolboxes := slices.Clone(p.configuration.Catalog.Toolboxes())
	for i := range toolboxes {
		toolboxes[i].Servers = slices.Clone(toolboxes[i].Servers)
		for j, server := range toolboxes[i].Servers {
			pin, isPinned := p.lock.Package(server.ID)
			if !isPinned {
				continue
			}
			if started, err := p.fetched.Pinned(server, pin); err == nil {
				toolboxes[i].Servers[j] = started
			}
		}
	}
	return toolboxes
}
