package certificates

import (
	"cmp"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"strings"

	"mcp-workbench/adapters/system/safefile"
)

// maxFile is the maximum size of a file with a client's certificate or key, in bytes.
const maxFile = 1 << 20

// Client names the files, in PEM, of the certificate that a client shows to a server, with its intermediates, and of
// its key. Without KeyFile the key is in File too. The zero value is a client without a certificate.
type Client struct {
	File    string `json:"cert" required:"the path of a file in PEM with the certificate" form:"any" is:"file relative expanded" pattern:"^[^~]" not:"-----BEGIN" about:"The file of the client certificate, in PEM."`
	KeyFile string `json:"key" form:"any" wanted:"the path of a file in PEM" is:"file relative expanded" pattern:"^[^~]" not:"-----BEGIN" about:"The file of its key, in PEM. Without it, the key is in the file of the certificate."`
}

// Load reads the certificate. The errors name the file and what is wrong with it.
func (c Client) Load() (*tls.Certificate, error) {
	chain, err := safefile.ReadUpTo(c.File, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read the client certificate %s: %w", c.File, reason(err))
	}
	keyFile := cmp.Or(c.KeyFile, c.File)
	key, err := safefile.ReadUpTo(keyFile, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read the key of the client certificate %s: %w", keyFile, reason(err))
	}
	if isEncrypted(key) {
		return nil, fmt.Errorf("the key in %s is encrypted; 'openssl pkey -in KEY -out NEW' writes one that is not", keyFile)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, fmt.Errorf("the client certificate in %s cannot be used with the key in %s: %s", c.File, keyFile, strings.TrimPrefix(err.Error(), "tls: "))
	}
	return &pair, nil
}

// Show makes the settings of TLS show the certificate to each server that asks for one. The files are read at each
// handshake, so that a renewed certificate counts for the next connection.
//
// Decision: it is shown whatever authorities the server names, since a server that refuses it says why, and one that
// gets none often does not. An HTTPS proxy that asks gets it too: the user's environment names the proxy.
func (c Client) Show(config *tls.Config) {
	if c == (Client{}) {
		return
	}
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return c.Load() }
}

// isEncrypted reports whether a key in PEM needs a passphrase (RFC 5958, RFC 1421).
func isEncrypted(text []byte) bool {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			return true
		}
	}
	return false
}
