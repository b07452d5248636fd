package config

import (
	"cmp"
	"reflect"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
)

// fieldReader is a struct some of whose fields are not read by their kind and tag.
type fieldReader interface {
	// readField reads a value into a field, to which it has a pointer. It returns false if the field is like any other.
	readField(r *reader, field any, n tree.Node) bool
}

// fill sets the fields of a struct to the values of an object, which may have the keys of the struct only.
func (r *reader) fill(n tree.Node, wanted string, object any) {
	members, ok := r.Object(n, tree.SettingKeys, wanted)
	value := reflect.ValueOf(object).Elem()
	legal := keys.Of(value.Type())
	if ok {
		r.require(n, members, legal)
	}
	for _, m := range members {
		if key, isLegal := legal.Get(m.Name); isLegal {
			r.fillKey(m.Node, key, value)
		} else {
			r.unknownKey(m, legal.Names())
		}
	}
}

// require reports each required key that an object does not have.
func (r *reader) require(n tree.Node, members tree.Object, legal keys.Set) {
	for _, key := range legal {
		if key.Required != "" && !members.Has(key.Name) {
			r.Wrong(n.Absent(key.Name), "nothing", key.Required)
		}
	}
}

// fillKey sets the field of a struct that has the name of a key's field to a value of the file. A value that is wrong
// leaves the field as it is.
func (r *reader) fillKey(n tree.Node, key keys.Key, object reflect.Value) {
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
		if number, ok := r.number(n, key.Bounds); ok {
			field.SetInt(number)
		}
	case keys.Word:
		if text, ok := tree.Word(&r.Findings, n, key.Words); ok {
			field.SetString(text)
		}
	case keys.Bool:
		field.SetBool(r.Boolean(n) != key.Is(keys.Off))
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

// numbers reads an object of numbers, and passes each that is legal to use.
func (r *reader) numbers(n tree.Node, legal keys.Set, wanted string, use func(key keys.Key, value int64)) {
	members, _ := r.Object(n, tree.SettingKeys, wanted)
	for _, m := range members {
		key, isLegal := legal.Get(m.Name)
		if !isLegal {
			r.unknownKey(m, legal.Names())
			continue
		}
		if value, ok := r.number(m.Node, key.Bounds); ok {
			use(key, value)
		}
	}
}

// number reads a number within bounds.
func (r *reader) number(n tree.Node, bounds *keys.Bounds) (int64, bool) {
	text, _ := n.Scalar()
	value, ok := bounds.Value(text)
	if !ok {
		r.WrongValue(n, bounds.Wanted)
	}
	return value, ok
}

// fillText sets a field to a text. In the settings of a transport, variables are replaced later.
func (r *reader) fillText(n tree.Node, key keys.Key, field reflect.Value) {
	if key.Fits != nil && !key.Is(keys.Expanded) {
		field.SetString(r.expandedText(n, key))
		return
	}
	wanted := cmp.Or(key.Wanted, "a string")
	text, ok := r.Text(n, wanted)
	if ok && key.Fits != nil && !key.Fits(text) {
		r.WrongValue(n, wanted)
	}
	field.SetString(text)
}

// checkStrings reports the values in an object of strings that are not strings.
func (r *reader) checkStrings(n tree.Node) {
	members, _ := r.Object(n, tree.DataKeys, "an object of strings")
	for _, m := range members {
		_, _ = r.Text(m.Node, "a string")
	}
}

// texts returns the strings of a list. All that do not fit the key are problems.
func (r *reader) texts(n tree.Node, key keys.Key) []string {
	var texts []string
	wanted := cmp.Or(key.Wanted, "a string")
	for _, element := range r.List(n, key.List) {
		switch text, ok := r.Text(element, wanted); {
		case !ok:
		case key.Fits != nil && !key.Fits(text):
			r.WrongValue(element, wanted)
		default:
			texts = append(texts, text)
		}
	}
	return texts
}

// expandedText returns a text with its variables replaced, which must fit. The reader keeps the first variable without a value.
func (r *reader) expandedText(n tree.Node, key keys.Key) string {
	written, ok := r.Text(n, key.Wanted)
	if !ok {
		return ""
	}
	expanded, unset, _ := r.valueOf(n, key, true, written)
	switch {
	case unset != nil && r.unset == nil:
		r.unset = &unset[0]
		r.WarnUnset(n, r.unset, "nothing can be served over HTTP")
	case unset == nil && !key.Fits(expanded.text):
		r.WrongValue(n, key.Wanted)
	}
	return expanded.text
}

// unknownKey reports a key that is not legal, and suggests a legal one.
func (r *reader) unknownKey(m tree.Member, legal []string) {
	meant, _ := keys.Meant(m.Name, legal)
	r.Unknown(m, meant, legal)
}
