package packages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"mcp-workbench/adapters/system/filelock"
	"mcp-workbench/adapters/system/fileowner"
	"mcp-workbench/domain"
)

const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
	// leftoverTime is after which time nobody works in a folder any more: an
	// installation is given up long before.
	leftoverTime = time.Hour
)

// step is called between the steps of an installation. Specs end the process there.
var step = func(string) {}

// Install implements ports.Packages. The packages are installed into a folder beside the
// one where they will be, and that is renamed when all is there, so a process that is
// killed leaves nothing that somebody starts. What it leaves is removed by a later
// installation once it is an hour old, and so are packages that no start used for 90
// days.
func (s *Store) Install(ctx context.Context, server domain.Server, pin domain.PackagePin, lockFile []byte) error {
	if s.IsInstalled(pin) {
		return nil
	}
	launch, err := launchOf(server, pin.Kind, pin.Name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, maxInstallTime)
	defer cancel()
	what := fmt.Sprintf("install the npm package %s", pin)
	lock, err := parseLock(lockFile, pin.Name)
	if err != nil {
		return fmt.Errorf("%s: its lock file cannot be used: %w", what, err)
	}
	if is := lock.Packages[modules+"/"+pin.Name]; is.Version != pin.Version {
		return fmt.Errorf("%s: its lock file is about version %s", what, is.Version)
	}
	target, err := s.folder(pin)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := os.MkdirAll(s.directory, folderMode); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := fileowner.Check(s.directory); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	release, err := filelock.Acquire(ctx, target+lockSuffix)
	if err != nil {
		if ctx.Err() != nil {
			return gaveUp(what+", which another process works on,", err)
		}
		return fmt.Errorf("%s: %w", what, err)
	}
	defer release()
	step("locked")
	if s.IsInstalled(pin) {
		return nil
	}
	i := installation{launch: launch, in: s.surroundingsOf(server), pin: pin, lock: lock, lockFile: lockFile}
	if err := i.into(ctx, target); err != nil {
		return i.in.npmFailure(what, err)
	}
	step("in place")
	s.sweep(target)
	return nil
}

const lockSuffix = ".lock"

// installation is one that is under way.
type installation struct {
	launch   Launch
	in       surroundings
	pin      domain.PackagePin
	lock     npmLock
	lockFile []byte
}

// into installs beside a folder and puts the result in its place. The caller holds the
// folder's lock.
func (i installation) into(ctx context.Context, target string) (err error) {
	folder, err := os.MkdirTemp(filepath.Dir(target), temporaryPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := i.in.project(folder, i.lock.Packages[""].Dependencies); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, lockFileName), i.lockFile, fileMode); err != nil {
		return err
	}
	step("prepared")
	if err := i.in.runNPM(ctx, i.launch, folder, "ci"); err != nil {
		return err
	}
	if err := i.in.leftOut(ctx, folder, i.lock); err != nil {
		return err
	}
	step("installed")
	if i.pin.InstallScripts {
		if err := i.in.withoutSecrets().runNPM(ctx, i.launch, folder, "rebuild", "--ignore-scripts=false"); err != nil {
			return err
		}
	}
	if err := removeProjectSettings(folder); err != nil {
		return err
	}
	if err := i.mark(folder); err != nil {
		return err
	}
	step("marked")
	return replaceFolder(ctx, folder, target)
}

// mark writes the marker, after everything else.
func (i installation) mark(folder string) error {
	is := marker{
		LockDigest: i.pin.LockDigest, Package: i.pin.Name, Version: i.pin.Version,
		Programs: programsIn(filepath.Join(folder, modules, filepath.FromSlash(i.pin.Name)), i.lock.programs(i.pin.Name)),
	}
	if _, err := is.entry(i.launch); err != nil {
		return err
	}
	var err error
	if is.Contents, err = writeContents(folder); err != nil {
		return err
	}
	text, err := json.MarshalIndent(is, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(folder, markerName), os.O_CREATE|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Sync(), file.Close())
}

// Names of folders that are not finished, and of those that are being removed.
const temporaryPrefix = ".tmp-"

// On Windows nobody can rename a folder while somebody, such as a virus scanner, reads
// what is in it.
const (
	minRenamePause = 10 * time.Millisecond
	maxRenamePause = 2 * time.Second
)

// replaceFolder puts a folder in the place of another one, which is broken if it is
// there at all.
func replaceFolder(ctx context.Context, from, to string) error {
	for pause := minRenamePause; ; pause *= 2 {
		err := removeFolder(to)
		if err == nil {
			err = os.Rename(from, to)
		}
		if err == nil || runtime.GOOS != "windows" || pause > maxRenamePause {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// removeFolder removes a folder: it is not under its name any more before anything in it
// is missing.
func removeFolder(folder string) error {
	aside := filepath.Join(filepath.Dir(folder), temporaryPrefix+"removed-"+filepath.Base(folder))
	if err := os.RemoveAll(aside); err != nil { // of one that was killed
		return err
	}
	if err := os.Rename(folder, aside); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	step("put aside")
	return os.RemoveAll(aside)
}

// sweep removes what killed installations left, and packages that were not used for a
// long time. What cannot be removed stays, since that is no reason for anything to fail.
func (s *Store) sweep(except string) {
	entries, err := os.ReadDir(s.directory)
	if err != nil {
		return
	}
	for _, found := range entries {
		path := filepath.Join(s.directory, found.Name())
		if path == except || !found.IsDir() {
			continue
		}
		age, of := leftoverTime, path
		if !strings.HasPrefix(found.Name(), temporaryPrefix) {
			age, of = unusedTime, filepath.Join(path, markerName)
		}
		if info, err := os.Stat(of); err == nil && time.Since(info.ModTime()) > age {
			_ = removeFolder(path)
			_ = os.Remove(path + lockSuffix)
		}
	}
}
