package safefile

import (
	"crypto/sha256"
	"fmt"
	"io"
)

// Digest returns the SHA-256 of a text in hexadecimal.
func Digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// DigestOf returns the SHA-256 of what a reader has left, in hexadecimal.
func DigestOf(reader io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, reader); err != nil {
		return "", fmt.Errorf("read what is digested: %w", err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
