//go:build !windows && !darwin

package certificates

import (
	"crypto/x509"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
)

// Roots returns nil, since crypto/x509 reads the variables itself on this system. It would read
// from a pipe forever, so a file that is not regular is an error that names the variable.
func Roots() (*x509.CertPool, error) {
	if path := os.Getenv(fileVariable); path != "" {
		if err := refuse(fileVariable, "a file that cannot be read", path); err != nil {
			return nil, err
		}
	}
	for _, folder := range filepath.SplitList(os.Getenv(foldersVariable)) {
		files, _ := os.ReadDir(folder) // crypto/x509 skips a folder that cannot be read
		for _, file := range files {
			if err := refuse(foldersVariable, "a folder with a file that cannot be read", filepath.Join(folder, file.Name())); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// refuse returns an error for a file that crypto/x509 would read although it is not regular.
func refuse(variable, named, path string) error {
	info, err := os.Stat(path)
	// crypto/x509 skips what it cannot read.
	if isOdd := err == nil && !info.IsDir() && !info.Mode().IsRegular(); !isOdd {
		return nil
	}
	return &Error{Variable: variable, Named: named, cause: safefile.ErrNotRegular}
}
