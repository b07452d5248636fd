package keys

import (
	"fmt"
	"reflect"
	"strings"
)

// Trait is a set of what is true of a key whatever its value is.
type Trait uint32

// The traits.
const (
	// Secret is a key whose value may be a secret, or an object of them.
	Secret Trait = 1 << iota
	// Hidden is a key that is a secret or the path of one: no log shows it.
	Hidden
	// Data is an object of names whose values may be secrets, such as headers. All of its names count, those of comments too.
	Data
	// Expanded is a key in whose values variables are replaced.
	Expanded
	// Late is an expanded key whose values may come from commands that run when a server starts.
	Late

	// Code is a key that decides which program runs, with which arguments and where.
	Code
	// Line is a key with words of the command line: the program, or its arguments.
	Line
	// Caseless is an object of names whose case has no meaning, such as headers. Unordered is a list whose order has none.
	Caseless
	Unordered
	// Variables is an object of environment variables of a program, of which some decide which code runs.
	Variables
	// Address is a key with the address to which something is sent.
	Address
	// File is the path of a file whose content is used, or that content.
	File
	// Relative is a path that starts from the folder of the configuration.
	Relative
	// Path is an absolute path.
	Path
	// Inherits is a key with names of variables of the user that the server gets, or true for all of them.
	Inherits
	// Strict is a protection that no server has without the key.
	Strict
	// Protection is a key whose value makes a protection of the user stricter or weaker.
	Protection
	// Free is a key of the root that protects nothing: with the default in place of its value, a user is protected as before.
	Free

	// Harmless is a key that decides nothing that a user has to know before trusting a file.
	Harmless
	// Shown is a key that the lines of a review about servers and files show.
	Shown
	// Apart is a key whose object a review shows key by key.
	Apart

	// Start is a setting that is read only at the start of the program.
	Start
	// Numeric is a boolean whose variable can also be 1 or 0.
	Numeric
	// Off is a boolean whose field says the opposite.
	Off
	// Switch is a key that is true, false or an object of further settings.
	Switch
)

// inherited are the traits that members of an object have with it.
const inherited = Expanded | Data | Line

// traitWords are the words of the tag "is".
var traitWords = map[string]Trait{
	"secret": Secret, "hidden": Hidden, "data": Data, "caseless": Caseless, "unordered": Unordered, "expanded": Expanded, "late": Late,
	"code": Code, "line": Line, "variables": Variables, "address": Address, "file": File, "relative": Relative, "path": Path, "inherits": Inherits, "strict": Strict, "protection": Protection, "free": Free,
	"harmless": Harmless, "shown": Shown, "apart": Apart,
	"start": Start, "numeric": Numeric, "off": Off, "switch": Switch,
}

// traitsOf returns the traits in the tag of a field.
func traitsOf(field reflect.StructField) Trait {
	var traits Trait
	for word := range strings.FieldsSeq(field.Tag.Get("is")) {
		trait, known := traitWords[word]
		if !known {
			panic(fmt.Sprintf("field %s: unknown trait %q", field.Name, word))
		}
		traits |= trait
	}
	return traits
}

// Is reports whether a key has one of the traits.
func (t Trait) Is(traits Trait) bool { return t&traits != 0 }
