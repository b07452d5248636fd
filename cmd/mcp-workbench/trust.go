package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/atomicfile"
	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/terminal"
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
A file that changes has to be trusted again. Programs in the folder that the file names
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
		return "", &exitError{code: exitFailure, err: fmt.Errorf("find %s: %w", file, err)}
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
	_, err = config.Load(from, newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	untrusted, ok := errors.AsType[*config.UntrustedError](err)
	switch {
	case !ok:
		return unusable(err)
	case untrusted.Text == nil:
		return &exitError{code: exitFailure, err: untrusted}
	}
	if t.yes {
		err = showToTrust(out, from, path, untrusted.Text)
	} else if !out.IsInteractive() {
		err = &exitError{code: exitUsage, err: fmt.Errorf("there is no terminal to ask in; to trust the file, run '%s'", commandLine("--yes"))}
	} else {
		t.yes, err = askToTrust(out, from, path, untrusted.Text)
	}
	if err != nil {
		return ended(err)
	}
	if !t.yes {
		return &exitError{code: exitFailure, err: errors.New("it is not trusted")}
	}
	if err := trustRecords().Add(path, untrusted.Text); err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("%w; to use the file all the same, name it with --config", err)}
	}
	return out.Print("%s is trusted as it is now. 'mcp-workbench trust --remove %s' takes that back.", path, domain.ShellWord(path))
}

// askToTrust shows what a file would run, and asks.
func askToTrust(person *terminal.Terminal, from config.Options, path string, text []byte) (bool, error) {
	if err := showToTrust(person, from, path, text); err != nil {
		return false, err
	}
	return person.Confirm("Trust this file?", false)
}

// showToTrust shows what a file would run. A file with mistakes is a failure, since what it will run
// once they are corrected is not known.
func showToTrust(out *terminal.Terminal, from config.Options, path string, text []byte) error {
	from.MakesLock = true // the lock comes after the trust
	configuration, err := config.Check(from, path, text, newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	if err != nil {
		return unusable(err)
	}
	if err := out.Print("%s would start and reach, with your rights:", path); err != nil {
		return err
	}
	for _, line := range whatRuns(configuration) {
		if err := out.Print("  %s", domain.ReviewLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// whatRuns returns a line for each server that a configuration starts or reaches, and one for the
// variables that it reads.
func whatRuns(configuration *config.Configuration) []string {
	var lines []string
	everything := false
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			line, inheritsAll := whatServerRuns(server)
			lines = append(lines, placeOf(server.ID)+": "+line)
			everything = everything || inheritsAll
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing: there is no server in it")
	}
	names := slices.Concat(configuration.Reads, configuration.Catalog.Inherited())
	slices.Sort(names)
	switch names = slices.Compact(names); {
	case everything:
		lines = append(lines, `variables that it reads: all that there are ("inheritEnv": "all")`)
	case len(names) > 0:
		lines = append(lines, "variables that it reads: "+strings.Join(names, ", "))
	}
	return lines
}

// whatServerRuns returns the program of a server with its arguments and variables, or its
// address, as it is configured, and whether it gets the whole environment. Secrets that are written
// out are not shown.
func whatServerRuns(server domain.Server) (line string, everything bool) {
	var settings struct {
		Command    string            `json:"command"`
		Args       []string          `json:"args"`
		Env        map[string]string `json:"env"`
		Cwd        string            `json:"cwd"`
		URL        string            `json:"url"`
		InheritEnv json.RawMessage   `json:"inheritEnv"`
		OAuth      json.RawMessage   `json:"oauth"`
	}
	if json.Unmarshal(server.Configured, &settings) != nil {
		return string(server.Configured), false // another transport's
	}
	if settings.URL != "" {
		return settings.URL + whatLoginReaches(settings.OAuth), false
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(settings.Env)) {
		words = append(words, domain.ShellWord(name)+"="+domain.ShellWord(shownValue(server.ID, name, settings.Env[name])))
	}
	for _, word := range append([]string{settings.Command}, settings.Args...) {
		words = append(words, domain.ShellWord(word))
	}
	if settings.Cwd != "" {
		words = append(words, "(in "+domain.ShellWord(settings.Cwd)+")")
	}
	return strings.Join(words, " "), string(settings.InheritEnv) == `"all"`
}

// whatLoginReaches says where a login leads that the file itself decides about, and which file of the
// person is handed over there: the whole of it, whatever is in it.
func whatLoginReaches(oauth json.RawMessage) string {
	var login struct {
		Issuer        string `json:"issuer"`
		AssertionFile string `json:"assertionFile"`
	}
	if json.Unmarshal(oauth, &login) != nil || login.Issuer == "" {
		return "" // without an issuer nothing is handed over
	}
	text := " (logs in at " + login.Issuer
	if login.AssertionFile != "" {
		text += ", which gets the file " + domain.ShellWord(login.AssertionFile)
	}
	return text + ")"
}

// shownValue returns the value of a variable of a server, masked if it looks like a secret. A value
// that decides which code runs is always shown.
func shownValue(id domain.ServerID, name, value string) string {
	server := hostfiles.Server{Name: string(id.Server), Settings: hostfiles.Settings{Env: map[string]string{name: value}}}
	return server.ShownVariable(name)
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
		case trustRecords().Check(record.Path, text) != nil:
			state = "; it changed since then"
		}
		if err := out.Print("%s (%s)%s", record.Path, record.Time.Local().Format(dateFormat), state); err != nil {
			return &exitError{code: exitFailure, err: err}
		}
	}
	if failure != nil {
		return &exitError{code: exitFailure, err: failure}
	}
	return nil
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
		return &exitError{code: exitFailure, err: err}
	case !removed:
		return &exitError{code: exitFailure, err: fmt.Errorf("%s was not trusted; 'mcp-workbench trust --list' shows what is", path)}
	}
	return out.Print("%s is trusted no longer. A workbench that is running with it goes on until it ends.", path)
}
