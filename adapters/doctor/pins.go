package doctor

import (
	"context"
	"fmt"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

// pins returns the lock beside the configuration, without pins when it cannot be used or
// packages are not pinned.
func (d *Doctor) pins() (*lockfile.Locks, domain.Lock) {
	file := lockfile.NewLocks(d.configuration.Path, d.configuration.FilesOfToolboxes(), nil)
	if lock, err := file.Lock(); err == nil && lock != nil && d.configuration.Packages != domain.PackagesOff {
		return file, *lock
	}
	return file, domain.Lock{}
}

// checkPins finds pins that do not fit the configuration, and pins whose lock file is needed
// and cannot be used.
func checkPins(_ context.Context, d *Doctor) []Finding {
	file, lock := d.pins()
	var findings []Finding
	for server := range d.servers {
		if found, fix := d.checkPin(file, lock, server); found != "" {
			if _, isLauncher, _ := d.surroundings.Packages.Request(server); isLauncher && d.configuration.Packages == domain.PackagesLocked {
				d.prevented[server.ID] = true
			}
			findings = append(findings, Finding{codePackage, server.ID.Path(), server.Redact(found), fix})
		}
	}
	return findings
}

// checkPin returns the problem of the pin of a server and how to fix it, or "".
func (d *Doctor) checkPin(file *lockfile.Locks, lock domain.Lock, server domain.Server) (found, fix string) {
	pin, isPinned := lock.Package(server.ID)
	request, isLauncher, err := d.surroundings.Packages.Request(server)
	const drop = "'mcp-workbench lock --update' drops it"
	switch {
	case isLauncher && !isPinned && d.configuration.Packages == domain.PackagesLocked:
		return "its package is not pinned, and only pinned packages start (\"packages\": \"locked\")", "'mcp-workbench lock --packages' pins it, or says why it cannot"
	case !isPinned:
		return "", ""
	case !isLauncher:
		return fmt.Sprintf("the lock has a pin for %s, but its command is no longer a launcher", pin.Spec), drop
	case err != nil:
		return fmt.Sprintf("the lock has a pin for %s, but the package of its command cannot be pinned: %v", pin.Spec, err), drop
	case !pin.Fits(request):
		return "its pin is not used: " + pin.Misfit(request), "'mcp-workbench lock --packages' pins it again"
	case d.surroundings.Packages.IsInstalled(pin):
		return "", ""
	}
	if _, err := file.PackageLock(server.ID, pin); err != nil {
		return fmt.Sprintf("%s is not installed on this machine, and its lock file cannot be used: %v", pin, err),
			"restore the file, or take the newest version: " + domain.QuotedCommand("mcp-workbench lock --update "+domain.ShellWord(server.ID.Path()))
	}
	return "", ""
}
