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

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
	// leftoverTime is the age at which a temporary folder is certainly abandoned: installations are
	// limited to much less.
	leftoverTime = time.Hour
)

// step is called between the steps of an installation. Specs end the process there.
var step = func(string) {}

// Install implements ports.Packages. It installs into a temporary folder and renames it when it is
// complete, so nothing that a killed process leaves behind is ever started. A later installation removes
// such leftovers after an hour, and packages that were not started for 90 days.
func (s *Store) Install(ctx context.Context, server domain.Server, pin domain.PackagePin, lockFile []byte) error {
	s.announce(server.ID.Path() + ": installing " + pin.Name + "@" + pin.Version)
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
	if locked := lock.Packages[modules+"/"+pin.Name]; locked.Version != pin.Version {
		return fmt.Errorf("%s: its lock file is for version %s", what, locked.Version)
	}
	target, err := s.folder(pin)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := s.prepare(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	release, err := safefile.AcquireLock(ctx, target+lockSuffix)
	if err != nil {
		if ctx.Err() != nil {
			what += ", which another process is doing,"
		}
		return failure(what, err)
	}
	defer release()
	step("locked")
	if s.IsInstalled(pin) {
		return nil
	}
	i := installation{launch: launch, in: s.surroundingsOf(server), pin: pin, lock: lock}
	if err := i.into(ctx, target); err != nil {
		return i.in.npmFailure(what, err)
	}
	step("in place")
	s.sweep(target)
	return nil
}

const lockSuffix = ".lock"

// An installation is the work of one Install.
type installation struct {
	launch Launch
	in     surroundings
	pin    domain.PackagePin
	lock   npmLock
}

// into installs into a temporary folder and then replaces the target with it. The caller holds the
// lock of the target.
func (i installation) into(ctx context.Context, target string) (err error) {
	folder, err := os.MkdirTemp(filepath.Dir(target), temporaryPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := i.in.project(folder, i.lock.Packages[""].Dependencies); err != nil {
		return err
	}
	lockFile, err := i.lock.text()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, lockFileName), lockFile, fileMode); err != nil {
		return err
	}
	step("prepared")
	if err := i.in.runNPM(ctx, i.launch, folder, "ci"); err != nil {
		return err
	}
	if err := i.lock.checkInstalled(folder); err != nil {
		return err
	}
	if err := i.in.checkPlatform(ctx, folder, i.lock); err != nil {
		return err
	}
	step("installed")
	if i.pin.InstallScripts {
		if err := i.in.withoutSecrets().runNPM(ctx, i.launch, folder, "rebuild", "--ignore-scripts=false"); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(folder, projectSettingsName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
	complete := marker{
		LockDigest: i.pin.LockDigest, Package: i.pin.Name, Version: i.pin.Version,
		Programs: programsIn(filepath.Join(folder, modules, filepath.FromSlash(i.pin.Name)), i.lock.programs(i.pin.Name)),
	}
	if _, err := complete.entry(i.launch); err != nil {
		return err
	}
	var err error
	if complete.Contents, err = writeContents(folder); err != nil {
		return err
	}
	text, err := json.MarshalIndent(complete, "", "  ")
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

// temporaryPrefix is the prefix of unfinished folders and of those that are being removed.
const temporaryPrefix = ".tmp-"

// On Windows a folder cannot be renamed while another program, such as a virus scanner, reads files
// in it.
const (
	minRenamePause = 10 * time.Millisecond
	maxRenamePause = 2 * time.Second
)

// replaceFolder renames a folder to the name of another one, which is broken if it exists.
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

// removeFolder renames a folder before it removes it, so that no folder is incomplete under its name.
func removeFolder(folder string) error {
	aside := filepath.Join(filepath.Dir(folder), temporaryPrefix+"removed-"+filepath.Base(folder))
	if err := os.RemoveAll(aside); err != nil { // left by a killed process
		return err
	}
	if err := os.Rename(folder, aside); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	step("put aside")
	return os.RemoveAll(aside)
}

// sweep removes leftovers of killed installations, and packages that were not used for a long time.
// It ignores errors.
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
		limit, dated := leftoverTime, path
		if !strings.HasPrefix(found.Name(), temporaryPrefix) {
			limit, dated = unusedTime, filepath.Join(path, markerName)
		}
		if info, err := os.Stat(dated); err == nil && time.Since(info.ModTime()) > limit {
			_ = removeFolder(path)
			_ = os.Remove(path + lockSuffix)
		}
	}
}
