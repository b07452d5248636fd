package hostfiles

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// ErrNoServers reports that a file does not have the form of any host.
var ErrNoServers = errors.New("no servers")

// anyForms are the members of hosts' files that contain servers, the most usual first.
var anyForms = []struct {
	member []string
	form   *form
}{
	{[]string{"mcpServers"}, editorForm},
	{[]string{"servers"}, editorForm},
	{[]string{"mcp", "servers"}, editorForm}, // VS Code's settings.json
	{[]string{"mcp"}, opencodeForm},
	{[]string{"context_servers"}, zedForm},
	{[]string{"amp.mcpServers"}, bracesForm},
	{[]string{"experimental", "modelContextProtocolServers"}, continueForm},
	{[]string{"customizations", "vscode", "mcp", "servers"}, editorForm}, // devcontainer.json
}

// FileOf returns the file for a text whose host is not known, according to the form of the
// text. If the path is that of a host on the machine, it returns the file of that host.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func FileOf(machine Machine, path string, text []byte) (File, error) {
	file, err := fileOf(machine, path, text)
	file.Path = path // also of one without servers
	file.machine = machine
	return file, err
}

func fileOf(machine Machine, path string, text []byte) (File, error) {
	for _, host := range Hosts() {
		for _, file := range host.Files(machine) {
			if file.Path == path && file.Scope != setup.Local {
				return file.orInText(text), nil
			}
		}
	}
	if file, isProject := ofProject(path); isProject {
		if file = file.orInText(text); file.has(text) {
			return file, nil
		}
	}
	file, err := fileOfText(path, text)
	return inProject(projectOf(machine, path), file), err
}

// fileOfText returns the file whose form its text and the end of its path show.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func fileOfText(path string, text []byte) (File, error) {
	switch filepath.Ext(path) {
	case ".toml":
		return newFile("", "", path, codexForm, "mcp_servers"), nil
	case ".yaml", ".yml":
		return yamlFile(path, text)
	}
	return jsonFile(path, text)
}

// projectOf returns the folder of the project to which a file belongs: the parent of a folder whose name begins with a dot,
// as many editors and agents have in projects, or the folder of .devcontainer.json. It returns "" for other files, and if the
// parent is the home folder.
func projectOf(machine Machine, path string) string {
	if filepath.Base(path) == ".devcontainer.json" {
		return filepath.Dir(path)
	}
	for folder := filepath.Dir(path); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if !strings.HasPrefix(filepath.Base(folder), ".") {
			continue
		}
		if project := filepath.Dir(folder); !machine.isSame(project, machine.Home) {
			return project
		}
		return ""
	}
	return ""
}

// orInText returns the file, or one with the servers that its text has in the place of another host if it has none in its own.
func (f File) orInText(text []byte) File {
	if f.form.format != nil && filepath.Ext(f.Path) != ".json" || f.has(text) {
		return f
	}
	other, err := jsonFile(f.Path, text)
	if err != nil || !other.has(text) {
		return f
	}
	other.Source, other.project, other.machine = f.Source, f.project, f.machine
	return other
}

// has reports whether there are servers in a text of the file.
func (f File) has(text []byte) bool {
	members, err := f.read(text)
	return err == nil && len(members) > 0
}

// jsonFile returns the file for a text in JSON.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func jsonFile(path string, text []byte) (File, error) {
	if err := published(text, path); err != nil {
		return File{}, fmt.Errorf("read the servers in %s: %w: %w", path, ErrNoServers, err)
	}
	var empty *File // one that has the member of a host, and no server in it
	for _, candidate := range anyForms {
		file := newFile("", "", path, candidate.form, candidate.member...)
		members, err := textedit.ReadJSON(text, candidate.member)
		if errors.Is(err, textedit.ErrSyntax) {
			return File{}, fmt.Errorf("read the servers in %s: %w", path, err)
		}
		if err != nil || members == nil {
			continue
		}
		if len(members) == 0 {
			empty = cmp.Or(empty, &file)
			continue
		}
		if isObject := len(members) == 1 && members[0].Name == "servers"; isObject && empty != nil {
			continue // "mcp" has the empty object of VS Code
		}
		switch {
		case candidate.form == editorForm && slices.ContainsFunc(members, isGemini):
			file.form = geminiForm
		case slices.ContainsFunc(members, isOfOpencode) && slices.Equal(candidate.member, []string{"mcp", "servers"}):
			return newFile("", "", path, opencodeForm, "mcp"), nil
		}
		isUnknown := func(server textedit.Member) bool { return isOfOpencode(server) || kindOf(server) == "" }
		if candidate.form == opencodeForm && !slices.ContainsFunc(members, isUnknown) {
			file.form = crushForm // it has other kinds
		}
		return file, nil
	}
	if empty != nil {
		return *empty, nil
	}
	if other := rawjson.Text(rawjson.Member(text, "mcpServers")); other != "" { // as in a manifest of a plugin
		return File{}, fmt.Errorf("read the servers in %s: %w: they are in %s; 'mcp-workbench import %s' imports them",
			path, ErrNoServers, other, domain.ShellWord(filepath.Join(pluginRoot(path), other)))
	}
	return File{}, fmt.Errorf(`read the servers in %s: %w: want "mcpServers", "servers", "mcp" or "context_servers", as in the file of a host`, path, ErrNoServers)
}

