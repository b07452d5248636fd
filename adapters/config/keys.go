package config

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// key is a key that an object may have, as the tag of a field of a struct describes it:
//
//   - key, or json in the settings of a transport, is the key in the file. A blank field has a key that is read into another field.
//   - default is the default of a setting of the root, and of any key in the schema.
//   - oneOf has the words of a setting that is one of them and whose type has no list of them.
//   - from, to and unit bound a number: unit is "bytes" for a size.
//   - required describes the value of a key that must be present; without it the key may be missing.
//   - wanted describes a legal value, or a legal element of a list, in problems; the default is required. list describes
//     the list.
//   - pattern matches the texts that are legal, and not those that are not, in the schema.
//   - form names what a text with variables, or each text of a list, must be (forms).
//   - about is the description of a key that the help topic does not list by itself.
//   - is has traits: "path" for the path of a file, "numeric" for a boolean whose variable can also be 1 or 0, "off" for a boolean whose field says the opposite, "free" for a key of the
//     root that protects nothing, so that the default in place of its value protects a user as before, and "start" for a setting
//     that is read only at the start of the program. For the review of `trust`, "harmless" is a key that decides nothing that a
//     user has to know before trusting a file, "shown" one that other lines show, "secret" one whose value may be a secret, and
//     "apart" one whose object is shown key by key.
type key struct {
	reflect.StructField
	name   string
	words  []string
	bounds *bounds
}

// keys are those of an object, in the order of the fields.
type keys []key

// keysOf returns the keys that the tags of a struct describe, with those of embedded structs.
func keysOf(object reflect.Type) keys {
	var found keys
	for field := range object.Fields() {
		if field.Anonymous {
			found = append(found, keysOf(field.Type)...)
		}
		if name := cmp.Or(field.Tag.Get("key"), field.Tag.Get("json")); name != "" && name != "-" {
			found = append(found, key{field, name, wordsOf(field), boundsOf(field)})
		}
	}
	return found
}

// wordsOf returns the words of a setting that is one of them: those of its tag or of its type.
func wordsOf(field reflect.StructField) []string {
	switch field.Type {
	case reflect.TypeFor[domain.StartMode]():
		return stringsOf(domain.StartModes())
	case reflect.TypeFor[domain.ResultsMode]():
		return stringsOf(domain.ResultsModes())
	case reflect.TypeFor[definitions.Form]():
		return stringsOf(definitions.Forms())
	}
	return strings.Fields(field.Tag.Get("oneOf"))
}

func stringsOf[T ~string](words []T) []string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return texts
}

// get returns the key of that name and whether there is one.
func (k keys) get(name string) (key, bool) {
	if i := slices.IndexFunc(k, func(k key) bool { return k.name == name }); i >= 0 {
		return k[i], true
	}
	return key{}, false
}

// names returns the names of the keys.
func (k keys) names() []string { return k.with("") }

// with returns the names of the keys with a trait, "" for all keys.
func (k keys) with(trait string) []string {
	var names []string
	for _, key := range k {
		if trait == "" || key.has(trait) {
			names = append(names, key.name)
		}
	}
	return names
}

// has reports whether the key has a trait.
func (k key) has(trait string) bool {
	return slices.Contains(strings.Fields(k.Tag.Get("is")), trait)
}

// readElsewhere reports whether the value of the key is read into other fields.
func (k key) readElsewhere() bool { return k.Name == "_" }

// forms are what texts must be.
var forms = map[string]func(text string) bool{
	"issuer": domain.IsIssuer, "resource": domain.IsResource, "scope": domain.IsScope,
	"host": domain.IsHostHeader, "origin": domain.IsOrigin,
	"any": func(text string) bool { return text != "" },
}

// fieldReader is a struct some of whose fields are not read by their kind and tag.
type fieldReader interface {
	// readField reads a value into a field, to which it has a pointer. It returns false if the field is like any other.
	readField(r *reader, field any, n node) bool
}

// fill sets the fields of a struct to the values of an object, which may have the keys of the struct only.
func (r *reader) fill(n node, wanted string, object any) {
	members, ok := r.object(n, settingKeys, wanted)
	value := reflect.ValueOf(object).Elem()
	legal := keysOf(value.Type())
	if ok {
		r.require(n, members, legal)
	}
	for _, m := range members {
		if key, isLegal := legal.get(m.name); isLegal {
			r.fillKey(m.node, key, value)
		} else {
			r.unknownKey(m, legal.names())
		}
	}
}

