package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/trust/review"
	"mcp-workbench/domain"
)

func newTrustCommand(options *options) *cobra.Command {
	var t trusting
	command := &cobra.Command{
		Use:   "trust [FILE]",
		Short: "Look at the configuration of a folder, and let the workbench use it there",
		Long: `Look at the workbench-config.json of a folder, and let the workbench use it when a host
or a command runs in that folder. Without a name it is the working folder. Such a file
may come from others, with a repository for example, and says which programs run.

The command shows the programs with their arguments, the addresses, also those of logins,
and the variables that the file reads, asks, and keeps the path of the file and the
SHA-256 of its bytes.
A file that changes has to be trusted again, and so has one whose workbench.lock.json
changed, unless 'mcp-workbench lock' wrote it. Programs in the folder that the file names
may change without that. A file that --config or WORKBENCH_CONFIG names needs no trust.`,
		Args: wordsBetween(0, 1),
		RunE: func(_ *cobra.Command, files []string) error { return t.run(*options, files) },
	}
	flags := command.Flags()
	flags.BoolVar(&t.yes, "yes", false, "trust the file without asking, and show it all the same")
	flags.BoolVar(&t.list, "list", false, "show the files that are trusted")
	flags.StringVar(&t.remove, "remove", "", "trust a `file` no longer")
	command.MarkFlagsMutuallyExclusive("yes", "list", "remove")
	return command
}

// trusting is the command trust.
type trusting struct {
	yes, list bool
	remove    string
}

func (t *trusting) run(options options, files []string) error {
	out := terminal.New(console.Out, options.colour)
	switch {
	case (t.list || t.remove != "") && len(files) > 0:
		return errors.New("--list takes no file, and --remove just one")
	case t.list:
		return listTrusted(out)
	case t.remove != "":
		return removeTrusted(out, t.remove)
	}
	file := "."
	if len(files) > 0 {
		file = files[0]
	}
	path, err := trustedPlace(file)
	if err != nil {
		return err
	}
	return t.trust(options, out, path)
}

// trustedPlace returns the file that a person means: a folder stands for the file in it.
func trustedPlace(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", file, err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, config.FileName)
	}
	if filepath.Base(path) != config.FileName {
		return "", &exitError{code: exitUsage, err: fmt.Errorf(
			"only a %s is looked for in folders; a file with another name is named with --config and needs no trust", config.FileName)}
	}
	return path, nil
}

// trust shows a file, asks, and records that it is trusted.
func (t *trusting) trust(options options, out *terminal.Terminal, path string) error {
	from, err := options.sources()
	if err != nil {
		return err
	}
	// The file is read once, so that the bytes shown are the bytes trusted.
	from.WorkDir, from.UserConfigDir, from.Path, from.Untrusted, from.Trusts = filepath.Dir(path), "", path, config.Refused, nil
	from.Origin = config.FromWorkingDirectory
	_, err = config.Load(from, checkingTransports())
	untrusted, ok := errors.AsType[*config.UntrustedError](err)
	switch {
	case !ok:
		return unusable(err)
	case untrusted.Text == nil:
		return untrusted
	}
	lock := lockBeside(path)
	if t.yes {
		err = showToTrust(out, from, path, untrusted.Text)
	} else if !out.IsInteractive() {
		err = &exitError{code: exitUsage, err: fmt.Errorf("there is no terminal to ask in; to trust the file, run '%s'", commandLine("--yes"))}
	} else {
		t.yes, err = askToTrust(out, from, path, untrusted.Text)
	}
	if err != nil {
		return err
	}
	if !t.yes {
		return errors.New("it is not trusted")
	}
	if err := trustRecords().Add(path, untrusted.Text, lock); err != nil {
		return fmt.Errorf("%w; to use the file all the same, name it with --config", err)
	}
	return out.Print("%s is trusted as it is now. 'mcp-workbench trust --remove %s' takes that back.", path, domain.ShellWord(path))
}

// showToTrust shows what a file would run. A file with mistakes is a failure, since what it would
// run without them is unknown.
func showToTrust(out *terminal.Terminal, from config.Options, path string, text []byte) error {
	from.MakesLock = true // the lock is written after the file is trusted
	configuration, err := config.Check(from, path, text, checkingTransports())
	if err != nil {
		return unusable(err)
	}
	if err := out.Print("%s would start and reach, with your rights:", path); err != nil {
		return err
	}
	for _, line := range review.Lines(configuration, path) {
		if err := out.Print("  %s", domain.ReviewLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// askToTrust shows what a file would run, and asks.
func askToTrust(person *terminal.Terminal, from config.Options, path string, text []byte) (bool, error) {
	if err := showToTrust(person, from, path, text); err != nil {
		return false, err
	}
	return person.Confirm("Trust this file?", false)
}

// listTrusted prints the files that are trusted.
func listTrusted(out *terminal.Terminal) error {
	records, failure := trustRecords().List()
	if len(records) == 0 && failure == nil {
		return out.Print("no file is trusted")
	}
	for _, record := range records {
		state := ""
		text, err := atomicfile.ReadFile(record.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			state = "; it is not there"
		case err != nil:
			state = "; it cannot be read"
		case trustRecords().Check(record.Path, text, lockBeside(record.Path)) != nil:
			state = "; it changed since then"
		}
		if err := out.Print("%s (%s)%s", record.Path, record.Time.Local().Format(login.DateFormat), state); err != nil {
			return err
		}
	}
	return failure
}

// removeTrusted forgets that a file is trusted.
func removeTrusted(out *terminal.Terminal, file string) error {
	path, err := trustedPlace(file)
	if err != nil {
		return err
	}
	removed, err := trustRecords().Remove(path)
	switch {
	case err != nil:
		return err
	case !removed:
		return fmt.Errorf("%s was not trusted; 'mcp-workbench trust --list' shows what is", path)
	}
	return out.Print("%s is trusted no longer. A workbench that is running with it goes on until it ends.", path)
}
