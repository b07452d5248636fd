package safefile

import (
	"crypto/sha256"
	"fmt"
)

// Digest returns the SHA-256 of a text in hexadecimal.
func Digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
