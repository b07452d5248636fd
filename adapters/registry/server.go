package registry

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mcp-workbench/domain/rawjson"
)

// Server is a version of a server as a registry describes it.
type Server struct {
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Version     string    `json:"version"`
	Packages    []Package `json:"packages"`
	Remotes     []Remote  `json:"remotes"`
	// Status is what the registry itself says of the version.
	Status Status `json:"-"`
}

// The states of a version.
const (
	Active     = "active"
	Deprecated = "deprecated"
	Deleted    = "deleted"
)

// Status is what a registry says of a version.
type Status struct {
	// State is one of the states of a version, "" for a registry that has none.
	State    string `json:"status"`
	Message  string `json:"statusMessage"`
	IsLatest *bool  `json:"isLatest"`
}

// Response is an entry in an answer of a registry (ServerResponse of the OpenAPI of v0.1).
type Response struct {
	Server Server `json:"server"`
	Meta   struct {
		Official Status `json:"io.modelcontextprotocol.registry/official"`
	} `json:"_meta"`
}

// UnmarshalJSON implements json.Unmarshaler.
//
// Decision: other programs read entries too, such as the pages on which a user looks one up. So an entry that has a name twice, or in
// two spellings, is refused: encoding/json would take the last one, and they another. What a publisher adds in "_meta" does not count.
func (r *Response) UnmarshalJSON(text []byte) error {
	server := rawjson.Without(rawjson.Member(text, "server"), "_meta")
	if err := rawjson.CheckNames(server); err != nil {
		return err
	}
	if err := json.Unmarshal(server, &r.Server); err != nil {
		return err
	}
	if meta := rawjson.Member(text, "_meta"); meta != nil {
		return json.Unmarshal(meta, &r.Meta)
	}
	return nil
}

// ReadEntry returns the server that a server.json describes, or an answer of a registry about one server.
func ReadEntry(text []byte) (Server, error) {
	if rawjson.Member(text, "server") == nil {
		text = rawjson.Object{}.Raw("server", text).JSON()
	}
	var entry Response
	if err := json.Unmarshal(text, &entry); err != nil {
		return Server{}, err
	}
	if slices.ContainsFunc(entry.Server.Packages, func(p Package) bool { return p.RegistryType == "" }) {
		return entry.Server, fmt.Errorf(`%s has a package without "registryType", which server.json of before September 2025 writes "registry_type"`, entry.Server.Name)
	}
	return entry.Server, entry.Server.Check()
}

// Package is a package that runs the server.
type Package struct {
	RegistryType string `json:"registryType"`
	// BaseURL is the address of the package registry, "" for the usual one.
	BaseURL     string     `json:"registryBaseUrl"`
	Identifier  string     `json:"identifier"`
	Version     string     `json:"version"`
	RuntimeHint string     `json:"runtimeHint"`
	Transport   Remote     `json:"transport"`
	RuntimeArgs []Argument `json:"runtimeArguments"`
	PackageArgs []Argument `json:"packageArguments"`
	Environment []Named    `json:"environmentVariables"`
}

// Remote is an address of the server, or the transport of a package.
type Remote struct {
	Type      string           `json:"type"`
	URL       string           `json:"url"`
	Headers   []Named          `json:"headers"`
	Variables map[string]Field `json:"variables"`
}

// Field is a value, or what is known about a value that the user gives.
type Field struct {
	Description string `json:"description"`
	Placeholder string `json:"placeholder"`
	Format      string `json:"format"`
	IsRequired  bool   `json:"isRequired"`
	IsSecret    bool   `json:"isSecret"`
	Choices     []text `json:"choices"`
	Default     *text  `json:"default"`
	// Value is fixed, except for the Variables in it, as "{name}".
	Value     *text            `json:"value"`
	Variables map[string]Field `json:"variables"`
}

// Named is an environment variable or a header.
type Named struct {
	Name string `json:"name"`
	Field
}

