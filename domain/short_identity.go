package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxIdentity is the length of the longest identity of a caller that is kept whole, in bytes.
const maxIdentity = 200

// ShortIdentity returns a text of at most 200 bytes that stands for an identity of a caller: the identity, or the
// beginning of a longer one and a digest of all of it. The text of a text is the same.
func ShortIdentity(identity string) string {
	if len(identity) <= maxIdentity {
		return identity
	}
	sum := sha256.Sum256([]byte(identity))
	end := "… " + hex.EncodeToString(sum[:16])
	return strings.ToValidUTF8(identity[:maxIdentity-len(end)], "") + end
}