// published names what an entry of the MCP registry (server.json) or an answer of it describes, nil for any other text.
// Path is that of its file, "" for none.
func published(text []byte, path string) error {
	type entry struct {
		Name              string
		Packages, Remotes []json.RawMessage
	}
	var file struct {
		entry
		Server  entry
		Servers []struct {
			entry
			Server entry
		}
	}
	_ = json.Unmarshal(text, &file) // what cannot be read describes nothing
	var names []string
	entries := []entry{file.entry, file.Server}
	for _, one := range file.Servers {
		entries = append(entries, one.entry, one.Server)
	}
	for _, one := range entries {
		if one.Name != "" && len(one.Packages)+len(one.Remotes) > 0 {
			names = append(names, domain.LineText(one.Name))
		}
	}
	if most := 5; len(names) > most {
		names = append(names[:most], fmt.Sprintf("%d more", len(names)-most))
	}
	if names == nil {
		return nil
	}
	what, adds := "NAME", "adds one of it"
	if len(names) == 1 && filepath.Ext(path) == ".json" {
		what, adds = domain.ShellWord(path), "adds it"
	}
	return fmt.Errorf("it describes %s for the MCP registry; 'mcp-workbench add %s' %s", strings.Join(names, ", "), what, adds)
}

// ofProject returns the file of a text at a path at which a host keeps servers of a project, wherever that is.
func ofProject(path string) (File, bool) {
	for _, host := range Hosts() {
		for _, below := range host.project {
			project, isThere := strings.CutSuffix(path, string(filepath.Separator)+filepath.Join(below...))
			// A name of one part in a usual form is that of any file.
			if !isThere || len(below) == 1 && !strings.HasPrefix(below[0], ".") {
				continue
			}
			return inProject(project, newFile("", "", path, host.form, host.member...)), true
		}
	}
	return File{}, false
}

// yamlFile returns the file for a text in YAML.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func yamlFile(path string, text []byte) (File, error) {
	goose, other := newFile("", "", path, gooseForm, "extensions"), newFile("", "", path, continueForm, "mcpServers")
	for _, file := range []File{goose, other} {
		if members, err := file.read(text); len(members) > 0 || errors.Is(err, textedit.ErrSyntax) {
			return file, err
		}
	}
	switch named := yamlMember.FindSubmatch(text); {
	case named == nil && len(yamlBlank.ReplaceAll(text, nil)) > 0:
		return File{}, fmt.Errorf(`read the servers in %s: %w: want "extensions" or "mcpServers", as in the file of a host`, path, ErrNoServers)
	case named != nil && string(named[1]) == "extensions":
		return goose, nil
	}
	return other, nil // there are no servers, which is not wrong
}

var (
	// yamlMember matches the member with servers, which may have none.
	yamlMember = regexp.MustCompile(`(?m)^["']?(extensions|mcpServers)["']?\s*:`)
	// yamlBlank matches the lines of YAML that have no value.
	yamlBlank = regexp.MustCompile(`(?m)^\s*(?:#.*|---|\.\.\.|%YAML.*)?$|\s|\x{feff}`)
)

// isGemini reports whether a server has members that only Gemini CLI knows.
func isGemini(server textedit.Member) bool {
	return bytes.Contains(server.Value, []byte(`"httpUrl"`)) || bytes.Contains(server.Value, []byte(`"includeTools"`)) ||
		bytes.Contains(server.Value, []byte(`"excludeTools"`))
}

// isOfOpencode reports whether a server has a kind that only opencode writes.
func isOfOpencode(server textedit.Member) bool {
	kind := kindOf(server)
	return kind == "local" || kind == "remote"
}

// kindOf returns the kind of a server, "" for none.
func kindOf(server textedit.Member) string {
	var kind struct{ Type string }
	_ = json.Unmarshal(server.Value, &kind) // a value that is not an object has no kind
	return kind.Type
}
