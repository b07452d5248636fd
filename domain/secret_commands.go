package domain

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// SecretCommand is a program that prints the value of a variable when a server needs it.
type SecretCommand struct {
	// Variable is the name in "${NAME}".
	Variable string
	// Program prints the value. It has no Env.
	Program Program
	// Placeholder stands for the value in the settings of a server until it starts. No file and no
	// variable contains it.
	Placeholder string
}

// Equal reports whether the same program gives the same variable its value.
func (c SecretCommand) Equal(other SecretCommand) bool {
	return c.Variable == other.Variable && c.Program.Command == other.Program.Command &&
		slices.Equal(c.Program.Args, other.Program.Args) && c.Program.Cwd == other.Program.Cwd
}

// WithCommands returns commands with others added, each command once.
func WithCommands(commands, added []SecretCommand) []SecretCommand {
	for _, command := range added {
		if !slices.ContainsFunc(commands, command.Equal) {
			commands = append(commands, command)
		}
	}
	return commands
}

// SecretPlace is where the value of a variable is kept according to the configuration: a command or a file.
type SecretPlace struct {
	SecretCommand
	// File is the absolute path of a file with the value, "" for a command.
	File string
}

// RunsAs reports whether two servers start the same program or reach the same address, with the same
// settings and the same commands for their secrets.
func (s Server) RunsAs(other Server) bool {
	return s.Transport == other.Transport && string(s.Settings) == string(other.Settings) &&
		slices.EqualFunc(s.SecretCommands, other.SecretCommands, SecretCommand.Equal)
}

// WithSecrets returns the server with the values of its SecretCommands, by variable, in place of their
// placeholders.
func (s Server) WithSecrets(values map[string]string) Server {
	var pairs, quoted []string
	for _, command := range s.SecretCommands {
		value := values[command.Variable]
		text, _ := json.Marshal(value) // strings never fail
		pairs = append(pairs, command.Placeholder, value)
		quoted = append(quoted, command.Placeholder, string(text[1:len(text)-1]))
	}
	fill := strings.NewReplacer(pairs...).Replace
	s.Settings = json.RawMessage(strings.NewReplacer(quoted...).Replace(string(s.Settings)))
	s.Traits.Address = fill(s.Traits.Address)
	s.Traits.Program.Args = slices.Clone(s.Traits.Program.Args)
	for i, argument := range s.Traits.Program.Args {
		s.Traits.Program.Args[i] = fill(argument)
	}
	s.Traits.Program.Env = maps.Clone(s.Traits.Program.Env)
	for name, value := range s.Traits.Program.Env {
		s.Traits.Program.Env[name] = fill(value)
	}
	s.Secrets = slices.Clone(s.Secrets)
	for i := range s.Secrets {
		s.Secrets[i].Value = fill(s.Secrets[i].Value)
	}
	s.Secrets = append(s.Secrets, URLSecrets(s.Traits.Address)...)
	s.SecretCommands = nil
	return s
}

// SecretError says why a command printed no value for a variable. It contains nothing that the command wrote.
type SecretError struct {
	Variable string
	Cause    error
}

func (e *SecretError) Error() string {
	return "secret '" + e.Variable + "': " + e.Cause.Error()
}

func (e *SecretError) Unwrap() error { return e.Cause }
