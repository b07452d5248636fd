package main

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/domain"
)

// redactor hides secrets in everything that is written to it. It is the last step of every log
// line. Safe for concurrent use.
type redactor struct {
	to io.Writer
	// learned are the secrets that were not known at the start, nil for none.
	learned *oauth.Secrets
	redact  atomic.Pointer[func() func(text string) string]

	mu     sync.Mutex // guards hidden
	hidden func() domain.Secrets
}

// hide hides the secrets of a configuration from now on, in addition to earlier ones: servers
// with former settings may still run.
func (r *redactor) hide(configuration *config.Configuration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var before domain.Secrets
	if r.hidden != nil {
		before = r.hidden()
	}
	// Most runs log nothing, so the work waits for the first line.
	toolboxes, callers := configuration.Catalog.Toolboxes(), configuration.HTTP
	hidden := sync.OnceValue(func() domain.Secrets {
		return withSecrets(before, append(secretsOf(toolboxes), callers.Secrets()...))
	})
	redact := sync.OnceValue(func() func(string) string { return hidden().Redactor() })
	r.hidden = hidden
	r.redact.Store(&redact)
}

// withSecrets returns all secrets, each once.
func withSecrets(before, more domain.Secrets) domain.Secrets {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(before, more), func(s domain.Secret) bool {
		double := seen[s.Value]
		seen[s.Value] = true
		return double
	})
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

// Write implements io.Writer. Each call passes one line.
func (r *redactor) Write(line []byte) (int, error) {
	text := string(line)
	if redact := r.redact.Load(); redact != nil {
		text = (*redact)()(text)
	}
	if r.learned != nil {
		text = r.learned.Redact(text)
	}
	if _, err := io.WriteString(r.to, text); err != nil {
		return 0, err
	}
	return len(line), nil
}
