package tree

import (
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

// Problem is one thing that is wrong with the configuration, or worth a warning.
// It shows no expanded value and no value of "env" or "headers".
type Problem struct {
	// File is the configuration file, "" when the problem lies outside it.
	File string `json:"file,omitempty"`
	// Line and Column count from 1, columns in characters. They are 0 when the
	// problem has no position.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Source is the environment variable or the flag whose value is the problem,
	// "" when the problem lies in the file.
	Source string `json:"source,omitempty"`
	// KeyPath is the path to the value from the root of the file, for example
	// `toolboxes["my.box"].mcpServers.fs.args[1]`.
	KeyPath string `json:"keyPath,omitempty"`
	// Found and Wanted complete the sentence "found …, want …". Both are "" in a
	// warning.
	Found  string `json:"found,omitempty"`
	Wanted string `json:"wanted,omitempty"`
	// Message is the text of a warning, of an unknown key, and of a problem that a transport
	// reports without Found and Wanted.
	Message string `json:"message,omitempty"`
	// Pattern is the pattern in a warning of UnmatchedPattern, nil in other problems.
	Pattern *domain.PatternPlace `json:"-"`
	// IsReviewed is set for a warning about what others wrote, as the user saw it in a review.
	IsReviewed bool `json:"-"`
}

// NoFile is the Found of a problem about a file that does not exist.
const NoFile = "no file"

// IsMissingFile reports whether the problem is that the configuration file does not exist.
func (p Problem) IsMissingFile() bool { return p.Found == NoFile }

// String returns the problem in one line, its place first.
func (p Problem) String() string {
	var parts []string
	switch {
	case p.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column))
	case p.File != "":
		parts = append(parts, p.File)
	case p.Source != "":
		parts = append(parts, p.Source)
	}
	if p.KeyPath != "" {
		parts = append(parts, p.KeyPath)
	}
	if p.Message != "" {
		parts = append(parts, p.Message)
	} else {
		parts = append(parts, fmt.Sprintf("found %s, want %s", p.Found, p.Wanted))
	}
	return strings.Join(parts, ": ")
}
