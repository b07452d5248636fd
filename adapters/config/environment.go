package config

import (
	"cmp"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// variablePrefix begins the names of the workbench's own variables.
const variablePrefix = "WORKBENCH_"

// FileValue is a variable with a value from a file that the configuration names, such as that of "envFile".
type FileValue struct {
	Variable, Value string
	// File is the absolute path of the file.
	File string
	// InUse is unset if the environment sets the variable, so that the value does not count.
	InUse bool
	// Decides is the path of the key whose value contains it.
	Decides string
}

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

// maxSecretFile is the largest file of a secret in bytes.
const maxSecretFile = 64 << 10

// environment holds environment variables, and which of them were used.
type environment struct {
	values map[string]string
	used   map[string]bool
	// own are the variables of the workbench, sorted.
	own []string
	// inFile are the variables that the file refers to.
	inFile map[string]bool
	// provided are the variables that the file has sources for. A source counts only if the environment
	// does not set the variable.
	provided map[string]*provided
	// envFile is the source of the variables that have no other one while the file of "envFile" cannot be read whole.
	envFile *provided
	// files are the files besides the one in use on which the configuration depends, by path, as they were read: nil for
	// one that does not exist or was not needed.
	files map[string]fs.FileInfo
	// required are those that enabled servers refer to without a default, each once, in the
	// order of the file.
	required []string
}

// newEnvironment reads entries as os.Environ returns them. If a name occurs twice, the first entry
// counts, as it does for os.Getenv. A variable whose value is only a reference to itself
// counts as not set.
func newEnvironment(environ []string) *environment {
	e := &environment{
		values: make(map[string]string, len(environ)), used: map[string]bool{}, inFile: map[string]bool{},
		provided: map[string]*provided{}, files: map[string]fs.FileInfo{},
	}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if slices.Contains([]string{"${" + name + "}", "$" + name, "${env:" + name + "}"}, value) {
			continue // a host passes on what its entry says, since it has no value there
		}
		name = folded(name)
		if _, twice := e.values[name]; !ok || name == "" || twice {
			continue
		}
		// Transports receive values as JSON, which must be UTF-8.
		e.values[name] = strings.ToValidUTF8(value, "\ufffd")
		if strings.HasPrefix(name, variablePrefix) {
			e.own = append(e.own, name)
		}
	}
	slices.Sort(e.own)
	return e
}

// lookup returns the value of a variable and whether it is set.
func (e *environment) lookup(name string) (string, bool) {
	e.used[folded(name)] = true
	value, ok := e.values[folded(name)]
	return value, ok
}

// expand is lookup for a variable that the file refers to.
func (e *environment) expand(name string) (string, bool) {
	e.inFile[name] = true
	if source := e.sourceOf(name); source != nil {
		return source.find(e)
	}
	return e.lookup(name)
}

// sourceOf returns the source that the file has for a variable, nil if there is none or the environment
// has the variable.
func (e *environment) sourceOf(name string) *provided {
	if _, isSet := e.values[folded(name)]; isSet {
		return nil
	}
	return cmp.Or(e.provided[folded(name)], e.envFile)
}

// require notes variables that an enabled server refers to without a default, except for those that
// the file has sources for.
func (e *environment) require(names []string) {
	for _, name := range names {
		if !slices.Contains(e.required, name) && e.provided[folded(name)] == nil {
			e.required = append(e.required, name)
		}
	}
}

// setting returns the value of one of the workbench's own variables. An empty one
// counts as not set, since the forms of hosts leave variables empty.
func (e *environment) setting(name string) (string, bool) {
	value, _ := e.lookup(name)
	return value, value != ""
}

// folded returns the name in the form that the system compares: upper case on Windows.
func folded(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// ListenVariable is the variable with the address to listen at, in place of a flag. It is not
// a setting of the file: reading a file never opens a port.
const ListenVariable = "WORKBENCH_HTTP"

// IfTrustedFlag is the flag that uses the file of --config only while the user trusts it. connect writes it for the
// file of a folder, whose later bytes may come from others.
const IfTrustedFlag = "--if-trusted"

// AllowForeignFlag is the flag that accepts a named file that others can change. It has a
// variable but no key: a file cannot allow others to change it.
const (
	AllowForeignFlag     = "--allow-foreign-config"
	allowForeignVariable = "WORKBENCH_ALLOW_FOREIGN_CONFIG"
)

// readPrivate reads a file that only the user and root can change, up to a limit in bytes. problem says why
// it cannot be used; it is noFile if the file does not exist.
func (e *environment) readPrivate(path string, limit int64) (text []byte, problem string) {
	read := readFile(path, limit)
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

// fileValues returns the value that a variable has in a file, as a list of at most one. A file that was not needed yet
// is not read for it.
func (e *environment) fileValues(name string) []FileValue {
	source := e.provided[folded(name)]
	if source == nil || source.file == "" || !source.isRead || source.unread != "" {
		return nil
	}
	return []FileValue{{Variable: name, Value: source.value, File: source.file, InUse: e.sourceOf(name) != nil}}
}
