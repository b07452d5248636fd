package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonical returns the canonical form of JSON text, which all texts with the same meaning
// share: that of RFC 8785, except where it would hide a difference. Integers keep every
// digit, even beyond 2^53. If an object has a name twice, which readers understand
// differently, members keep their order. Bytes that are not UTF-8 become U+FFFD.
// The error wraps ErrSyntax.
func Canonical(text []byte) (json.RawMessage, error) {
	value := jsontext.Value(bytes.Clone(text))
	lenient := []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.CanonicalizeRawInts(false)}
	err := value.Canonicalize(lenient...)
	if errors.Is(err, jsontext.ErrDuplicateName) {
		value = bytes.Clone(text)
		err = value.Canonicalize(append(lenient, jsontext.AllowDuplicateNames(true), jsontext.ReorderRawObjects(false))...)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return json.RawMessage(value), nil
}
