package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonical returns JSON text in the one form that all texts of its meaning share:
// that of RFC 8785, except in two cases, in which that form would hide a
// difference. Integers keep every digit, also beyond 2^53. Where an object has a
// name twice, which readers understand differently, all members stay in the order
// that they have. Bytes that are not UTF-8 become U+FFFD. The error wraps ErrSyntax.
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
