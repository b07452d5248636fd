package httpserver

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

// checkInterval is how long a certificate is used before its files are checked again. They are
// checked when a client connects, so an idle workbench does nothing.
const checkInterval = 10 * time.Second

// LoadCertificate returns the settings for HTTPS with the certificate and the key of these files, in PEM.
// When the files change, later connections get the new certificate; if they cannot be used, the
// previous certificate stays in use, with one line in the log. A certificate that has expired or is
// not valid yet is logged too, and still served: clients decide.
//
// Failures: files that cannot be read; a key that is not that of the certificate.
func LoadCertificate(certificateFile, keyFile string, log *slog.Logger) (*tls.Config, error) {
	p := &pair{certificateFile: certificateFile, keyFile: keyFile, log: log}
	version := p.version()
	current, err := p.read()
	if err != nil {
		return nil, err
	}
	p.current, p.seen, p.looked = current, version, time.Now()
	p.checkValidityLocked() // not shared yet
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return p.get(), nil },
	}, nil
}

// pair is a certificate with its key, and the files that they are in.
type pair struct {
	certificateFile, keyFile string
	log                      *slog.Logger

	mu      sync.Mutex // guards the fields below
	current *tls.Certificate
	seen    version // of the files when they were last read
	looked  time.Time
	problem string // of the certificate, as it was logged
}

// version distinguishes states of the two files.
type version [2]struct {
	changed time.Time
	size    int64
}

func (p *pair) get() *tls.Certificate {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.looked) < checkInterval {
		return p.current
	}
	p.looked = time.Now()
	if now := p.version(); now != p.seen {
		p.seen = now
		p.replaceLocked()
	}
	p.checkValidityLocked()
	return p.current
}

// checkValidityLocked logs once that a certificate has expired or is not valid yet.
func (p *pair) checkValidityLocked() {
	const day = "2006-01-02 15:04 MST"
	problem := ""
	switch leaf := p.current.Leaf; {
	case time.Now().After(leaf.NotAfter):
		problem = "it expired at " + leaf.NotAfter.Format(day)
	case time.Now().Before(leaf.NotBefore):
		problem = "it is not valid before " + leaf.NotBefore.Format(day)
	}
	if problem != "" && problem != p.problem {
		p.log.Warn("hosts refuse the certificate", "file", p.certificateFile, "why", problem)
	}
	p.problem = problem
}

// replaceLocked loads the certificate that is in the files now.
func (p *pair) replaceLocked() {
	changed, err := p.read()
	if err != nil {
		p.log.Warn("the certificate changed and cannot be used, so the previous one stays in use", "error", err)
		return
	}
	p.current = changed
	p.log.Info("the certificate was read again", "file", p.certificateFile)
}

func (p *pair) read() (*tls.Certificate, error) {
	certificate, certificateErr := safefile.ReadFile(p.certificateFile)
	key, keyErr := safefile.ReadFile(p.keyFile)
	found, err := tls.Certificate{}, cmp.Or(certificateErr, keyErr)
	if err == nil {
		found, err = tls.X509KeyPair(certificate, key)
	}
	if err != nil {
		return nil, fmt.Errorf("read the certificate %s (--tls-cert) and its key %s (--tls-key): %w", p.certificateFile, p.keyFile, err)
	}
	return &found, nil
}

// version returns the version of the files that the paths lead to. A file that cannot be examined
// has the zero value.
func (p *pair) version() (v version) {
	for i, file := range []string{p.certificateFile, p.keyFile} {
		if info, err := os.Stat(file); err == nil {
			v[i].changed, v[i].size = info.ModTime(), info.Size()
		}
	}
	return v
}
