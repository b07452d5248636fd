package application

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcp-workbench/domain"
)

// maxResolving is how many packages are resolved and installed at the same time.
const maxResolving = 4

// comparedPackage is the package of a server, compared with the lock.
type comparedPackage struct {
	domain.PackageComparison
	server  domain.Server
	isMeant bool // by the request
	// lockFile is that of Live, nil when the lock has it.
	lockFile []byte
}

// comparePackages finds at which versions servers are to be started, and has them
// installed and tried. It adds what it finds to the comparison.
func (l *ToolLocker) comparePackages(ctx context.Context, lock domain.Lock, request domain.LockRequest, found *domain.LockComparison) {
	if request.AsConfigured {
		found.Live.Packages = lock.Packages
		return
	}
	servers := l.servers(request)
	compared := make([]*comparedPackage, len(servers))
	slots := make(chan struct{}, maxResolving)
	eachOf(servers, func(s *seenServer) {
		slots <- struct{}{}
		defer func() { <-slots }()
		one := l.comparePackage(ctx, s, lock, request)
		if one != nil && one.Failure != nil {
			one.Failure = errors.New(s.Redact(one.Failure.Error()))
		}
		compared[slices.Index(servers, s)] = one
	})
	compared = slices.DeleteFunc(compared, func(c *comparedPackage) bool { return c == nil })
	l.tryPackages(ctx, compared)
	for _, one := range compared {
		if one.Live != nil {
			found.Live.Packages = append(found.Live.Packages, domain.PinnedPackage{ID: one.ID, PackagePin: *one.Live})
		}
		if one.lockFile != nil {
			if found.PackageLocks == nil {
				found.PackageLocks = map[domain.ServerID][]byte{}
			}
			found.PackageLocks[one.ID] = one.lockFile
		}
		if one.isWorthSaying(request) {
			found.Packages = append(found.Packages, one.PackageComparison)
		}
	}
	l.pinned.Store(&domain.Lock{Packages: found.Live.Packages})
}

// isWorthSaying reports whether the comparison says more than that all stays as it is, to
// somebody who did not ask about packages.
func (c *comparedPackage) isWorthSaying(request domain.LockRequest) bool {
	return c.isMeant && (request.Packages || c.Differs() || c.Failure != nil || c.Newest != "")
}

// comparePackage compares the package of one server with the lock, and resolves and
// installs it when it is to be pinned. It returns nil when there is nothing to pin.
func (l *ToolLocker) comparePackage(
	ctx context.Context, s *seenServer, lock domain.Lock, request domain.LockRequest,
) *comparedPackage {
	pin, isLocked := lock.Package(s.ID)
	if !isLocked && !request.Packages {
		return nil
	}
	compared := &comparedPackage{server: s.Server, isMeant: s.isMeant, PackageComparison: domain.PackageComparison{ID: s.ID}}
	if isLocked {
		compared.Locked = &pin
	}
	if !s.isMeant {
		compared.Live = compared.Locked
		return compared
	}
	wanted, isLauncher, err := l.packages.Request(s.Server)
	fits := isLocked && isLauncher && err == nil && pin.Fits(wanted)
	if fits {
		compared.Live = compared.Locked
	}
	switch {
	case !isLauncher && !isLocked:
		return nil
	case !isLauncher:
		compared.Failure = errors.New("its command is no launcher any more")
	case err != nil:
		compared.Failure = err
	case s.Redact(wanted.Spec) != wanted.Spec:
		compared.Live = nil
		compared.Failure = errors.New("its package is named by a variable whose value is not to be shown, and so not to be in the lock")
	case request.Newest && fits:
		l.findNewest(ctx, compared, wanted)
	case request.Newest && request.Packages && !isLocked:
		compared.Failure = errors.New("'lock --packages' pins it")
	case len(request.Servers) > 0, request.Packages && !fits && !request.Newest:
		compared.Tried = true
		compared.Failure = l.pin(ctx, compared, wanted)
	case !fits:
		compared.Failure = fmt.Errorf("%s; 'lock --packages' pins it again", pin.Misfit(wanted))
	}
	return compared
}

// resolve finds the newest version of a package, and how it differs from the locked one.
func (l *ToolLocker) resolve(ctx context.Context, c *comparedPackage, wanted domain.PackageRequest) (domain.ResolvedPackage, error) {
	resolved, err := l.packages.Resolve(ctx, c.server, wanted)
	if err != nil {
		return resolved, err
	}
	c.Newest, c.Scripted = resolved.Version, resolved.Scripted
	if c.Locked == nil || c.Locked.Kind != domain.PackageNPM || c.Locked.Name != wanted.Name || c.Locked.LockDigest == resolved.Digest {
		return resolved, nil
	}
	// Without the lock file of the locked version nobody can tell what changed.
	if before, err := l.packageLocks.PackageLock(c.ID, *c.Locked); err == nil {
		c.Changes = l.packages.Changes(before, resolved.LockFile)
	}
	return resolved, replaced(c.Changes)
}

// replaced returns the failure of packages that have other bytes under the same version,
// nil if there is none.
func replaced(changes []domain.PackageChange) error {
	i := slices.IndexFunc(changes, func(c domain.PackageChange) bool { return c.OtherBytes })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("the registry has other bytes under %s@%s than when it was locked: somebody changed a release",
		changes[i].Name, changes[i].After)
}

// findNewest compares a package that is pinned with the newest version.
func (l *ToolLocker) findNewest(ctx context.Context, c *comparedPackage, wanted domain.PackageRequest) {
	if _, err := l.resolve(ctx, c, wanted); err != nil {
		c.Failure = err
	}
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

// tryPackages starts each server once whose pin is new. One that does not start keeps the
// pin that it had, if that fits, and else none.
func (l *ToolLocker) tryPackages(ctx context.Context, compared []*comparedPackage) {
	var pins domain.Lock
	var tried []*seenServer
	byServer := map[domain.ServerID]*comparedPackage{}
	for _, one := range compared {
		if one.Live != nil && one.Live != one.Locked {
			pins.Packages = append(pins.Packages, domain.PinnedPackage{ID: one.ID, PackagePin: *one.Live})
			tried = append(tried, &seenServer{Server: one.server})
			byServer[one.ID] = one
		}
	}
	if len(tried) == 0 {
		return
	}
	l.pinned.Store(&pins)
	eachOf(tried, func(s *seenServer) { _, s.failure = listTools(ctx, l.trial, s.Server) })
	closeUntil(ctx, l.trial)
	for _, s := range tried {
		if s.failure != nil {
			byServer[s.ID].takeBack(fmt.Errorf("version %s does not start: %s", byServer[s.ID].Live.Version, domain.Reason(s.failure)))
		}
	}
}

// takeBack makes the pin the one that it was, if that fits, and says why.
func (c *comparedPackage) takeBack(failure error) {
	wanted := c.Live.PackageRequest
	c.Live, c.lockFile, c.Failure = nil, nil, failure
	if c.Locked != nil && c.Locked.Fits(wanted) {
		c.Live = c.Locked
	}
}
