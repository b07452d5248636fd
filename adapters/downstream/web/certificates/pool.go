package certificates

import (
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
)

// The variables that name authorities: a file in PEM, and folders of such files,
// separated as in PATH.
const (
	fileVariable    = "SSL_CERT_FILE"
	foldersVariable = "SSL_CERT_DIR"
)

// Add adds the authorities that the variables name to the pool. Lookup returns a variable's value,
// "" if it is not set. A file that cannot be read or has no certificate is an error, and so is a
// folder that cannot be read; files without a certificate in a folder are skipped. The errors name
// the variable, not its value.
func Add(pool *x509.CertPool, lookup func(name string) string) error {
	if path := lookup(fileVariable); path != "" {
		text, err := safefile.ReadFile(path)
		if err != nil {
			return &Error{Variable: fileVariable, Named: "a file that cannot be read", cause: reason(err)}
		}
		if !pool.AppendCertsFromPEM(text) {
			return &Error{Variable: fileVariable, Named: "a file without a certificate in PEM"}
		}
	}
	for _, folder := range filepath.SplitList(lookup(foldersVariable)) {
		files, err := os.ReadDir(folder)
		if err != nil {
			return &Error{Variable: foldersVariable, Named: "a folder that cannot be read", cause: reason(err)}
		}
		for _, file := range files {
			if text, err := safefile.ReadFile(filepath.Join(folder, file.Name())); err == nil {
				pool.AppendCertsFromPEM(text)
			}
		}
	}
	return nil
}

// Error says why a variable names no authorities: Named is what it names instead.
type Error struct {
	Variable, Named string
	cause           error
}

// Error names the variable, without its value.
func (e *Error) Error() string {
	text := e.Variable + " names " + e.Named
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the system's reason, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// reason returns the system's reason for a file error, without the path.
func reason(err error) error {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		return failure.Err
	}
	return err
}
