package hostfiles

import (
	"path/filepath"
	"regexp"
	"strings"

	"mcp-workbench/domain/serverconfig"
)

// variables turns references to variables in the form of a host into "${NAME}".
type variables struct {
	form    *form
	project string
	machine Machine
	note    func(format string, args ...any)
	lose    func(key, value string)
}

func (v variables) translate(settings *serverconfig.Settings) {
	for _, text := range []*string{&settings.Command, &settings.Cwd, &settings.URL} {
		*text = v.text(*text)
	}
	for i, arg := range settings.Args {
		settings.Args[i] = v.text(arg)
	}
	for _, values := range []map[string]string{settings.Env, settings.Headers} {
		for name, value := range values {
			values[name] = v.text(value)
		}
	}
	if login := settings.OAuth; login != nil {
		for _, text := range []*string{&login.ClientID, &login.ClientSecret, &login.Issuer, &login.RedirectURI} {
			*text = v.text(*text)
		}
	}
}

func (v variables) text(text string) string {
	if v.form.expand == nil {
		return text
	}
	return v.form.expand(v, text)
}

func (variables) inBraces(text string) string { return text }

// withDollar replaces variables as shells write them without braces.
func (variables) withDollar(text string) string {
	return regexp.MustCompile(`\$([A-Za-z_][A-Za-z0-9_]*)`).ReplaceAllString(text, "$${$1}")
}

// ofClaude replaces the folder of the project, which Claude Code sets.
func (v variables) ofClaude(text string) string {
	if v.project == "" {
		return text
	}
	return regexp.MustCompile(`\$\{CLAUDE_PROJECT_DIR(?::-[^}]*)?\}`).ReplaceAllLiteralString(text, v.project)
}

func (variables) ofContinue(text string) string {
	return regexp.MustCompile(`\$\{\{\s*(?:secrets|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`).ReplaceAllString(text, "$${$1}")
}

func (v variables) ofEditors(text string) string {
	return regexp.MustCompile(`\$\{([a-zA-Z]+|/)(?::([^}]*))?\}`).ReplaceAllStringFunc(text, v.editorVariable)
}

func (v variables) ofCrush(text string) string {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		v.note(`a value contains a command of a shell, which is not run: put its output into a variable and write "${NAME}"`)
		v.lose("$(…)", text)
	}
	return v.withDollar(text)
}

func (v variables) ofGemini(text string) string {
	if v.machine.isWindows() {
		text = regexp.MustCompile(`%([A-Za-z_][A-Za-z0-9_]*(?:\(x86\))?)%`).ReplaceAllString(text, "$${$1}")
	}
	return v.withDollar(text)
}

func (v variables) ofOpencode(text string) string {
	if strings.Contains(text, "{file:") {
		v.note(`"{file:…}" is not read: put the value into a variable and write "${NAME}"`)
		v.lose("{file:…}", text)
	}
	return regexp.MustCompile(`\{env:([^}]+)\}`).ReplaceAllString(text, "$${$1}")
}

// referToHome replaces "~" at the beginning of a command, its folder and its arguments with a reference to
// the home folder.
func (m Machine) referToHome(settings *serverconfig.Settings) {
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

// editorVariable translates one "${…}" of an editor.
func (v variables) editorVariable(reference string) string {
	name, argument, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(reference, "${"), "}"), ":")
	switch name {
	case "env":
		return "${" + argument + "}"
	case "input":
		variable := serverconfig.VariableName(argument)
		v.note("the host asks for %q: set the variable %s instead", argument, variable)
		return "${" + variable + "}"
	case "userHome":
		return "${" + v.machine.homeVariable() + "}"
	case "workspaceFolder", "workspaceRoot":
		if v.project != "" {
			return v.project
		}
		v.note("%s means a different folder in each window: write the folder instead", reference)
		v.lose(reference, "")
	case "workspaceFolderBasename":
		if v.project != "" {
			return filepath.Base(v.project)
		}
		v.note("%s means a different folder in each window: write its name instead", reference)
		v.lose(reference, "")
	case "pathSeparator", "/":
		return string(filepath.Separator)
	}
	return reference
}