// require reports each required key that an object does not have.
func (r *reader) require(n node, members object, legal keys) {
	for _, key := range legal {
		if required := key.Tag.Get("required"); required != "" && !members.has(key.name) {
			r.wrong(n.absent(key.name), "nothing", required)
		}
	}
}

// fillKey sets the field of a struct that has the name of a key's field to a value of the file. A value that is wrong leaves the field as it is.
func (r *reader) fillKey(n node, key key, object reflect.Value) {
	if key.readElsewhere() {
		return
	}
	field, wanted := object.FieldByName(key.Name), cmp.Or(key.Tag.Get("wanted"), key.Tag.Get("required"))
	if own, ok := object.Addr().Interface().(fieldReader); ok && own.readField(r, field.Addr().Interface(), n) {
		return
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	fits := forms[key.Tag.Get("form")]
	switch {
	case key.bounds != nil:
		if number, ok := r.limit(n, key.bounds); ok {
			field.SetInt(number)
		}
	case len(key.words) > 0:
		if text, ok := word(r, n, key.words); ok {
			field.SetString(text)
		}
	case field.Kind() == reflect.Bool:
		field.SetBool(r.boolean(n) != key.has("off"))
	case field.Kind() == reflect.Struct:
		r.fill(n, wanted, field.Addr().Interface())
	case field.Kind() == reflect.Slice:
		field.Set(reflect.ValueOf(r.texts(n, cmp.Or(key.Tag.Get("list"), "a list of strings"), cmp.Or(wanted, "a string"), fits)))
	case field.Kind() == reflect.Map:
		r.checkStrings(n)
	case fits != nil && !key.has("expanded"):
		field.SetString(r.formed(n, wanted, fits))
	default:
		text, ok := r.text(n, cmp.Or(wanted, "a string"))
		if ok && fits != nil && !fits(text) {
			r.wrongValue(n, wanted)
		}
		field.SetString(text)
	}
}

// checkStrings reports the values in an object of strings that are not strings.
func (r *reader) checkStrings(n node) {
	members, _ := r.object(n, dataKeys, "an object of strings")
	for _, m := range members {
		_, _ = r.text(m.node, "a string")
	}
}

// ownSchema is implemented by types of settings that write their own schema. The transport checks their values, since
// the kind of a value does not say whether it is legal.
type ownSchema interface {
	JSONSchema(object map[string]any) map[string]any
}

// checkKinds reports missing keys in the settings of a transport, and values of other kinds than their fields have.
func (r *reader) checkKinds(n node, members object, legal keys, settings any) {
	r.require(n, members, legal)
	read := reflect.New(reflect.TypeOf(settings)).Elem()
	for _, m := range members {
		if key, _ := legal.get(m.name); key.hasCheckedKind() {
			r.fillKey(m.node, key, read)
		}
	}
}

// hasCheckedKind reports whether the kind of a transport's setting is checked here, not by the transport.
func (k key) hasCheckedKind() bool {
	if _, isOwn := reflect.Zero(k.Type).Interface().(ownSchema); isOwn {
		return false
	}
	switch k.Type.Kind() {
	case reflect.Bool, reflect.String, reflect.Struct:
		return true
	}
	return k.Type == reflect.TypeFor[[]string]() || k.Type == reflect.TypeFor[map[string]string]()
}

// texts returns the strings of a list. If fits is not nil, all for which it returns false are problems.
func (r *reader) texts(n node, list, wanted string, fits func(string) bool) []string {
	var texts []string
	for _, element := range r.list(n, list) {
		switch text, ok := r.text(element, wanted); {
		case !ok:
		case fits != nil && !fits(text):
			r.wrongValue(element, wanted)
		default:
			texts = append(texts, text)
		}
	}
	return texts
}

// formed returns a text with its variables replaced, which must fit. The reader keeps the first variable without a value.
func (r *reader) formed(n node, wanted string, fits func(string) bool) string {
	written, ok := r.text(n, wanted)
	if !ok {
		return ""
	}
	expanded, unset, _ := r.expanded(n, "", written)
	switch {
	case unset != nil && r.unset == nil:
		r.unset = unset
		r.warnUnset(n, unset, "nothing can be served over HTTP")
	case unset == nil && !fits(expanded.text):
		r.wrongValue(n, wanted)
	}
	return expanded.text
}
