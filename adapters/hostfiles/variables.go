package hostfiles

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// expand turns the references to variables in settings into "${NAME}".
func (s *source) expand(settings *setup.Settings, expand func(s *source, text string) string) {
	for _, text := range []*string{&settings.Command, &settings.Cwd, &settings.URL} {
		*text = expand(s, s.ofPlugin(*text))
	}
	for i, arg := range settings.Args {
		settings.Args[i] = expand(s, s.ofPlugin(arg))
	}
	for _, values := range []map[string]string{settings.Env, settings.Headers} {
		for name, value := range values {
			values[name] = expand(s, s.ofPlugin(value))
		}
	}
	if login := settings.OAuth; login != nil {
		for _, text := range []*string{&login.ClientID, &login.ClientSecret, &login.Issuer, &login.RedirectURI} {
			*text = expand(s, *text)
		}
	}
}

func (*source) inBraces(text string) string { return text }

// withDollar replaces variables as shells write them without braces.
func (*source) withDollar(text string) string {
	return regexp.MustCompile(`\$([A-Za-z_][A-Za-z0-9_]*)`).ReplaceAllString(text, "$${$1}")
}

// ofClaude replaces the folder of the project, which Claude Code sets, and what people copy from editors.
func (s *source) ofClaude(text string) string {
	if s.file.project != "" {
		text = regexp.MustCompile(`\$\{CLAUDE_PROJECT_DIR(?::-[^}]*)?\}`).ReplaceAllLiteralString(text, s.file.project)
	}
	return s.ofEditors(text)
}

func (*source) ofContinue(text string) string {
	return regexp.MustCompile(`\$\{\{\s*(?:secrets|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`).ReplaceAllString(text, "$${$1}")
}

func (s *source) ofEditors(text string) string {
	return regexp.MustCompile(`\$\{([a-zA-Z]+|/)(?::([^}]*))?\}`).ReplaceAllStringFunc(text, s.editorVariable)
}

func (s *source) ofCrush(text string) string {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		s.note(`a value contains a command of a shell, which is not run: put its output into a variable and write "${NAME}"`)
		s.lose("$(…)", text)
	}
	return s.withDollar(text)
}

func (s *source) ofGemini(text string) string {
	if s.file.machine.isWindows() {
		text = regexp.MustCompile(`%([A-Za-z_][A-Za-z0-9_]*(?:\(x86\))?)%`).ReplaceAllString(text, "$${$1}")
	}
	return s.withDollar(text)
}

func (s *source) ofOpencode(text string) string {
	if strings.Contains(text, "{file:") {
		s.note(`"{file:…}" is not read: put the value into a variable and write "${NAME}"`)
		s.lose("{file:…}", text)
	}
	return regexp.MustCompile(`\{env:([^}]+)\}`).ReplaceAllString(text, "$${$1}")
}

// referToHome replaces "~" at the beginning of a command, its folder and its arguments with a reference to
// the home folder.
func (m Machine) referToHome(settings *setup.Settings) {
	expand := func(text string) string {
		if rest, begins := strings.CutPrefix(text, "~"); begins && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
			return "${" + m.homeVariable() + "}" + rest
		}
		return text
	}
	settings.Command, settings.Cwd = expand(settings.Command), expand(settings.Cwd)
	for i, arg := range settings.Args {
		settings.Args[i] = expand(arg)
	}
}

// systemVariables are variables of systems whose values answer no question of a host.
var systemVariables = []string{
	"PATH", "USER", "HOME", "SHELL", "LANG", "PWD", "TERM", "TMPDIR", "TEMP", "TMP", "LOGNAME", "HOSTNAME", "EDITOR", "DISPLAY", "MAIL",
	"USERNAME", "USERPROFILE", "USERDOMAIN", "COMPUTERNAME", "OS", "APPDATA", "COMSPEC", "WINDIR", "SYSTEMROOT", "PATHEXT",
}

