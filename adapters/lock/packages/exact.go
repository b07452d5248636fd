package packages

import (
	"fmt"
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
	parsed, err := rawjson.Parse(text)
	if err == nil {
		err = ambiguity(parsed)
	}
	if err != nil {
		return err
	}
	return exactjson.Unmarshal(text, into)
}

// ambiguity returns an error if an object in the value has names that are the same but for their case.
func ambiguity(value rawjson.Value) error {
	if value.Kind == rawjson.TooDeep {
		return fmt.Errorf("it is nested too deep")
	}
	seen := map[string]bool{}
	for _, part := range value.Parts {
		name := strings.ToLower(part.Name)
		if value.Kind == '{' && seen[name] {
			return fmt.Errorf("it has the name %q twice, or in two spellings", part.Name)
		}
		seen[name] = true
		if err := ambiguity(part.Value); err != nil {
			return err
		}
	}
	return nil
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
