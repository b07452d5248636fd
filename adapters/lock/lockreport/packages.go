package lockreport

import (
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

// The beginnings of lines about packages.
const (
	packagePinned     = "pinned"
	packageNotPinned  = "not pinned"
	packageNotUpdated = "not updated"
	packageNewer      = "newer"
)

// describePackage returns the lines about the package of one server.
func describePackage(compared domain.PackageComparison) []string {
	kind, text := packageState(compared)
	lines := []string{fmt.Sprintf("%s: %s: %s", kind, serverPath(compared.ID), printable(text))}
	if compared.Failure == nil && compared.Newest != "" {
		lines = append(lines, describePackageChanges(compared.Changes)...)
	}
	note := func(text string) {
		lines = append(lines, fmt.Sprintf("note: %s: %s", serverPath(compared.ID), text))
	}
	switch {
	case compared.Live != nil && compared.Live.InstallScripts:
		note(`install scripts of its packages run ("installScripts": true)`)
	case len(compared.Scripted) > 0:
		note(fmt.Sprintf(`these of its packages have install scripts, which do not run: %s; "installScripts": true in the server's settings lets them`,
			printable(strings.Join(compared.Scripted, ", "))))
	}
	return lines
}

// packageState returns what happened to the package, and what the user can do.
func packageState(compared domain.PackageComparison) (kind, text string) {
	locked, live := compared.Locked, compared.Live
	switch {
	case live == nil && compared.Failure != nil:
		return packageNotPinned, compared.Failure.Error()
	case live == nil:
		return packageNotPinned, "it is not a package any more"
	case compared.Failure != nil:
		return packageNotUpdated, fmt.Sprintf("%s stays: %v", live, compared.Failure)
	case locked == nil:
		return packagePinned, live.String()
	case *locked == *live && compared.IsOutdated():
		return packageNewer, fromTo(*locked, compared.Newest) + "; " + domain.QuotedCommand("lock --update "+domain.ShellWord(compared.ID.Path())) + " takes it"
	case *locked == *live && compared.Newest != "":
		return packagePinned, live.String() + ", the newest"
	case *locked == *live:
		return packagePinned, live.String() + ", as before"
	}
	return packagePinned, fromTo(*locked, live.Version)
}

// fromTo describes an update of a package, or only of packages that it depends on.
func fromTo(pin domain.PackagePin, version string) string {
	if pin.Version == version {
		return pin.String() + " with newer packages that it depends on"
	}
	return fmt.Sprintf("%s → %s", pin, version)
}

// maxPackageChanges is the number of changed packages that are named.
const maxPackageChanges = 20

// describePackageChanges returns a line for each package that differs.
func describePackageChanges(changes []domain.PackageChange) []string {
	var lines []string
	for i, change := range changes {
		if i == maxPackageChanges {
			lines = append(lines, fmt.Sprintf("    and %d more packages", len(changes)-i))
			break
		}
		text := fmt.Sprintf("%s %s → %s", change.Name, change.Before, change.After)
		switch {
		case change.Before == "":
			text = fmt.Sprintf("%s %s is new", change.Name, change.After)
		case change.After == "":
			text = fmt.Sprintf("%s %s is gone", change.Name, change.Before)
		}
		lines = append(lines, "    "+printable(text))
	}
	return lines
}
