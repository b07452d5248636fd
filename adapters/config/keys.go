package config

import (
	"cmp"
	"reflect"
	"slices"

	"mcp-workbench/adapters/config/keys"
)

// fieldReader is a struct some of whose fields are not read by their kind and tag.
type fieldReader interface {
	// readField reads a value into a field, to which it has a pointer. It returns false if the field is like any other.
	readField(r *reader, field any, n node) bool
}

// fill sets the fields of a struct to the values of an object, which may have the keys of the struct only.
func (r *reader) fill(n node, wanted string, object any) {
	members, ok := r.object(n, settingKeys, wanted)
	value := reflect.ValueOf(object).Elem()
	legal := keys.Of(value.Type())
	if ok {
		r.require(n, members, legal)
	}
	for _, m := range members {
		if key, isLegal := legal.Get(m.name); isLegal {
			r.fillKey(m.node, key, value)
		} else {
			r.unknownKey(m, legal.Names())
		}
	}
}

// require reports each required key that an object does not have.
func (r *reader) require(n node, members object, legal keys.Set) {
	for _, key := range legal {
		if key.Required != "" && !members.has(key.Name) {
			r.wrong(n.absent(key.Name), "nothing", key.Required)
		}
	}
}

// fillKey sets the field of a struct that has the name of a key's field to a value of the file. A value that is wrong leaves the field as it is.
func (r *reader) fillKey(n node, key keys.Key, object reflect.Value) {
	if key.IsElsewhere() {
		return
	}
	field := object.FieldByName(key.Field)
	if own, ok := object.Addr().Interface().(fieldReader); ok && own.readField(r, field.Addr().Interface(), n) {
		return
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch key.Kind {
	case keys.Number:
		if number, ok := r.limit(n, key.Bounds); ok {
			field.SetInt(number)
		}
	case keys.Word:
		if text, ok := word(r, n, key.Words); ok {
			field.SetString(text)
		}
	case keys.Bool:
		field.SetBool(r.boolean(n) != key.Is(keys.Off))
	case keys.Object:
		r.fill(n, key.Wanted, field.Addr().Interface())
	case keys.Texts:
		field.Set(reflect.ValueOf(r.texts(n, key)))
	case keys.Pairs:
		r.checkStrings(n)
	case keys.Text:
		r.fillText(n, key, field)
	}
}

// fillText sets a field to a text. In the settings of a transport, variables are replaced later.
func (r *reader) fillText(n node, key keys.Key, field reflect.Value) {
	if key.Fits != nil && !key.Is(keys.Expanded) {
		field.SetString(r.formed(n, key))
		return
	}
	wanted := cmp.Or(key.Wanted, "a string")
	text, ok := r.text(n, wanted)
	if ok && key.Fits != nil && !key.Fits(text) {
		r.wrongValue(n, wanted)
	}
	field.SetString(text)
}

// checkStrings reports the values in an object of strings that are not strings.
func (r *reader) checkStrings(n node) {
	members, _ := r.object(n, dataKeys, "an object of strings")
	for _, m := range members {
		_, _ = r.text(m.node, "a string")
	}
}

// checkKinds reports missing keys in the settings of a transport, and values of other kinds than their fields have.
func (r *reader) checkKinds(n node, members object, legal keys.Set, settings any) {
	r.require(n, members, legal)
	read := reflect.New(reflect.TypeOf(settings)).Elem()
	for _, m := range members {
		if key, _ := legal.Get(m.name); hasCheckedKind(key) {
			r.fillKey(m.node, key, read)
		}
	}
}

// hasCheckedKind reports whether the kind of a transport's setting is checked here, not by the transport.
func hasCheckedKind(key keys.Key) bool {
	return !key.HasOwnSchema() && !slices.Contains([]keys.Kind{keys.Own, keys.Number, keys.Named}, key.Kind)
}

// texts returns the strings of a list. All that do not fit the key are problems.
func (r *reader) texts(n node, key keys.Key) []string {
	var texts []string
	wanted := cmp.Or(key.Wanted, "a string")
	for _, element := range r.list(n, key.List) {
		switch text, ok := r.text(element, wanted); {
		case !ok:
		case key.Fits != nil && !key.Fits(text):
			r.wrongValue(element, wanted)
		default:
			texts = append(texts, text)
		}
	}
	return texts
}

// formed returns a text with its variables replaced, which must fit. The reader keeps the first variable without a value.
func (r *reader) formed(n node, key keys.Key) string {
	written, ok := r.text(n, key.Wanted)
	if !ok {
		return ""
	}
	expanded, unset, _ := r.expanded(n, key, true, written)
	switch {
	case unset != nil && r.unset == nil:
		r.unset = unset
		r.warnUnset(n, unset, "nothing can be served over HTTP")
	case unset == nil && !key.Fits(expanded.text):
		r.wrongValue(n, key.Wanted)
	}
	return expanded.text
}
