package reasons

import (
	"fmt"

	"mcp-workbench/domain"
)

// lockPackages is what pins packages.
const lockPackages = "`mcp-workbench lock --packages`"

// PackageNotPinned is why a server must not start whose launcher fetches a package that
// is not pinned. The failure says why it cannot be, nil when it can.
func PackageNotPinned(failure error) string {
	if failure != nil {
		return fmt.Sprintf("its package cannot be pinned, and the configuration lets only pinned packages start (\"packages\"): %v", failure)
	}
	return fmt.Sprintf("its package is not pinned, and the configuration lets only pinned packages start (\"packages\"); "+
		"the user can run %s and look at what it says", lockPackages)
}

// PackageOtherwise is why the pin of a package is not used for a request.
func PackageOtherwise(pin domain.PackagePin, request domain.PackageRequest) string {
	return fmt.Sprintf("%s; the user can run %s", pin.Misfit(request), lockPackages)
}

// PackageGone is why the pin of a package is not used for a launcher whose package cannot
// be pinned.
func PackageGone(pin domain.PackagePin, failure error) string {
	return fmt.Sprintf("%s has a pin for %s, and what the configuration says cannot be pinned: %v", domain.LockName, pin.Spec, failure)
}

// LockBroken is why the pin of a package is not known when the lock cannot be used.
func LockBroken(broken *domain.LockBrokenError) string {
	return fmt.Sprintf("whether its package is pinned is not known, since %s cannot be used: %s", domain.LockName, broken.Reason)
}

// PackageLockBroken is why the pin of a package is not used when the lock file of the
// package cannot be.
func PackageLockBroken(pin domain.PackagePin, broken *domain.LockBrokenError) string {
	return fmt.Sprintf("the lock file of %s beside %s cannot be used: %s; the user can restore it", pin, domain.LockName, broken.Reason)
}
