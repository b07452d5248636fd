package main

import (
	"io"
	"sync"
	"sync/atomic"

	"mcp-workbench/domain"
)

// redactor hides secrets in everything that is written to it. It is the last step of
// every log line, whatever the line is made of. Safe for concurrent use.
type redactor struct {
	to     io.Writer
	redact atomic.Pointer[func() func(text string) string]
}

// hide hides the secrets of all servers from now on.
func (r *redactor) hide(toolboxes []domain.Toolbox) {
	// Most runs log nothing, so the work waits for the first line.
	redact := sync.OnceValue(func() func(string) string { return secretsOf(toolboxes).Redactor() })
	r.redact.Store(&redact)
}

func secretsOf(toolboxes []domain.Toolbox) domain.Secrets {
	var secrets domain.Secrets
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			secrets = append(secrets, server.Secrets...)
		}
	}
	return secrets
}

// Write implements io.Writer. Each call passes one whole line.
func (r *redactor) Write(line []byte) (int, error) {
	redact := r.redact.Load()
	if redact == nil {
		return r.to.Write(line)
	}
	if _, err := io.WriteString(r.to, (*redact)()(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
