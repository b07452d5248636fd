package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// findFile returns the file that the user names. A folder means the configuration in it, or else the plugin. A file with another
// name counts only where a trusted file includes it.
func findFile(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", name, err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder := path
		path = filepath.Join(folder, config.FileName)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && plugins.IsIn(folder) {
			path = filepath.Join(folder, plugins.Manifest)
		}
	}
	return path, nil
}

// isPlugin reports whether a path is that of the manifest of a plugin.
func isPlugin(path string) bool { return filepath.Base(path) == plugins.Manifest }

// Answer is the answer on the command line of trust. With the zero value, trust asks.
type Answer struct {
	// Yes trusts the file without a question, unless something needs care, which AllowOptions accepts too.
	Yes, AllowOptions bool
	// Command is the command line with the flag for Yes.
	Command string
}

var errNeedsCare = &RefusedError{errors.New("--yes alone does not accept what needs care; --allow-options does")}

// needsCare reports whether a line is about what gives more than a server needs.
func needsCare(line string) bool { return strings.Contains(": "+line, careMark) }

// Trust shows a file, asks unless the command line answers, and records that it is trusted.
//
// Failures: *RefusedError without a terminal, or with something that needs more than a yes; those of config.Load.
func (c Consent) Trust(from config.Options, transports map[string]ports.Transport, name string, answer Answer) error {
	path, err := findFile(name)
	if err != nil {
		return err
	}
	if isPlugin(path) {
		return c.trustPlugin(from, transports, filepath.Dir(path), answer)
	}
	// The file is read once, so that the bytes shown are the bytes trusted.
	from.WorkDir, from.Path, from.Untrusted, from.Trusts = filepath.Dir(path), path, config.Refused, nil
	from.Reviewed = true
	from.Origin = config.FromWorkingDirectory
	_, err = config.Load(from, transports)
	untrusted, ok := errors.AsType[*config.UntrustedError](err)
	if !ok || untrusted.Text == nil {
		return err
	}
	user, lock := terminal.New(c.Screen, c.Colour), LockBeside(path)
	var shown *shownFile
	yes := answer.Yes
	switch {
	case yes:
		if shown, err = c.show(user, from, transports, untrusted); err == nil && shown.needsCare && !answer.AllowOptions {
			err = errNeedsCare
		}
	case !user.IsInteractive():
		err = &RefusedError{fmt.Errorf("there is no terminal to ask in; to trust the file, run %s", domain.QuotedCommand(answer.Command))}
	default:
		yes, shown, err = c.ask(user, from, transports, untrusted)
	}
	switch {
	case err != nil:
		return err
	case !yes:
		return errors.New("it is not trusted")
	}
	if err := c.add(path, untrusted.Text, lock, shown); err != nil {
		return fmt.Errorf("%w; to use the file anyway, name it with --config", err)
	}
	return user.Print("%s is trusted as it is now. %s takes that back.", path, domain.QuotedCommand("mcp-workbench trust --remove "+domain.ShellWord(path)))
}

// List prints the trusted files.
func (c Consent) List() error {
	user := terminal.New(c.Screen, c.Colour)
	records, failure := c.Records.List()
	if len(records) == 0 && failure == nil {
		return user.Print("no file is trusted")
	}
	for _, record := range records {
		state := ""
		text, err := recorded(record.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			state = "; it does not exist"
		case err != nil:
			state = "; it cannot be read"
		case c.Records.Check(record.Path, text, LockBeside(record.Path)) != nil:
			state = "; it changed since then"
		}
		if err := user.Print("%s (%s)%s", record.Path, record.Time.Local().Format("2006-01-02 15:04"), state); err != nil {
			return err
		}
	}
	return failure
}

// recorded returns the bytes at a path for which a record holds.
func recorded(path string) ([]byte, error) {
	if !isPlugin(path) {
		return safefile.ReadFile(path)
	}
	loaded, err := plugins.Load(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("read the plugin: %w", err)
	}
	return loaded.Seen(), nil
}

// Remove records that a file is no longer trusted.
func (c Consent) Remove(name string) error {
	path, err := findFile(name)
	if err != nil {
		return err
	}
	removed, err := c.Records.Remove(path)
	switch {
	case err != nil:
		return err
	case !removed:
		return fmt.Errorf("%s was not trusted; 'mcp-workbench trust --list' shows what is", path)
	}
	return terminal.New(c.Screen, c.Colour).Print("%s is no longer trusted. A workbench that is running with it continues until it ends.", path)
}
