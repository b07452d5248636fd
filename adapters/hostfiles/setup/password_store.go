package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"mcp-workbench/adapters/system/programs"
)

// service is the name of the service or folder under which secrets are stored.
const service = "mcp-workbench"

// passwordStore is the password store that this system has, which is reached through the command line of the store:
// "security" of macOS, "secret-tool" of desktops with a keyring, or "pass". Values reach these programs over their
// standard input, never in arguments.
//
// Decision: no store is supported on Windows, because cmdkey and other programs of Windows do not print a
// password that they keep.
//
// Decision: zalando/go-keyring is not used. A configuration names a command that prints the secret, which the user can
// run and replace, and the library has none: on macOS it stores encoded text, which "security" prints as it is, and it
// does not know "pass".
type passwordStore struct {
	// name is that of its program.
	name string
	// write returns the arguments and the input with which the program stores a value.
	write func(variable, value string) (arguments []string, input string)
	// read returns the arguments with which the program prints a value.
	read func(variable string) []string
}

// command returns the command that prints the value of a variable.
func (s passwordStore) command(variable string) []string {
	return append([]string{s.name}, s.read(variable)...)
}

var (
	macOS = passwordStore{
		"security",
		func(variable, value string) ([]string, string) {
			return []string{"-i"}, fmt.Sprintf("add-generic-password -U -s %s -a %s -w %s\n", service, variable, quotedForSecurity(value))
		},
		func(variable string) []string {
			return []string{"find-generic-password", "-s", service, "-a", variable, "-w"}
		},
	}
	keyring = passwordStore{
		"secret-tool",
		func(variable, value string) ([]string, string) {
			return []string{"store", "--label=" + service + " " + variable, "service", service, "account", variable}, value
		},
		func(variable string) []string { return []string{"lookup", "service", service, "account", variable} },
	}
	pass = passwordStore{
		"pass",
		func(variable, value string) ([]string, string) {
			return []string{"insert", "--multiline", service + "/" + variable}, value + "\n"
		},
		func(variable string) []string { return []string{"show", service + "/" + variable} },
	}
)

func quotedForSecurity(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// findPasswordStore returns the password store that is ready to use, and whether there is one. It runs no program.
func findPasswordStore() (passwordStore, bool) {
	has := func(program string) bool { return programs.Find(os.Getenv("PATH"), program) != "" }
	switch {
	case runtime.GOOS == "darwin":
		return macOS, has(macOS.name)
	case runtime.GOOS == "windows":
		return passwordStore{}, false
	case has(keyring.name) && os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "":
		return keyring, true
	case has(pass.name) && hasPasswords():
		return pass, true
	}
	return passwordStore{}, false
}

// hasPasswords reports whether the user has initialized pass.
func hasPasswords() bool {
	folder := os.Getenv("PASSWORD_STORE_DIR")
	if folder == "" {
		home, _ := os.UserHomeDir()
		folder = filepath.Join(home, ".password-store")
	}
	_, err := os.Stat(filepath.Join(folder, ".gpg-id"))
	return err == nil
}

// maxInput is the most that is written to a store, in bytes. secret-tool keeps the first 8 KiB of a value and reports
// no failure; security takes what follows the first 4 KiB of a line for another command.
const maxInput = 4000

var (
	// errOtherValue means that the store has another value under the name, which stays.
	errOtherValue = errors.New("it has another value under this name, which stays")
	errLines      = errors.New("values with line ends cannot be stored")
	errLong       = fmt.Errorf("values of more than about %d bytes cannot be stored", maxInput)
	errReadBack   = errors.New("it did not return the value that was stored")
)

// keep stores a value, unless the store has it already, and reads it back.
//
// Failures: errOtherValue; a value that cannot be stored; how the program ended. They do not contain the value.
func (s passwordStore) keep(ctx context.Context, variable, value string) error {
	if strings.ContainsAny(value, "\r\n\x00") {
		return errLines
	}
	if known, err := s.get(ctx, variable); err == nil && known != "" {
		if known == value {
			return nil
		}
		return errOtherValue
	}
	arguments, input := s.write(variable, value)
	if len(input) > maxInput {
		return errLong
	}
	if _, err := s.run(ctx, input, arguments); err != nil {
		return err
	}
	known, err := s.get(ctx, variable)
	if err == nil && known != value {
		err = errReadBack
	}
	return err
}

func (s passwordStore) get(ctx context.Context, variable string) (string, error) {
	text, err := s.run(ctx, "", s.read(variable))
	return strings.TrimSuffix(text, "\n"), err
}

const (
	// patience is the longest time a program may take: it may ask the user to unlock the store.
	patience = 2 * time.Minute
	killTime = time.Second
)

// run runs the program of the store, and returns what it printed.
func (s passwordStore) run(ctx context.Context, input string, arguments []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	command := exec.CommandContext(ctx, programs.Find(os.Getenv("PATH"), s.name), arguments...)
	var printed bytes.Buffer
	command.Stdin, command.Stdout, command.WaitDelay = strings.NewReader(input), &printed, killTime
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w", s.name, arguments[0], err)
	}
	return printed.String(), nil
}
