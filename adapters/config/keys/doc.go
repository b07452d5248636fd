// Package keys describes the keys that objects of the configuration may have, as values: the kind of a key's value, its
// traits, bounds, form and default. A [Key] is declared where its setting is declared, by the tags of the field of a
// struct. [Of] reads these tags, and nothing else does: what reads settings, writes their schema, reviews, masks,
// suggests or reloads them asks a key. The settings of a transport (ports.Transport) are described in the same way.
//
// The tags of a field:
//
//   - key, or json in the settings of a transport, is the key in the file. A blank field has a key that is read into another field.
//   - is has the traits ([Trait]), in the words of the table in trait.go.
//   - default is the default of a setting of the root, and of any key in the schema.
//   - oneOf has the words of a setting that is one of them and whose type has no list of them.
//   - from, to and unit bound a number: unit is "bytes" for a size.
//   - required describes the value of a key that must be present; without it the key may be missing.
//   - wanted describes a legal value, or a legal element of a list, in problems; the default is required. list describes
//     the list.
//   - pattern matches the texts that are legal, and not those that are not, in the schema.
//   - form names what a text with variables, or each text of a list, must be.
//   - about is the description of a key that the help topic does not list by itself.
//
// A tag that is misspelt panics when the package that declares the field starts.
package keys
