package packages

import (
	"slices"
	"strings"

	exactjson "github.com/go-json-experiment/json"

	"mcp-workbench/domain/rawjson"
)

// readExactly reads JSON that npm reads too.
//
// Decision: encoding/json accepts a name in any case and takes the last of equal ones, npm does neither. So names are
// read to the letter, and a text in which two names differ by case only, or not at all, is refused.
//
// Failures: ambiguous names, with one of them; a text that is not JSON of this form.
func readExactly(text []byte, into any) error {
	if err := rawjson.CheckNames(text); err != nil {
		return err
	}
	return exactjson.Unmarshal(text, into)
}

// readManifest reads the package.json of an installed package. Only what is read from it must be unambiguous: authors
// repeat other names by mistake.
//
// Failures: those of readExactly.
func readManifest(text []byte) (found manifest, err error) {
	read := rawjson.NewObject(nil)
	err = rawjson.EachMember(text, func(name, value []byte) error {
		isRead := func(known string) bool { return strings.EqualFold(known, string(name)) }
		if slices.ContainsFunc([]string{"name", "version", "dependencies", "optionalDependencies", "peerDependencies"}, isRead) {
			read = read.Raw(string(name), value)
		}
		return nil
	})
	if err == nil {
		err = readExactly(read.JSON(), &found)
	}
	return found, err
}
