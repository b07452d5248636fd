package commandline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcp-workbench/domain"
)

// FlagError returns a readable error for a wrong flag. For an unknown flag, it suggests a similar one.
// It is for [cobra.Command.SetFlagErrorFunc].
func FlagError(command *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(command, unknown)
	}
	if valueless, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		name, _ := pflag.UnquoteUsage(valueless.GetFlag())
		return fmt.Errorf("--%s needs a value: --%s %s", valueless.GetFlag().Name, valueless.GetFlag().Name, strings.ToUpper(name))
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s %q: %w", wrong.GetFlag().Name, wrong.GetValue(), reason(wrong))
	}
	return err
}

// flagsOfHosts are flags of the commands with which hosts add servers, and what to do instead here.
var flagsOfHosts = map[string]string{
	"--trust":         "leave it out: the host asks before calls according to its own setting for the workbench",
	"--timeout":       `leave it out: "limits" in the configuration sets how long the workbench waits`,
	"--include-tools": `leave it out, and write "toolFilters": ["NAME"] into the configuration`,
	"--exclude-tools": `leave it out, and write "toolFilters": ["*", "!NAME"] into the configuration`,
	"--add-mcp":       "'mcp-workbench add-json JSON' adds what follows it",
}

// AddFlagError is FlagError for the command that adds a server. For an unknown flag, it also says what to do
// instead.
func AddFlagError(command *cobra.Command, err error) error {
	err = FlagError(command, err)
	text := err.Error()
	switch {
	case !strings.HasPrefix(text, "unknown") || strings.Contains(text, "did you mean"):
		return err
	case strings.Contains(text, "--client-") || strings.Contains(text, "--callback-"):
		return fmt.Errorf("%w; 'mcp-workbench help configuration' describes the settings for OAuth", err)
	}
	for flag, instead := range flagsOfHosts {
		if strings.HasPrefix(text, "unknown flag "+flag+" ") {
			return fmt.Errorf("%w; %s", err, instead)
		}
	}
	return fmt.Errorf("%w; flags of the server's program come after '--': 'mcp-workbench add NAME -- COMMAND ARGS…'", err)
}

// reason returns why the value of a flag is refused. It replaces the errors of Go's parsers.
func reason(wrong *pflag.InvalidValueError) error {
	switch wrong.GetFlag().Value.Type() {
	case "duration":
		return errors.New("write a time, such as 30s or 5m")
	case "bool":
		return errors.New("write true or false, or leave the value out")
	}
	return wrong.Unwrap()
}

func unknownFlag(command *cobra.Command, unknown *pflag.NotExistError) error {
	if unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("unknown flag -%s of '%s'", unknown.GetSpecifiedName(), command.CommandPath())
	}
	var known []string
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			known = append(known, "--"+flag.Name)
		}
	})
	wanted := "--" + unknown.GetSpecifiedName()
	if nearest, isNear := domain.Nearest(wanted, known); isNear {
		return fmt.Errorf("unknown flag %s; %s", wanted, domain.DidYouMean(nearest))
	}
	return fmt.Errorf("unknown flag %s of '%s'", wanted, command.CommandPath())
}

// Excluding replaces the library's error for flags that exclude each other. It returns other errors unchanged.
func Excluding(err error) error {
	const before, between, after = "if any flags in the group [", "] are set none of the others can be; [", "] were all set"
	text, isGroup := strings.CutPrefix(err.Error(), before)
	_, text, hasSet := strings.Cut(text, between)
	if !isGroup || !hasSet {
		return err
	}
	names := strings.Fields(strings.TrimSuffix(text, after))
	slices.Sort(names)
	return fmt.Errorf("--%s exclude each other", strings.Join(names, " and --"))
}

// NotEmpty returns a function that adds a flag whose value cannot be empty, so that a script with an unset
// variable does not run the program as if the flag were absent.
func NotEmpty(flags *pflag.FlagSet) func(value *string, name, usage string) {
	return func(value *string, name, usage string) {
		flags.Func(name, usage, func(text string) error {
			if text == "" {
				return errors.New("the value is empty")
			}
			*value = text
			return nil
		})
	}
}
