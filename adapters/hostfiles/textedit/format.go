package textedit

import "encoding/json"

// Format reads, changes and shows texts that are written in one way. Each function fails with ErrSyntax for other texts.
type Format struct {
	// Read returns the members of the object or table at a path in the order of the text, each name once, with its last
	// value, or the elements of the list there, which are named by their member "name". It returns none if the path does
	// not exist.
	//
	// Failures: ErrNotEditable if something on the way has another form, or for a value that JSON does not have.
	Read func(text []byte, path []string) ([]Member, error)
	// Set returns the text with the member at a path set to a JSON value, which is an object except in JSON. Missing objects
	// on the way are created. An empty text is an empty object.
	//
	// Failures: ErrNotEditable if something on the way has another form, or a change would affect other members.
	Set func(text []byte, path []string, value json.RawMessage) ([]byte, error)
	// Delete returns the text without the member at a path, and without others of that name. It undoes Set of a new member,
	// except for objects that were created for it and a missing line end.
	//
	// Failures: ErrNotFound; ErrNotEditable as for Set.
	Delete func(text []byte, path []string) ([]byte, error)
	// Mask returns the text with each value replaced by the text that show returns for it. Objects and lists keep their
	// form. It is for showing texts that may contain secrets. The result is nil for a text that cannot be parsed.
	Mask func(text []byte, show func(Value) string) []byte
}

// The formats. A section of YAML that is created is a mapping, or a list with YAMLList.
var (
	JSON     = Format{ReadJSON, SetJSON, DeleteJSON, MaskJSON}
	TOML     = Format{readTOML, setTOML, deleteTOML, maskTOML}
	YAML     = Format{readYAML, setYAML(false), deleteYAML, maskYAML}
	YAMLList = Format{readYAML, setYAML(true), deleteYAML, maskYAML}
)

// Member is a member of an object, or a key of a table.
type Member struct {
	Name string
	// Value is standard JSON, without comments; a value in another format is translated.
	Value json.RawMessage
}

// Value is a value in a text that is neither an object nor a list.
type Value struct {
	// Path leads to the value: names of members, and indexes of elements.
	Path []string
	// Text is the value of a string, and any other value as it is written.
	Text string
}
