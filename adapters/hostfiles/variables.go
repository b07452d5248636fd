package hostfiles

import (
	"path/filepath"
	"regexp"
	"strings"

	"mcp-workbench/domain/serverconfig"
)

// variables turns references to variables in the form of a host into "${NAME}".
type variables struct {
	form    form
	project string
	note    func(format string, args ...any)
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
	switch v.form {
	case claude:
		return text
	case editor:
		return regexp.MustCompile(`\$\{([a-zA-Z]+)(?::([^}]*))?\}`).ReplaceAllStringFunc(text, v.editorVariable)
	case geminiForm:
		return regexp.MustCompile(`\$([A-Za-z_][A-Za-z0-9_]*)`).ReplaceAllString(text, "$${$1}")
	case opencodeForm:
		if strings.Contains(text, "{file:") {
			v.note(`"{file:…}" is not read: put the value into a variable and write "${NAME}"`)
		}
		return regexp.MustCompile(`\{env:([^}]+)\}`).ReplaceAllString(text, "$${$1}")
	}
	return text
}

// editorVariable translates one "${…}" of Cursor, VS Code and Windsurf.
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
		return "${HOME}"
	case "workspaceFolder", "workspaceRoot":
		if v.project != "" {
			return v.project
		}
		v.note("%s means another folder in each window: write the folder instead", reference)
	case "workspaceFolderBasename":
		if v.project != "" {
			return filepath.Base(v.project)
		}
		v.note("%s means another folder in each window: write its name instead", reference)
	case "pathSeparator":
		return string(filepath.Separator)
	}
	return reference
}

// projectDirectory returns the project that a file belongs to, "" for none.
func (f File) projectDirectory() string {
	switch {
	case f.Scope == serverconfig.Local:
		return f.member[1]
	case f.Scope != serverconfig.Project:
		return ""
	}
	directory := filepath.Dir(f.Path)
	if base := filepath.Base(directory); strings.HasPrefix(base, ".") {
		directory = filepath.Dir(directory) // .vscode, .cursor, .codex, .gemini
	}
	return directory
}
