package ports

import (
	"context"

	"mcp-workbench/domain"
)

// ProgramRunner runs programs for what they print. Safe for concurrent use.
type ProgramRunner interface {
	// Output runs a program without a shell, with the variables of the workbench except for its own and
	// with nothing to read, until it ended and closed its output. It returns what the program printed.
	// When the context ends, the program and all that it started are killed before Output returns.
	//
	// Failures: a program that is not found, ends otherwise than by 0 or prints more than limit bytes; the
	// context's cause. Their text contains nothing that the program wrote.
	Output(ctx context.Context, program domain.Program, limit int64) ([]byte, error)
}
