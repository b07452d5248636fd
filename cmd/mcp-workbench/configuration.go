package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/ports"
)

// options are the flags that every command has.
type options struct {
	config   string
	logLevel string
}

// load finds and reads the configuration.
func (o options) load(transports map[string]ports.Transport) (*config.Configuration, error) {
	directory, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the working directory: %w", err)
	}
	userConfig, err := os.UserConfigDir()
	if err != nil {
		userConfig = "" // then nothing is looked for there
	}
	flags := map[string]string{}
	if o.logLevel != "" {
		flags["logLevel"] = o.logLevel
	}
	return config.Load(config.Options{
		Path: o.config, Flags: flags, Environ: os.Environ(),
		WorkDir: directory, UserConfigDir: userConfig,
	}, transports)
}

// unusable is how the program ends when the configuration cannot be loaded.
func unusable(err error) error {
	code := exitFailure
	if _, invalid := errors.AsType[*config.InvalidError](err); invalid {
		code = exitConfiguration
	}
	return &exitError{code: code, err: fmt.Errorf("the configuration cannot be used:\n%w", err)}
}

// announce says on stderr which configuration is in use and what is odd about
// it. It is not a matter of the log level: whoever looks for a missing toolbox
// needs it first.
func announce(configuration *config.Configuration, log *slog.Logger) {
	if configuration.Path == "" {
		fmt.Fprintf(os.Stderr, "mcp-workbench: no configuration found (looked for %s)\n",
			strings.Join(configuration.Searched, ", "))
	} else {
		fmt.Fprintf(os.Stderr, "mcp-workbench: using %s (%s)\n", configuration.Path, configuration.Origin)
	}
	for _, warning := range configuration.Warnings {
		log.Warn(warning.String())
	}
}