// inputVariable returns the variable for what a host asks its user for.
func inputVariable(id string) string {
	name := masking.VariableName(id)
	if slices.Contains(systemVariables, name) {
		return "INPUT_" + name
	}
	return name
}

// inputsIn returns the defaults of what VS Code asks its user for, by id, as far as a reference can have them.
func inputsIn(text []byte) map[string]string {
	members, _ := textedit.ReadJSON(text, []string{"inputs"}) // other files have none
	defaults := map[string]string{}
	for _, member := range members {
		var input struct{ ID, Default string }
		if json.Unmarshal(member.Value, &input) == nil && input.Default != "" && !strings.ContainsAny(input.Default, "${}") {
			defaults[input.ID] = input.Default
		}
	}
	return defaults
}

// isNotHere notes that a reference has no meaning here, so that the server cannot start with it.
func (s *source) isNotHere(reference, why string) {
	s.note("%s %s", reference, why)
	s.lose(reference, "")
	s.isBroken = true
}

// ofPlugin replaces the folder of a plugin, an extension or a bundle (MCPB), which its host sets: that of a file which is
// named. What such a host asks its user for is a variable.
func (s *source) ofPlugin(text string) string {
	text = regexp.MustCompile(`\$\{user_config\.([A-Za-z0-9_-]+)\}`).ReplaceAllString(text, "$${input:$1}")
	text = regexp.MustCompile(`\$\{input:[^}]*\}`).ReplaceAllStringFunc(text, s.editorVariable)
	return regexp.MustCompile(`\$\{(CLAUDE_PLUGIN_ROOT|extensionPath|__dirname)\}`).ReplaceAllStringFunc(text, func(reference string) string {
		folder := pluginRoot(s.file.Path)
		if isPlugin := s.file.Host == "" || isFolder(filepath.Join(folder, ".claude-plugin")); isPlugin && filepath.IsAbs(folder) {
			return folder
		}
		s.isNotHere(reference, "is the folder of a plugin, which its host sets: write the folder instead")
		return reference
	})
}

// pluginRoot returns the folder of the plugin that a file belongs to. Its manifest is in a folder of its own, as in .claude-plugin.
func pluginRoot(path string) string {
	folder := filepath.Dir(path)
	if IsManifestFolder(folder) {
		return filepath.Dir(folder)
	}
	return folder
}

// IsManifestFolder reports whether a folder has the manifest of a plugin of one host, such as .claude-plugin.
func IsManifestFolder(folder string) bool {
	name := filepath.Base(folder)
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, "-plugin")
}

// editorVariable translates one "${…}" of an editor.
func (s *source) editorVariable(reference string) string {
	name, argument, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(reference, "${"), "}"), ":")
	switch name {
	case "env":
		return "${" + argument + "}"
	case "input":
		variable := inputVariable(argument)
		s.note("the host asks for %q: set the variable %s instead", argument, variable)
		if value, has := s.file.inputs[argument]; has {
			return "${" + variable + ":-" + value + "}"
		}
		return "${" + variable + "}"
	case "userHome":
		return "${" + s.file.machine.homeVariable() + "}"
	case "workspaceFolder", "workspaceRoot", "localWorkspaceFolder", "containerWorkspaceFolder", "cwd":
		isWhole := argument == "" || strings.HasPrefix(argument, "-") // a default for hosts that do not set it
		if project := s.file.project; project != "" && (isWhole || argument == filepath.Base(project)) {
			return project
		}
		s.isNotHere(reference, "means a different folder in each window: write the folder instead")
	case "workspaceFolderBasename":
		if s.file.project != "" {
			return filepath.Base(s.file.project)
		}
		s.isNotHere(reference, "means a different folder in each window: write its name instead")
	case "pathSeparator", "/":
		return string(filepath.Separator)
	case "config", "command":
		s.isNotHere(reference, "is a setting or a command of the editor: write its value instead")
	default:
		if what := domain.EditorVariable(name); what != "" {
			s.isNotHere(reference, what)
		}
	}
	return reference
}
