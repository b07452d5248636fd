package packages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Store resolves packages with the package managers on this machine, and keeps those of npm in a
// folder. It implements [ports.Packages]. Safe for concurrent use, also by several processes.
type Store struct {
	directory string // of npm packages
	environ   []string
	announce  func(line string) // called before work that may take long

	mu sync.Mutex
	// unreached has the failure for each registry that Resolve could not reach, by its registryKey, so
	// that no later call waits for the registry again.
	unreached map[string]error
}

var _ ports.Packages = (*Store)(nil)

// New returns the store in a folder, which is created by the first installation. Without a folder,
// "", npm packages cannot be installed. Environ is the environment of the workbench.
func New(directory string, environ []string) *Store {
	if directory != "" {
		directory = filepath.Join(directory, "npm")
	}
	return &Store{directory: directory, environ: environ, announce: func(string) {}, unreached: map[string]error{}}
}

// Announce makes the store call a function with a line before work that may take long. It must be called before the
// store is used.
func (s *Store) Announce(say func(line string)) { s.announce = say }

// The limits of work that waits for a registry.
const (
	maxResolveTime = 2 * time.Minute
	maxInstallTime = 10 * time.Minute
)

// Request implements ports.Packages.
func (s *Store) Request(server domain.Server) (domain.PackageRequest, bool, error) {
	launch := parse(server.Traits.Program)
	switch {
	case launch.Reason != "":
		return domain.PackageRequest{}, true, errors.New(launch.Reason)
	case launch.Kind == "":
		return domain.PackageRequest{}, false, nil
	}
	request := domain.PackageRequest{Kind: launch.Kind, Name: launch.Package, Spec: launch.Spec()}
	request.InstallScripts = server.Traits.InstallScripts && launch.Kind == domain.PackageNPM
	return request, true, nil
}

// launchOf returns the launch of a server, which must start the package.
func launchOf(server domain.Server, kind domain.PackageKind, name string) (Launch, error) {
	launch := parse(server.Traits.Program)
	if launch.Kind != kind || launch.Package != name {
		return Launch{}, fmt.Errorf("its command does not start the %s package %s", kind, name)
	}
	return launch, nil
}

// Resolve implements ports.Packages. The lock file is npm's for a project that depends on this
// package alone, with the user's settings of npm. The same packages give the same bytes. It names no
// registry, so that each user installs from their own. Resolve refuses a package with a dependency
// that has no integrity value, and one with several programs if none of them is clearly the server.
func (s *Store) Resolve(ctx context.Context, server domain.Server, request domain.PackageRequest) (domain.ResolvedPackage, error) {
	s.announce(server.ID.Path() + ": resolving " + request.Spec)
	ctx, cancel := context.WithTimeout(ctx, maxResolveTime)
	defer cancel()
	launch, err := launchOf(server, request.Kind, request.Name)
	if err != nil {
		return domain.ResolvedPackage{}, err
	}
	in := s.surroundingsOf(server)
	what := "resolve the npm package " + in.redact(launch.Spec())
	if launch.Kind == domain.PackagePyPI {
		what = "resolve the Python package " + in.redact(launch.Spec())
	}
	err = s.prepare()
	var folder string
	if err == nil {
		folder, err = os.MkdirTemp(s.directory, temporaryPrefix+"*")
	}
	if err != nil {
		return domain.ResolvedPackage{}, fmt.Errorf("%s: %w", what, err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a later installation removes leftovers
	if launch.Kind == domain.PackagePyPI {
		version, err := s.resolvePython(ctx, in, launch, folder)
		return domain.ResolvedPackage{Version: version}, in.uvFailure(what, err)
	}
	text, err := s.resolveNPM(ctx, in, launch, folder)
	if err != nil {
		return domain.ResolvedPackage{}, in.npmFailure(what, err)
	}
	lock, err := parseLock(text, launch.Package)
	if err != nil {
		return domain.ResolvedPackage{}, fmt.Errorf("%s: its lock file cannot be used: %w", what, err)
	}
	if _, err = launch.program(lock.programs(launch.Package)); err != nil {
		return domain.ResolvedPackage{}, fmt.Errorf("%s: %w", what, err)
	}
	return domain.ResolvedPackage{
		Version: lock.Packages[modules+"/"+launch.Package].Version, LockFile: text, Digest: digest(text), Scripted: lock.scriptedPackages(),
	}, nil
}

// prepare creates the folder of the store, and fails if others can change it.
func (s *Store) prepare() error {
	if s.directory == "" {
		return errNoPlace
	}
	if err := os.MkdirAll(s.directory, folderMode); err != nil {
		return err
	}
	return safefile.Check(s.directory)
}

// resolveNPM returns npm's lock file of a project that depends on the package, with the newest
// versions that fit. Npm writes it into the folder, which is empty.
func (s *Store) resolveNPM(ctx context.Context, in surroundings, launch Launch, folder string) (text []byte, err error) {
	if err := in.project(folder, nil); err != nil {
		return nil, err
	}
	err = s.ask(in, in.registryOf(launch), npmOutOfReach, npmInDoubt, func(in surroundings) error {
		return in.runNPM(ctx, launch, folder,
			"install", npmSpec(launch),
			"--package-lock-only", "--save", "--save-exact", "--save-prod", "--prefer-online", "--omit-lockfile-registry-resolved")
	})
	if err != nil {
		return nil, err
	}
	text, err = safefile.ReadFile(filepath.Join(folder, lockFileName))
	return withoutCarriageReturns(text), err
}

const lockFileName = "package-lock.json"

// digest returns the SHA-256 of a lock file in hexadecimal, whatever its line endings: Git may
// change those.
func digest(lockFile []byte) string {
	return safefile.Digest(withoutCarriageReturns(lockFile))
}

func withoutCarriageReturns(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// npmSpec returns the package as an argument of 'npm install'. It always has a version, since a
// setting could name a default tag other than that of npx.
func npmSpec(l Launch) string {
	if l.Wanted == "" {
		return l.Package + "@latest"
	}
	return l.Spec()
}