// Argument is an argument of a package or of the program that runs it.
type Argument struct {
	// Type is "positional" or "named".
	Type       string `json:"type"`
	Name       string `json:"name"`
	ValueHint  string `json:"valueHint"`
	IsRepeated bool   `json:"isRepeated"`
	Field
}

// text is a string. Numbers and booleans in its place are read as the schema wants them written.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] != '"' {
		if raw[0] == '{' || raw[0] == '[' {
			return errors.New("want a text")
		}
		*t = text(raw)
		return nil
	}
	return json.Unmarshal(raw, (*string)(t))
}

const (
	maxName  = 200
	maxParts = 200
)

// nameForm is the form of a name: a namespace in reverse DNS and the name of a server.
var nameForm = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

// Check returns what is wrong with a description as a whole, nil for nothing.
func (s Server) Check() error {
	parts := len(s.Packages) + len(s.Remotes)
	for _, p := range s.Packages {
		parts += len(p.RuntimeArgs) + len(p.PackageArgs) + len(p.Environment)
	}
	switch namespace, own, _ := strings.Cut(s.Name, "/"); {
	case strings.ContainsFunc(s.Name+s.Version, unicode.IsControl):
		return fmt.Errorf("%q has control characters in its name or its version", s.Name)
	case namespace == "" || own == "" || len(s.Name) > maxName:
		return fmt.Errorf("%q is no name of a server, which has the form of io.github.owner/server", s.Name)
	case s.Version == "" || len(s.Version) > maxName:
		return fmt.Errorf("%s has no version", s.Name)
	case parts > maxParts:
		return fmt.Errorf("%s has %d packages, arguments and variables, more than the %d that a person can review", s.Name, parts, maxParts)
	}
	return nil
}

// ShortName returns the last part of a name.
func ShortName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// Proof returns what the namespace of a name says about its owner, if the registry checks it.
func Proof(name string) string {
	namespace, _, _ := strings.Cut(name, "/")
	if account, isAccount := strings.CutPrefix(namespace, "io.github."); isAccount {
		return "the GitHub account " + account
	}
	labels := strings.Split(namespace, ".")
	slices.Reverse(labels)
	return "the owner of the domain " + strings.Join(labels, ".")
}

// Suspicion says what may deceive a reader of a name: letters of several scripts, or of another script than Latin. It is
// "" for other names.
func Suspicion(name string) string {
	if nameForm.MatchString(name) {
		return ""
	}
	var scripts []string
	for _, r := range name {
		if !unicode.IsLetter(r) {
			continue
		}
		for script, table := range unicode.Scripts {
			if unicode.Is(table, r) && !slices.Contains(scripts, script) {
				scripts = append(scripts, script)
			}
		}
	}
	slices.Sort(scripts)
	if len(scripts) > 1 {
		return "the name has letters of several scripts (" + strings.Join(scripts, ", ") + "), which can look alike"
	}
	if len(scripts) == 1 && scripts[0] != "Latin" {
		return "the name has letters of the script " + scripts[0] + ", which can look like Latin ones"
	}
	return "the name has characters that names in registries do not have"
}

// Owner returns the owner that the identifier of a package names, "" for none.
func (p Package) Owner() string {
	parts := strings.Split(strings.TrimPrefix(p.Identifier, "@"), "/")
	switch {
	case len(parts) < 2:
		return ""
	case p.RegistryType == OCI && strings.ContainsAny(parts[0], ".:"): // ghcr.io/owner/image
		return cmp.Or(parts[1 : len(parts)-1]...)
	}
	return parts[0]
}

// OtherOwner returns the owner of a package if the name does not contain it, "" otherwise.
func (p Package) OtherOwner(name string) string {
	owner := p.Owner()
	if owner == "" || slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '.' || r == '/' }),
		func(part string) bool { return part == strings.ToLower(owner) }) {
		return ""
	}
	return owner
}
