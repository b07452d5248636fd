package selection

import (
	"bytes"
	"errors"
	"slices"

	"github.com/itchyny/gojq"

	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
)

// compile compiles a jq program, also within a command line of jq. The program cannot use files, modules, inputs or
// environment variables, since it gets no loaders for them.
func compile(program string) (*gojq.Code, *domain.SelectionError) {
	code, failure := compileProgram(program)
	if failure == nil || !isCommandLine(program) {
		return code, failure
	}
	if inner, ok := unwrapped(program); ok {
		if code, failure := compileProgram(inner); failure == nil {
			return code, nil
		}
	}
	failure.Message += "; write only the program, not a command line: no jq, no options and no quotes around it"
	return nil, failure
}

func compileProgram(program string) (*gojq.Code, *domain.SelectionError) {
	query, err := gojq.Parse(program)
	if err != nil {
		failure := &domain.SelectionError{Kind: domain.SelectionSyntax, Message: err.Error()}
		if at, ok := errors.AsType[*gojq.ParseError](err); ok {
			failure.Position = at.Offset
		}
		return nil, failure
	}
	added, err := gojq.Parse(builtins)
	if err != nil {
		return nil, &domain.SelectionError{Kind: domain.SelectionSyntax, Message: err.Error()} // never
	}
	query.FuncDefs = slices.Concat(added.FuncDefs, query.FuncDefs)
	code, err := gojq.Compile(query, gojq.WithVariables(variables))
	if err != nil {
		return nil, &domain.SelectionError{Kind: domain.SelectionSyntax, Message: err.Error()}
	}
	return code, nil
}

// runProgram returns the values that a program produces, one a line, cut to maxOutput bytes.
func runProgram(code *gojq.Code, input any) answer {
	var output bytes.Buffer
	outputs := code.Run(input, values...)
	for {
		next, more := outputs.Next()
		if !more {
			return answer{Output: output.String()}
		}
		if err, failed := next.(error); failed {
			if halted, ok := errors.AsType[*gojq.HaltError](err); ok && halted.Value() == nil {
				return answer{Output: output.String()}
			}
			return answer{Error: &domain.SelectionError{Kind: domain.SelectionRuntime, Message: err.Error()}}
		}
		text, err := gojq.Marshal(next)
		if err != nil {
			return answer{Error: &domain.SelectionError{Kind: domain.SelectionRuntime, Message: err.Error()}}
		}
		left := maxOutput - output.Len() - len("\n")
		if len(text) <= left {
			output.Write(append(text, '\n'))
			continue
		}
		// If at least half of the room is left, a part of the first value that does not fit is shown.
		if left > maxOutput/2 {
			output.Write(append(excerpts.Value(text, left), '\n'))
		}
		return answer{Output: output.String(), More: true}
	}
}
