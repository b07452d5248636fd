//go:build windows || darwin

package certificates

import (
	"crypto/x509"
	"fmt"
	"os"
)

// Roots returns the system's authorities and those that the variables name, nil if no variable is
// set: then crypto/x509 asks the system itself. The errors are those of Add.
func Roots() (*x509.CertPool, error) {
	if os.Getenv(fileVariable) == "" && os.Getenv(foldersVariable) == "" {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's certificate authorities: %w", err)
	}
	if err := Add(pool, os.Getenv); err != nil {
		return nil, err
	}
	return pool, nil
}
