// Package certificates finds what a client needs for TLS: the certificate authorities that SSL_CERT_FILE and
// SSL_CERT_DIR name, and the client's own certificate.
// On Linux and most Unix systems crypto/x509 reads these variables itself, and uses their authorities
// instead of the system's. On Windows and macOS it does not, so this package adds them to the system's.
package certificates
