package config

import (
	"io"
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// Redactor hides secrets in everything that is written to it. It is the last step of every log
// line. Safe for concurrent use.
type Redactor struct {
	to      io.Writer
	learned func(text string) string

	mu sync.Mutex // guards what follows
	// added are configurations whose secrets are not in known yet. They are collected for the first
	// line, since most runs log nothing.
	added  []*Configuration
	known  domain.Secrets
	redact func(text string) string // nil before anything is known
}

// NewRedactor returns a redactor that writes to a writer. Learned returns a text without the secrets that no
// configuration contains.
func NewRedactor(to io.Writer, learned func(text string) string) *Redactor {
	return &Redactor{to: to, learned: learned}
}

// Hide hides the secrets of a configuration from now on, in addition to earlier ones: servers with
// former settings may still run.
func (r *Redactor) Hide(configuration *Configuration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.added = append(r.added, configuration)
}

// Learn hides secrets that are in no configuration from now on.
func (r *Redactor) Learn(secrets domain.Secrets) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(secrets)
	r.redact = r.known.Redactor()
}

// Write implements io.Writer. Each call passes one line.
func (r *Redactor) Write(line []byte) (int, error) {
	if _, err := io.WriteString(r.to, r.learned(r.redacted(string(line)))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// redacted returns the text without the secrets of the configurations.
func (r *Redactor) redacted(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.added) > 0 {
		for _, configuration := range r.added {
			for server := range domain.ServersOf(configuration.Catalog.Toolboxes()) {
				r.add(server.Secrets)
			}
			r.add(configuration.HTTP.Secrets())
		}
		r.added, r.redact = nil, r.known.Redactor()
	}
	if r.redact == nil {
		return text
	}
	return r.redact(text)
}

// add adds secrets, each value once.
func (r *Redactor) add(secrets domain.Secrets) {
	for _, secret := range secrets {
		if !slices.ContainsFunc(r.known, func(known domain.Secret) bool { return known.Value == secret.Value }) {
			r.known = append(r.known, secret)
		}
	}
}
