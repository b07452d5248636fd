package ports

import (
	"context"

	"mcp-workbench/domain"
)

// ProgramRunner runs programs and returns what they print. Safe for concurrent use.
type ProgramRunner interface {
	// Output runs a program without a shell, with the environment of the workbench except for the
	// workbench's own variables, and with empty input, until it has ended and its output is closed. It
	// returns what the program printed. When the context ends, the program and all that it started are
	// killed before Output returns.
	//
	// Failures: a program that is not found, exits with another code than 0 or prints more than limit
	// bytes; the context's cause. Their text contains nothing that the program wrote.
	Output(ctx context.Context, program domain.Program, limit int64) ([]byte, error)
}
