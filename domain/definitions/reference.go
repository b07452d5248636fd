package definitions

import (
	"strings"

	"mcp-workbench/domain/rawjson"
)

// Resolve returns the schema that a local reference points to: "#", or "#/" and a JSON pointer
// (RFC 6901) that leads through no schema with a base of its own. Other references, and those
// that point to nothing, are not resolved.
func Resolve(root rawjson.Value, reference string) (rawjson.Value, bool) {
	if reference == "#" {
		return root, true
	}
	pointer, local := strings.CutPrefix(reference, "#/")
	if !local || strings.Contains(pointer, "%") {
		return rawjson.Value{}, false
	}
	target := root
	for i, step := range strings.Split(pointer, "/") {
		if i > 0 && HasBase(target) {
			return rawjson.Value{}, false
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch target.Kind {
		case '{':
			target = target.Member(step)
		case '[':
			target = element(target, step)
		default:
			return rawjson.Value{}, false
		}
	}
	if HasBase(target) {
		return rawjson.Value{}, false
	}
	return target, target.Exists()
}

// element returns the element of an array at the index in a pointer.
func element(array rawjson.Value, step string) rawjson.Value {
	place := 0
	for _, c := range []byte(step) {
		if c < '0' || c > '9' || place > len(array.Parts) {
			return rawjson.Value{}
		}
		place = place*10 + int(c-'0')
	}
	if step == "" || place >= len(array.Parts) {
		return rawjson.Value{}
	}
	return array.Parts[place].Value
}

// HasBase reports whether a schema has an identifier of its own, which references in it are
// relative to.
func HasBase(schema rawjson.Value) bool {
	return schema.Member("$id").Kind == '"' || schema.Member("id").Kind == '"'
}
