package definitions

import "strings"

// resolve returns what a local reference means: "#" or "#/" and a JSON pointer
// (RFC 6901), with no identifier on the way that would move the base of references.
// Other references, and those that mean nothing, are not resolved.
func resolve(root value, reference string) (value, bool) {
	if reference == "#" {
		return root, true
	}
	pointer, local := strings.CutPrefix(reference, "#/")
	if !local || strings.Contains(pointer, "%") {
		return value{}, false
	}
	target := root
	for i, step := range strings.Split(pointer, "/") {
		if i > 0 && moves(target) {
			return value{}, false
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch target.kind {
		case kindObject:
			target = target.member(step)
		case kindArray:
			target = element(target, step)
		default:
			return value{}, false
		}
	}
	if moves(target) {
		return value{}, false
	}
	return target, target.exists()
}

// element returns the element of an array at the place that a pointer names.
func element(array value, step string) value {
	place := 0
	for _, c := range []byte(step) {
		if c < '0' || c > '9' || place > len(array.members) {
			return value{}
		}
		place = place*10 + int(c-'0')
	}
	if step == "" || place >= len(array.members) {
		return value{}
	}
	return array.members[place].value
}

// moves reports whether a schema has an identifier of its own, so that references in
// it are relative to that.
func moves(schema value) bool {
	return schema.member("$id").kind == kindString || schema.member("id").kind == kindString
}
