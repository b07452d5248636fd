package config

import (
	"crypto/rand"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

const (
	secretsKey = "secrets"
	envFileKey = "envFile"

	maxSecretFile = 64 << 10
	maxEnvFile    = 1 << 20
)

// provided is a variable for which the configuration itself has a source, and its value.
type provided struct {
	value string
	// file has the value, "" for one that a command prints.
	file string
	// place says where "secrets" keeps the value. It is nil for a variable of "envFile".
	place *domain.SecretPlace
	// unread says why the file of the place cannot be used. The file is read at the first use.
	unread string
	isRead bool
}

// placeholderMark is part of each placeholder. It is the same while the program runs, so that servers with
// the same settings stay the same when the configuration is read again.
var placeholderMark = rand.Text()

// readSecrets reads which variables the file has sources for. It reads the file of "envFile", but no file
// of "secrets".
func (r *reader) readSecrets(members tree.Object) {
	if m, ok := members.Get(envFileKey); ok {
		r.readEnvFile(m.Node)
	}
	m, ok := members.Get(secretsKey)
	if !ok {
		return
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
		r.secrets = append(r.secrets, place)
		if place.File != "" && r.environment.files[place.File] == nil {
			r.environment.files[place.File] = nil
		}
		if name := folded(entry.Name); place.File != "" || r.environment.provided[name] == nil {
			r.environment.provided[name] = &provided{place: &place, file: place.File}
		}
	}
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

// folder returns the absolute path of the folder of the file.
func (r *reader) folder() string {
	path, err := filepath.Abs(r.File)
	if err != nil {
		return ""
	}
	return filepath.Dir(path)
}

// besideFile reads the path of a file, which is relative to the folder of the configuration.
func (r *reader) besideFile(n tree.Node) string {
	const wanted = "the path of a file, absolute or relative to the configuration"
	path, ok := r.Text(n, wanted)
	switch {
	case !ok:
		return ""
	case path == "" || strings.Contains(path, "${") || strings.HasPrefix(path, "~") || strings.ContainsRune(path, 0):
		r.Wrong(n.Place(), strconv.Quote(tree.Shortened(path)), wanted+", without variables and ~")
		return ""
	case !filepath.IsAbs(path):
		path = filepath.Join(r.folder(), path)
	}
	if r.isLedOut(n, path) {
		return ""
	}
	return path
}

// readEnvFile reads the variables of a file. A missing file is only a warning, since such files are often
// not part of a repository.
func (r *reader) readEnvFile(n tree.Node) {
	path := r.besideFile(n)
	if path == "" {
		return
	}
	r.envFile = path
	text, problem := r.environment.readPrivate(path, maxEnvFile)
	if problem == tree.NoFile {
		r.Warn(n.Place(), "there is no such file, so it gives no variables")
		return
	}
	if problem != "" {
		r.Wrong(n.Place(), problem, "a file of variables (NAME=value) that only you and root can change")
		return
	}
	values, err := parseEnvFile(text)
	if err != nil {
		r.Wrong(n.Place(), "a file of variables that cannot be read: "+err.Error(), "NAME=value on each line")
		return
	}
	for name, value := range values {
		r.environment.provided[folded(name)] = &provided{value: value, file: path, isRead: true}
	}
}

// readPrivate reads a file that only the user and root can change, up to a limit in bytes. problem says why
// it cannot be used; it is noFile if the file does not exist.
func (e *environment) readPrivate(path string, limit int64) (text []byte, problem string) {
	read := source{path: path}
	read.readUpTo(limit)
	e.files[path] = read.info
	if read.unusable != "" {
		return nil, read.unusable
	}
	if exposure := safefile.PathExposure(path); exposure != "" {
		return nil, "a file that others can change (" + exposure + ")"
	}
	return read.data, ""
}

// find returns the value from the source, and whether there is one. The value from a command is its
// placeholder.
func (p *provided) find(e *environment) (string, bool) {
	if p.file == "" {
		return p.place.Placeholder, true
	}
	if !p.isRead {
		p.isRead = true
		p.value, p.unread = e.readSecretFile(p.file)
	}
	return p.value, p.unread == ""
}

// readSecretFile returns the text of a file without its last line end, or why it cannot be used.
func (e *environment) readSecretFile(path string) (value, unread string) {
	text, problem := e.readPrivate(path, maxSecretFile)
	value = strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	switch {
	case problem != "":
		return "", problem + ": " + path
	case value == "":
		return "", "an empty file: " + path
	case strings.ContainsRune(value, 0):
		return "", "a file with a NUL character: " + path
	case !utf8.ValidString(value):
		return "", "a file that is not UTF-8: " + path
	}
	return value, ""
}

// sourced is a text with its variables expanded, and where their values come from.
type sourced struct {
	expansion
	// commands are those whose placeholders are in the text.
	commands []domain.SecretCommand
	// fromFiles are the variables that have a file for their value. The environment may set them.
	fromFiles []FileValue
	// unread says why the file of the first unset variable cannot be used, "" if it has no file.
	unread string
}

// expand expands the variables of a text. A variable whose file cannot be used counts as unset, even if it
// has a default.
func (r *reader) expand(text string) (sourced, error) {
	var result sourced
	var broken string
	expanded, err := expand(text, func(name string) (string, bool) {
		value, set := r.environment.expand(name)
		source := r.environment.sourceOf(name)
		switch {
		case source == nil:
		case !set && broken == "":
			broken, result.unread = name, source.unread
		case source.file == "":
			result.commands = append(result.commands, source.place.SecretCommand)
		}
		result.fromFiles = append(result.fromFiles, r.environment.fileValues(name)...)
		return value, set
	})
	result.expansion = expanded
	if broken != "" {
		result.unset = append([]string{broken}, slices.DeleteFunc(result.unset, func(name string) bool { return name == broken })...)
	}
	return result, err
}

const wantedValue = `a variable of the environment, of "envFile" or of a secret with "file"`

// mayUse reports whether a key may take its value from the sources of the variables in a text. If not,
// it reports a problem.
func (r *reader) mayUse(n tree.Node, key keys.Key, whole bool, text sourced) bool {
	isProgram := key.Is(keys.Code) && !key.Is(keys.Late)
	for _, value := range text.fromFiles {
		if isProgram && value.InUse {
			r.Wrong(n.Place(), `"${`+value.Variable+`}" with a value from a file`, "a program and a folder that this file or the environment names")
			return false
		}
		if r.isDecisive(n, key, whole, value) {
			value.Decides = n.Path.String()
			r.fileValues = append(r.fileValues, value)
		}
	}
	switch {
	case len(text.commands) == 0, key.Is(keys.Late):
		return true
	case key.Is(keys.Address) && !whole && hasOrigin(text.text, text.commands):
		return true
	}
	found := `"${` + text.commands[0].Variable + `}", which a command prints when a server starts`
	wanted := wantedValue + `; values of commands are for "env", "args", "headers" and what follows the host in "url"`
	r.Wrong(n.Place(), found, wanted)
	return false
}

// hasOrigin reports whether the host of an address is known before its commands run.
func hasOrigin(address string, commands []domain.SecretCommand) bool {
	for _, command := range commands {
		address, _, _ = strings.Cut(address, command.Placeholder)
	}
	return isBehindOrigin(address)
}

// isBehindOrigin reports whether the scheme and the host of an address are complete in its beginning.
func isBehindOrigin(beginning string) bool {
	_, rest, found := strings.Cut(beginning, "://")
	return found && strings.ContainsAny(rest, "/?#")
}
