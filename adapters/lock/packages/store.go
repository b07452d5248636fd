package packages

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	return &Store{directory: directory, environ: environ}
}

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
	registry := in.npmRegistry(launch)
	if err := s.unreachedBefore(registry); err != nil {
		return domain.ResolvedPackage{}, in.npmFailure(what, err)
	}
	text, err := in.lockFileOf(ctx, launch, folder)
	if err != nil {
		if hasCode(err, outOfReach) {
			s.noteUnreached(registry, err)
		}
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
		Version: lock.Packages[modules+"/"+launch.Package].Version, LockFile: text, Digest: digest(text), Scripted: lock.scripted(),
	}, nil
}

// npmRegistry returns the registryKey for a package of npm, as far as it is known without asking npm.
func (s surroundings) npmRegistry(launch Launch) string {
	scope, _, _ := strings.Cut(launch.Package, "/")
	if !strings.HasPrefix(scope, "@") {
		scope = ""
	}
	return s.registryKey("npm_config_", append(launch.npmOptions(), scope, s.projectSettings()))
}

// registryKey returns a text that differs if another registry may be asked. It contains the given texts,
// and the variables about proxies and those whose names begin with prefix in lower case.
func (s surroundings) registryKey(prefix string, texts []string) string {
	for _, entry := range s.environ {
		if name, _, _ := strings.Cut(strings.ToLower(entry), "="); strings.HasPrefix(name, prefix) || strings.HasSuffix(name, "_proxy") {
			texts = append(texts, entry)
		}
	}
	return strings.Join(texts, "\x00")
}

// unreachedBefore returns the failure of a registry that was not reached, nil for others.
func (s *Store) unreachedBefore(registry string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unreached[registry]
}

func (s *Store) noteUnreached(registry string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unreached == nil {
		s.unreached = map[string]error{}
	}
	s.unreached[registry] = err
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

// lockFileOf returns npm's lock file of a project that depends on the package, with the newest
// versions that fit. Npm writes it into the folder, which is empty.
func (s surroundings) lockFileOf(ctx context.Context, launch Launch, folder string) (text []byte, err error) {
	if err := s.project(folder, nil); err != nil {
		return nil, err
	}
	args := []string{
		"install", npmSpec(launch),
		"--package-lock-only", "--save", "--save-exact", "--save-prod", "--prefer-online", "--omit-lockfile-registry-resolved",
	}
	first := s
	first.givesUp = true
	if err = first.runNPM(ctx, launch, folder, args...); hasCode(err, inDoubt) {
		err = s.runNPM(ctx, launch, folder, args...)
	}
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
	sum := sha256.Sum256(withoutCarriageReturns(lockFile))
	return hex.EncodeToString(sum[:])
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
