package application

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcp-workbench/domain"
)

// maxResolving is the number of packages that are resolved and installed at the same time.
const maxResolving = 4

// comparedPackage is the package of a server, compared with the lock.
type comparedPackage struct {
	domain.PackageComparison
	server      domain.Server
	isRequested bool
	// lockFile is the lock file of Live, nil if it is stored already.
	lockFile []byte
}

// comparePackages determines the versions at which servers are to be started, installs
// new ones and tries them. It adds the result to the comparison.
func (l *ToolLocker) comparePackages(ctx context.Context, lock domain.Lock, request domain.LockRequest, found *domain.LockComparison) {
	if request.AsConfigured {
		found.Live.Packages = lock.Packages
		return
	}
	servers := l.servers(request)
	compared := make([]*comparedPackage, len(servers))
	slots := make(chan struct{}, maxResolving)
	eachOf(servers, func(i int, s *seenServer) {
		slots <- struct{}{}
		defer func() { <-slots }()
		compared[i] = l.comparePackage(ctx, s, lock, request)
	})
	compared = slices.DeleteFunc(compared, func(c *comparedPackage) bool { return c == nil })
	l.tryPackages(ctx, compared)
	for _, c := range compared {
		if c.Live != nil {
			found.Live.Packages = append(found.Live.Packages, domain.PinnedPackage{ID: c.ID, PackagePin: *c.Live})
		}
		if c.lockFile != nil {
			if found.PackageLocks == nil {
				found.PackageLocks = map[domain.ServerID][]byte{}
			}
			found.PackageLocks[c.ID] = c.lockFile
		}
		if c.isReported(request) {
			found.Packages = append(found.Packages, c.PackageComparison)
		}
	}
	l.pinned.Store(&domain.Lock{Packages: found.Live.Packages})
}

// isReported reports whether the comparison is part of the answer. An unchanged package is
// part of it only if the request is about packages.
func (c *comparedPackage) isReported(request domain.LockRequest) bool {
	return c.isRequested && (request.Packages || c.Differs() || c.Failure != nil || c.Newest != "")
}

// comparePackage compares the package of one server with the lock, and resolves and
// installs it if it is to be pinned. It returns nil if there is nothing to pin.
func (l *ToolLocker) comparePackage(
	ctx context.Context, s *seenServer, lock domain.Lock, request domain.LockRequest,
) *comparedPackage {
	pin, isLocked := lock.Package(s.ID)
	if !isLocked && !request.Packages {
		return nil
	}
	compared := &comparedPackage{server: s.Server, isRequested: s.isRequested, PackageComparison: domain.PackageComparison{ID: s.ID}}
	if isLocked {
		compared.Locked = &pin
	}
	if !s.isRequested {
		compared.Live = compared.Locked
		return compared
	}
	wanted, isLauncher, err := l.packages.Request(s.Server)
	switch {
	case isLauncher && err == nil:
		err = l.compareVersions(ctx, compared, wanted, request)
	case !isLauncher && !isLocked:
		return nil
	case !isLauncher:
		err = errors.New("its command is no longer a launcher")
	}
	if err != nil {
		compared.Failure = errors.New(s.Redact(err.Error()))
	}
	return compared
}

// compareVersions compares the pin of a package with the server's launcher settings. A pin
// that fits them stays, unless its server is requested by name, which pins the newest
// version. Packages without a fitting pin are pinned if the request is about packages.
func (l *ToolLocker) compareVersions(
	ctx context.Context, c *comparedPackage, wanted domain.PackageRequest, request domain.LockRequest,
) error {
	if c.server.Redact(wanted.Spec) != wanted.Spec {
		return errors.New("its package is named by a variable whose value must not be shown, so it cannot be in the lock")
	}
	fits := c.Locked != nil && c.Locked.Fits(wanted)
	if fits {
		c.Live = c.Locked
	}
	switch {
	case fits && request.Newest:
		_, err := l.resolve(ctx, c, wanted)
		return err
	case !request.Newest && (len(request.Servers) > 0 || request.Packages && !fits):
		c.Tried = true
		return l.pin(ctx, c, wanted)
	case c.Locked == nil:
		return errors.New("'lock --packages' pins it")
	case !fits:
		return fmt.Errorf("%s; 'lock --packages' pins it again", c.Locked.Misfit(wanted))
	}
	return nil
}

// resolve finds the newest version of a package and how it differs from the locked version.
func (l *ToolLocker) resolve(ctx context.Context, c *comparedPackage, wanted domain.PackageRequest) (domain.ResolvedPackage, error) {
	resolved, err := l.packages.Resolve(ctx, c.server, wanted)
	if err != nil {
		return resolved, err
	}
	c.Newest, c.Scripted = resolved.Version, resolved.Scripted
	if c.Locked == nil || c.Locked.Kind != domain.PackageNPM || c.Locked.Name != wanted.Name || c.Locked.LockDigest == resolved.Digest {
		return resolved, nil
	}
	// Without the lock file of the locked version the changes are not known.
	if before, err := l.packageLocks.PackageLock(c.ID, *c.Locked); err == nil {
		c.Changes = l.packages.Changes(before, resolved.LockFile)
	}
	return resolved, replacementError(c.Changes)
}

// replacementError returns an error if a package has other bytes under the same version,
// otherwise nil.
func replacementError(changes []domain.PackageChange) error {
	i := slices.IndexFunc(changes, func(c domain.PackageChange) bool { return c.OtherBytes })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("the registry has other bytes under %s@%s than when it was locked: the release was changed",
		changes[i].Name, changes[i].After)
}

// pin resolves and installs a package. When that fails, Live stays as it was.
func (l *ToolLocker) pin(ctx context.Context, c *comparedPackage, wanted domain.PackageRequest) error {
	resolved, err := l.resolve(ctx, c, wanted)
	if err != nil {
		return err
	}
	pin := domain.PackagePin{PackageRequest: wanted, Version: resolved.Version, LockDigest: resolved.Digest}
	if c.Live != nil && *c.Live == pin {
		return nil // it is the newest
	}
	if err := l.packages.Install(ctx, c.server, pin, resolved.LockFile); err != nil {
		return err
	}
	c.Live, c.lockFile = &pin, resolved.LockFile
	return nil
}

// tryPackages starts each server with a new pin once. A server that does not start keeps its
// earlier pin if that fits, otherwise it has none.
func (l *ToolLocker) tryPackages(ctx context.Context, compared []*comparedPackage) {
	var pins domain.Lock
	var tried []*comparedPackage
	for _, c := range compared {
		if c.Live != nil && c.Live != c.Locked {
			pins.Packages = append(pins.Packages, domain.PinnedPackage{ID: c.ID, PackagePin: *c.Live})
			tried = append(tried, c)
		}
	}
	if len(tried) == 0 {
		return
	}
	l.pinned.Store(&pins)
	eachOf(tried, func(_ int, c *comparedPackage) {
		if _, err := listTools(ctx, l.trial, c.server); err != nil {
			c.takeBack(fmt.Errorf("version %s does not start: %s", c.Live.Version, domain.Reason(err)))
		}
	})
	closeUntil(ctx, l.trial)
}

// takeBack restores the earlier pin if that fits, and records the failure.
func (c *comparedPackage) takeBack(failure error) {
	wanted := c.Live.PackageRequest
	c.Live, c.lockFile, c.Failure = nil, nil, failure
	if c.Locked != nil && c.Locked.Fits(wanted) {
		c.Live = c.Locked
	}
}
