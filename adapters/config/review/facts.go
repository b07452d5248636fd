package review

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
)

// facts are what the values of one state of a server say by the traits of their keys.
type facts struct {
	command string
	args    []string
	pkg     pkg
	// address is the first address, origins are those of all addresses, and places other settings that decide what runs, by key.
	address         string
	origins, places map[string]string
	variables       map[string]string
	data            []datum
	// references are the names of variables that values refer to, or that are passed on, each once.
	references []string
	getsAll    bool
}

// A datum is a variable of the server or a header.
type datum struct{ kind, name string }

// pkg is a package as a launcher names it.
type pkg struct{ kind, name, written string }

// id tells a package from others, whatever its version is.
func (p pkg) id() string {
	if p.name == "" {
		return ""
	}
	return p.name + " (" + p.kind + ")"
}

// read returns the facts of a server, which is nil for none.
func read(described keys.Set, raw json.RawMessage) facts {
	f := facts{origins: map[string]string{}, places: map[string]string{}, variables: map[string]string{}}
	for _, value := range described.Values(raw) {
		f.add(value)
	}
	if f.command != "" {
		f.pkg = packageOf(f.command, f.args)
	}
	slices.Sort(f.references)
	f.references = slices.Compact(f.references)
	return f
}

func (f *facts) add(value keys.Value) {
	key, texts, name := value.Key, textsIn(value.Raw), value.At[len(value.At)-1]
	switch {
	case key.Is(keys.Inherits):
		if f.getsAll = string(value.Raw) == "true" || slices.Equal(texts, []string{"all"}); !f.getsAll {
			f.references = append(f.references, texts...)
		}
		return
	case key.Is(keys.Line) && key.Kind == keys.Text:
		f.command = strings.Join(texts, " ")
	case key.Is(keys.Line):
		f.args = texts
	case key.Is(keys.Address) && len(texts) > 0:
		f.origins[value.Path()] = origin(texts[0])
		if f.address == "" {
			f.address = texts[0]
		}
	case key.Is(keys.Code) && len(texts) > 0:
		f.places[value.Path()] = texts[0]
	case key.Is(keys.Variables):
		f.variables[name] = strings.Join(texts, " ")
		f.data = append(f.data, datum{"variable", name})
	case key.Is(keys.Data):
		f.data = append(f.data, datum{"header", name})
	}
	for _, text := range texts {
		for _, found := range reference.FindAllStringSubmatch(text, -1) {
			f.references = append(f.references, found[1])
		}
	}
}

// reference matches a reference to a variable or a secret.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*(?:\([xX]86\))?)(?::-[^}]*)?\}`)

// textsIn returns a value that is a text or a list of them, nil for others.
func textsIn(raw json.RawMessage) []string {
	var texts []string
	switch rawjson.Kind(raw) {
	case '"':
		return []string{rawjson.Text(raw)}
	case '[':
		_ = json.Unmarshal(raw, &texts) // a list of others has none
	}
	return texts
}

// line returns the program with its variables, arguments and folders, or the address, in the words of a shell and with masked
// secrets; "" for a server of another kind.
func (f *facts) line() string {
	if f.command == "" {
		if f.address != "" {
			return masking.ShownAddress(f.address)
		}
		return ""
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(f.variables)) {
		words = append(words, domain.ShellWord(name)+"="+domain.ShellWord(masking.ShownVariable(name, f.variables[name])))
	}
	for _, word := range masking.Line(f.command, f.args) {
		words = append(words, domain.ShellWord(word))
	}
	for _, path := range slices.Sorted(maps.Keys(f.places)) {
		words = append(words, "(in "+domain.ShellWord(f.places[path])+")")
	}
	return strings.Join(words, " ")
}

// target returns who gets what the server gets: its program, or the origin of its address.
func (f *facts) target() string {
	switch {
	case f.command != "":
		return "the program " + f.command
	case f.address != "":
		return origin(f.address)
	}
	return "the server"
}

// origin returns the scheme and the host of an address, and the address without its secrets if it has none.
func origin(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return masking.ShownAddress(address)
	}
	return strings.ToLower(parsed.Scheme + "://" + parsed.Host)
}

// packageKinds are the types of the packages that launchers run.
var packageKinds = map[string]string{
	"npx": "npm", "npm": "npm", "pnpx": "npm", "pnpm": "npm", "yarn": "npm", "bunx": "npm", "bun": "npm",
	"uvx": "pypi", "uv": "pypi", "pipx": "pypi", "docker": "oci", "podman": "oci", "nerdctl": "oci", "dnx": "nuget",
}

// packageOf returns the package that a command line downloads, the zero value for none.
func packageOf(command string, args []string) pkg {
	line := launcher.Read(command, args)
	if line.Wrapped != nil && !line.Launcher {
		line = launcher.Read(line.Wrapped[0], line.Wrapped[1:])
	}
	target := line.Target()
	if line.Download() == "" || target == "" {
		return pkg{}
	}
	kind := packageKinds[line.Program]
	if kind == "" {
		kind = line.Program
	}
	return pkg{kind, withoutVersion(target), masking.Line(target, nil)[0]}
}

// withoutVersion returns the name in a package or an image.
func withoutVersion(target string) string {
	name, _, _ := strings.Cut(target, "==")
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	if at := strings.LastIndexByte(name, ':'); at > strings.LastIndexByte(name, '/') {
		name = name[:at]
	}
	return name
}
