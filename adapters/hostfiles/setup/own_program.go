package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/safefile"
)

// ownProgram returns the path of the program that hosts are to start: the copy that the user wanted, or
// the one that runs.
func (c *connecting) ownProgram() (string, error) {
	if c.copied != "" {
		return c.copied, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return "", errors.New("'go run' removes this program when it ends; run 'make build' and connect with bin/mcp-workbench")
	}
	return linkOfHomebrew(program), nil
}

// offerCopy asks whether hosts are to start a copy of a program that does not stay where it is, and makes it.
func (c *connecting) offerCopy() error {
	c.offersCopy = true
	program, err := c.ownProgram()
	if err != nil || temporaryPlace(program) == "" {
		return err
	}
	target, err := placeForPrograms()
	if err != nil {
		return nil //nolint:nilerr // without a home folder there is no place to offer; connect says what that means
	}
	c.sayTemporaryPlace(program)
	question := "Copy the program to " + target + ", and have the hosts start that?"
	if _, err := os.Stat(target); err == nil {
		question = "Replace " + target + " by a copy of this program, and have the hosts start that?"
	}
	yes, err := c.terminal.Confirm(question)
	if err != nil || !yes {
		return err
	}
	if err := copyProgram(program, target); err != nil {
		return fmt.Errorf("copy this program: %w", err)
	}
	c.copied = target
	c.say("%s: written.", target)
	folder := filepath.Dir(target)
	isFolder := func(other string) bool {
		return other == folder || runtime.GOOS == "windows" && strings.EqualFold(other, folder)
	}
	if !slices.ContainsFunc(filepath.SplitList(os.Getenv("PATH")), isFolder) {
		c.say("note: %s is not in your PATH. Hosts do not need that; your shell does.", folder)
	}
	return c.printErr
}

// sayTemporaryPlace says what it means for hosts if a program does not stay where it is.
func (c *connecting) sayTemporaryPlace(program string) {
	if place := temporaryPlace(program); place != "" {
		c.say("note: %s is in %s", program, place)
	}
}

// placeForPrograms returns the path at which a copy of this program stays.
func placeForPrograms() (string, error) {
	if runtime.GOOS == "windows" {
		local, err := os.UserCacheDir() // %LocalAppData%
		return filepath.Join(local, "Programs", "mcp-workbench", "mcp-workbench.exe"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "bin", "mcp-workbench"), err
}

func copyProgram(program, target string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if info, err := os.Lstat(target); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// A link may lead into the work tree, so the link is replaced rather than the file that it leads to.
		if err := os.Remove(target); err != nil {
			return err
		}
	}
	return replaceProgram(target, text, runtime.GOOS == "windows")
}

// replaceProgram writes a program. Windows cannot replace a running program, but can rename it, so there the
// old program is set aside first. It is renamed back if the new one cannot be written.
func replaceProgram(target string, text []byte, setsAside bool) error {
	aside := ""
	if setsAside {
		var err error
		if aside, err = setAside(target); err != nil {
			return err
		}
	}
	const executable = 0o755
	if err := safefile.Replace(target, text, executable); err != nil {
		if aside != "" {
			err = errors.Join(err, os.Rename(aside, target))
		}
		return err
	}
	if aside != "" {
		_ = os.Remove(aside) // a running program stays until the next time
	}
	return os.Chmod(target, executable) // a file that was there kept its mode
}

// setAside renames a file, "" if there is none. Names of programs that still run are left alone.
func setAside(target string) (aside string, err error) {
	const maxRunning = 20
	for n := range maxRunning {
		aside = fmt.Sprintf("%s.old%d", target, n)
		if err = os.Remove(aside); err == nil || errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err = os.Rename(target, aside); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return aside, err
}
