package config

import (
	"crypto/rand"
	"reflect"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

const (
	maxEnvFile = 1 << 20
)

// placeholderMark is part of each placeholder. It is the same while the program runs, so that servers with
// the same settings stay the same when the configuration is read again.
var placeholderMark = rand.Text()

// secretSources say where a file keeps the values of variables.
type secretSources struct {
	// secrets are those of "secrets", in the order of the file, and envFile is the absolute path of "envFile", "" for none.
	secrets []domain.SecretPlace
	envFile string
}

// readSecrets reads which variables the file has sources for. It reads the file of "envFile", but no file
// of "secrets".
func (r *reader) readSecrets(members tree.Object) (found secretSources) {
	if m, ok := members.Get(envFileKey); ok {
		found.envFile = r.readEnvFile(m.Node)
	}
	m, ok := members.Get(secretsKey)
	if !ok {
		return found
	}
	entries, _ := r.Object(m.Node, tree.NameKeys, "an object of secrets by name")
	for _, entry := range entries {
		if !isVariableName(entry.Name) {
			r.Wrong(entry.Key(), strconv.Quote(tree.Shortened(entry.Name)), "the name of a variable: letters, digits and _")
			continue
		}
		place, ok := r.secretPlace(entry)
		if !ok {
			continue
		}
		found.secrets = append(found.secrets, place)
		if place.File != "" && r.environment.files[place.File] == nil {
			r.environment.files[place.File] = nil
		}
		if name := folded(entry.Name); place.File != "" || r.environment.provided[name] == nil {
			r.environment.provided[name] = &provided{place: &place, file: place.File}
		}
	}
	return found
}

const wantedSecret = `{"command": ["program", "argument"]} or {"file": "path"}`

// secretKeys say where a secret is.
type secretKeys struct {
	Program secretCommand `key:"command" about:"The program that prints the value, and its arguments. It runs without a shell when a server needs the value."`
	File    string        `key:"file" pattern:"^[^~]" not:"\\$\\{" about:"The file with the value, relative to the configuration."`
}

// readField implements fieldReader.
func (s *secretKeys) readField(r *reader, field any, n tree.Node) bool {
	switch field {
	case &s.Program:
		s.Program = secretCommand(r.secretCommand(n))
	case &s.File:
		s.File = r.besideFile(n)
	}
	return true
}

// secretCommand is the value of "command".
type secretCommand domain.Program

func (secretCommand) schema(schemaWriter, keyPlace) schema {
	return schema{"type": "array", "minItems": 1, "items": schema{"type": "string"}, "prefixItems": []schema{{"type": "string", "minLength": 1}}}
}

// places are the value of "secrets".
type places struct{}

func (places) schema(w schemaWriter, at keyPlace) schema {
	var ways []schema
	for _, key := range keys.For[secretKeys]() {
		way := w.object(at, keys.Set{key}, reflect.Value{})
		way["required"] = []string{key.Name}
		ways = append(ways, way)
	}
	return schema{
		"type": "object", "additionalProperties": false,
		"patternProperties": schema{ignoredKeys: true, "^[A-Za-z][A-Za-z0-9_]*$": schema{"oneOf": ways}},
	}
}

// secretPlace reads where one secret is.
func (r *reader) secretPlace(entry tree.Member) (place domain.SecretPlace, ok bool) {
	place.Variable, place.Placeholder = entry.Name, "${"+placeholderMark+":"+entry.Name+"}"
	before := len(r.Problems)
	var keys secretKeys
	r.fill(entry.Node, wantedSecret, &keys)
	place.Program, place.File = domain.Program(keys.Program), keys.File
	if len(r.Problems) > before {
		return place, false
	}
	if (place.Program.Command == "") == (place.File == "") {
		found := "both a command and a file"
		if place.File == "" {
			found = "neither a command nor a file"
		}
		r.Wrong(entry.Place(), found, wantedSecret)
		return place, false
	}
	return place, true
}

// secretCommand reads a program with its arguments. Relative paths are relative to the folder of the file.
func (r *reader) secretCommand(n tree.Node) domain.Program {
	const wanted = `a list of a program and its arguments, such as ["op", "read", "op://vault/item/field"]`
	var words []string
	for _, element := range r.List(n, wanted) {
		word, ok := r.Text(element, "a string")
		switch {
		case !ok:
			return domain.Program{}
		case strings.Contains(word, "${"):
			r.Wrong(element.Place(), `"${"`, "the word itself: no variables are expanded in it")
		case strings.ContainsRune(word, 0):
			r.Wrong(element.Place(), "a NUL character", "a word without it")
		}
		words = append(words, word)
	}
	if len(words) == 0 || words[0] == "" {
		r.Wrong(n.Place(), "no program", wanted)
		return domain.Program{}
	}
	return domain.Program{Command: words[0], Args: words[1:], Cwd: r.folder()}
}

// readEnvFile reads the variables of a file, and returns its path, "" for a path that is wrong. A missing file is a warning,
// since such files are often not part of a repository. So is one that cannot be read whole, but then a variable that has
// no other source has no default either.
func (r *reader) readEnvFile(n tree.Node) (path string) {
	path = r.besideFile(n)
	if path == "" {
		return ""
	}
	text, problem := r.environment.readPrivate(path, maxEnvFile)
	if problem == tree.NoFile {
		r.Warn(n.Place(), "there is no such file, so it gives no variables")
		return path
	}
	var values map[string]string
	if problem == "" {
		read, err := parseEnvFile(text)
		if values = read; err != nil {
			problem = err.Error()
		}
	}
	if problem != "" {
		r.Warn(n.Place(), problem+"; servers fail that use a variable which is not read from it")
		r.environment.envFile = &provided{file: path, isRead: true, unread: problem + ": " + path}
	}
	for name, value := range values {
		r.environment.provided[folded(name)] = &provided{value: value, file: path, isRead: true}
	}
	return path
}
