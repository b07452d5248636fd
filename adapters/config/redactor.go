package config

import (
	"io"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/domain"
)

// Redactor hides secrets in everything that is written to it. It is the last step of every log
// line. Safe for concurrent use.
type Redactor struct {
	to      io.Writer
	learned func(text string) string

	mu     sync.Mutex // guards what follows
	known  domain.Secrets
	redact func(text string) string // nil if known grew since the last line
}

// NewRedactor returns a redactor that writes to a writer. Learned returns a text without the secrets that no
// configuration contains.
func NewRedactor(to io.Writer, learned func(text string) string) *Redactor {
	return &Redactor{to: to, learned: learned}
}

// Hide hides the secrets of a configuration from now on, in addition to earlier ones: servers with
// former settings may still run.
func (r *Redactor) Hide(configuration *Configuration) {
	secrets := configuration.HTTP.Secrets()
	for server := range domain.ServersOf(configuration.Catalog.Toolboxes()) {
		secrets = append(secrets, server.Secrets...)
	}
	r.Learn(secrets)
}

// Learn hides secrets that are in no configuration from now on.
func (r *Redactor) Learn(secrets domain.Secrets) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, secret := range secrets {
		if !slices.ContainsFunc(r.known, func(known domain.Secret) bool { return known.Value == secret.Value }) {
			r.known, r.redact = append(r.known, secret), nil
		}
	}
}

// maxLine is the number of bytes of a line that are written. The arguments of a call that are logged fit into it.
const maxLine = 256 << 10

// Write implements io.Writer. Each call passes one line, of which the beginning is written.
func (r *Redactor) Write(line []byte) (int, error) {
	text := r.learned(r.redacted(string(line)))
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…\n"
	}
	if _, err := io.WriteString(r.to, text); err != nil {
		return 0, err
	}
	return len(line), nil
}

// redacted returns the text without the secrets of the configurations.
func (r *Redactor) redacted(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.redact == nil {
		r.redact = r.known.Redactor()
	}
	return r.redact(text)
}
