package hostfiles

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/application/setup"
)

// settings reads a server in the form of its host.
func (s *source) settings(form *form) setup.Settings {
	s.unfold(form.folded)
	settings := setup.Settings{Cwd: s.text("cwd"), URL: s.text("url"), Disabled: s.isOff()}
	read := (*source).usual
	if form.read != nil {
		read = form.read
	}
	if kind := read(s, &settings); settings.URL != "" && settings.Command == "" && kind == "sse" {
		settings.Transport = "sse"
	}
	settings.ToolFilters = s.toolFilters()
	if slices.Sort(s.confirm); len(s.confirm) > 0 {
		settings.Confirm = s.confirm
		s.note("%s", askingNote(s.confirm, "as its entry says"))
	}
	if s.isRemote() {
		settings.OAuth = s.oauth(form)
	}
	s.dropUnused(&settings)
	return settings
}

// unfold replaces objects within the server by their members: Zed wrote a program as
// {"command": {"path", "args", "env"}}, Cline writes {"transport": {…}} as well, and so did Continue, which has
// headers in {"requestOptions": {…}}.
func (s *source) unfold(folded []string) {
	for _, key := range folded {
		var inner map[string]json.RawMessage
		if json.Unmarshal(s.members[key], &inner) != nil || inner == nil {
			continue
		}
		delete(s.members, key)
		for name, value := range inner {
			if name == "path" {
				name = "command"
			}
			s.members[name] = value
		}
	}
}

// common reads the members that most forms share.
func (s *source) common(settings *setup.Settings) {
	settings.Command, settings.Args = s.line("command")
	settings.Env, settings.Headers = s.values("env"), s.values("headers")
}

// usual reads the members of most forms.
func (s *source) usual(settings *setup.Settings) (kind string) {
	s.common(settings)
	settings.Cwd = cmp.Or(settings.Cwd, s.text("working_directory"))
	settings.URL = cmp.Or(s.text("serverUrl"), settings.URL, s.text("baseUrl"), s.text("base_url")) // the last two are those of mcporter
	return cmp.Or(s.text("type"), s.text("transport"), s.text("transportType"))
}

// cline reads the members of Cline and Roo Code, in which an address without a type is HTTP+SSE.
func (s *source) cline(settings *setup.Settings) (kind string) {
	return cmp.Or(s.usual(settings), "sse")
}

func (s *source) continues(settings *setup.Settings) (kind string) {
	kind = s.usual(settings)
	s.setToken(settings, s.text("apiKey"))
	return kind
}

// setToken sets the header with a token, unless the token is "".
func (s *source) setToken(settings *setup.Settings, token string) {
	if token != "" {
		settings.Headers["Authorization"] = "Bearer " + token
	}
}

// setTokenOf sets the header with the token in the variable that a member names.
func (s *source) setTokenOf(settings *setup.Settings, key string) {
	if variable := s.text(key); variable != "" {
		s.setToken(settings, "${"+variable+"}")
	}
}

func (s *source) opencode(settings *setup.Settings) (kind string) {
	settings.Command, settings.Args = s.line("command")
	settings.Env, settings.Headers = s.values("environment"), s.values("headers")
	return s.text("type")
}

// gemini reads the members of Gemini CLI, in which "url" is HTTP+SSE and "httpUrl" is streamable HTTP.
func (s *source) gemini(settings *setup.Settings) (kind string) {
	s.common(settings)
	kind = s.text("type")
	if url := s.text("httpUrl"); url != "" {
		settings.URL = url
		return "http"
	}
	return cmp.Or(kind, "sse")
}

func (s *source) crush(settings *setup.Settings) (kind string) {
	s.common(settings)
	return s.text("type")
}

func (s *source) goose(settings *setup.Settings) (kind string) {
	s.common(settings)
	settings.URL = s.text("uri")
	settings.Command, settings.Args = s.line("cmd")
	settings.Env, settings.InheritEnv = s.values("envs"), s.list("env_keys")
	if len(settings.InheritEnv) > 0 {
		s.note("Goose keeps the values of %s in the password store of the system or in secrets.yaml: set them as variables where your hosts are started",
			strings.Join(settings.InheritEnv, ", "))
	}
	return s.text("type")
}

func (s *source) kimi(settings *setup.Settings) (kind string) {
	s.common(settings)
	s.setTokenOf(settings, "bearerTokenEnvVar")
	return s.text("transport")
}

func (s *source) codex(settings *setup.Settings) (kind string) {
	s.asksAbout(anyTool, "default_tools_approval_mode", s.text("default_tools_approval_mode"))
	settings.Command, settings.Args = s.line("command")
	settings.Env, settings.InheritEnv, settings.Headers = s.values("env"), s.codexVariables(), s.values("http_headers")
	s.setTokenOf(settings, "bearer_token_env_var")
	for name, variable := range s.values("env_http_headers") {
		settings.Headers[name] = "${" + variable + "}"
	}
	return ""
}

// codexVariables reads the names of variables that reach the server, each a text or a table with the name and
// its source.
func (s *source) codexVariables() (names []string) {
	var elements []json.RawMessage
	if raw := s.member("env_vars"); raw != nil && json.Unmarshal(raw, &elements) != nil {
		s.wrong("env_vars")
	}
	for _, element := range elements {
		var variable struct{ Name, Source string }
		name, isText := scalar(element)
		if !isText && json.Unmarshal(element, &variable) != nil {
			s.wrong("env_vars")
			continue
		}
		if variable.Source != "" && variable.Source != "local" {
			s.note("the host takes the variable %s from %q, and the workbench from its own environment", variable.Name, variable.Source)
			s.lose("env_vars", string(element))
		}
		names = append(names, cmp.Or(name, variable.Name))
	}
	return names
}

// dropUnused leaves out what hosts ignore and the workbench refuses: settings of programs for an address, headers
// for a program, and headers that the workbench sets itself.
func (s *source) dropUnused(settings *setup.Settings) {
	note := func(isSet bool, key, only string) {
		if isSet {
			s.note("%q is left out, since it is only for %s", key, only)
		}
	}
	switch {
	case settings.URL != "" && settings.Command == "":
		const programs = "programs, and this server is an address"
		note(len(settings.Args) > 0, "args", programs)
		note(len(settings.Env) > 0, "env", programs)
		note(settings.Cwd != "", "cwd", programs)
		settings.Args, settings.Env, settings.Cwd, settings.InheritEnv = nil, nil, "", nil
	case settings.URL == "" && settings.Command != "":
		note(len(settings.Headers) > 0, "headers", "addresses, and this server is a program")
		settings.Headers = nil
	}
	s.notes = append(s.notes, DropOwnHeaders(settings.Headers)...)
}

// DropOwnHeaders removes the headers that the workbench sets itself, and returns a note about each.
func DropOwnHeaders(headers map[string]string) (notes []string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if web.IsOwnHeader(name) {
			notes = append(notes, fmt.Sprintf("the header %q is left out, since the workbench sets it itself", name))
			delete(headers, name)
		}
	}
	return notes
}
