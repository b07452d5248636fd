package config

import (
	"strings"

	"mcp-workbench/ports"
)

// LoadBytes loads the bytes of a file without the file, as "c.json".
func LoadBytes(data []byte, environ []string, transports map[string]ports.Transport) (*Configuration, error) {
	return Check(Options{Environ: environ}, "c.json", data, transports)
}

// Expand expands a text and returns the unset variables.
func Expand(text string, lookup func(name string) (value string, set bool)) (expanded, unset string, err error) {
	result, err := expand(text, lookup)
	return result.text, strings.Join(result.unset, " "), err
}

// ParseEnvFile returns the variables of a file of them.
var ParseEnvFile = parseEnvFile
