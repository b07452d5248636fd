package definitions

// Unquote decodes a JSON string.
func Unquote(quoted []byte) string { return unquote(quoted) }
