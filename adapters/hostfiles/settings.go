package hostfiles

import (
	"cmp"
	"encoding/json"
	"slices"

	"mcp-workbench/domain/serverconfig"
)

// settings reads a server in the form of its host.
func (s *source) settings(form form) serverconfig.Settings {
	settings := serverconfig.Settings{Cwd: get[string](s, "cwd"), URL: get[string](s, "url")}
	kind := ""
	switch form {
	case codexForm:
		s.codex(&settings)
	case opencodeForm:
		if line := get[[]string](s, "command"); len(line) > 0 {
			settings.Command, settings.Args = line[0], line[1:]
		}
		kind = get[string](s, "type")
		settings.Env, settings.Headers, settings.Disabled = s.values("environment"), s.values("headers"), s.off()
	case geminiForm:
		s.common(&settings)
		kind = get[string](s, "type")
		if settings.URL != "" && kind == "" {
			kind = "sse" // "url" is HTTP+SSE there, "httpUrl" is streamable HTTP
		}
		if url := get[string](s, "httpUrl"); url != "" {
			settings.URL, kind = url, "http"
		}
		settings.ToolFilters = filters(get[*[]string](s, "includeTools"), get[[]string](s, "excludeTools"))
	case crushForm:
		s.common(&settings)
		kind = get[string](s, "type")
		settings.ToolFilters = filters(get[*[]string](s, "enabled_tools"), get[[]string](s, "disabled_tools"))
	case gooseForm:
		s.common(&settings)
		kind, settings.Disabled = get[string](s, "type"), s.off()
		settings.Command, settings.URL = get[string](s, "cmd"), get[string](s, "uri")
		settings.Env, settings.InheritEnv = s.values("envs"), get[[]string](s, "env_keys")
		if tools := get[[]string](s, "available_tools"); len(tools) > 0 {
			settings.ToolFilters = tools
		}
	case kimiForm:
		s.common(&settings)
		kind, settings.Disabled = get[string](s, "transport"), s.off()
		if variable := get[string](s, "bearerTokenEnvVar"); variable != "" {
			settings.Headers["Authorization"] = "Bearer ${" + variable + "}"
		}
		settings.ToolFilters = filters(get[*[]string](s, "enabledTools"), get[[]string](s, "disabledTools"))
	default:
		s.unfold(form)
		s.common(&settings)
		settings.Disabled = settings.Disabled || form == zedForm && s.off()
		settings.Cwd = cmp.Or(settings.Cwd, get[string](s, "cwd"), get[string](s, "working_directory"))
		settings.URL = cmp.Or(settings.URL, get[string](s, "url"))
		kind = cmp.Or(get[string](s, "type"), get[string](s, "transport"), get[string](s, "transportType"))
		if form == clineForm && kind == "" {
			kind = "sse"
		}
		if token := get[string](s, "apiKey"); token != "" && form == continueForm {
			settings.Headers["Authorization"] = "Bearer " + token
		}
		settings.URL = cmp.Or(get[string](s, "serverUrl"), settings.URL)
		settings.ToolFilters = filters(s.allowed(), get[[]string](s, "disabledTools"))
	}
	if settings.URL != "" && settings.Command == "" && kind == "sse" {
		settings.Transport = "sse"
	}
	if s.isRemote() {
		settings.OAuth = s.oauth(form)
	}
	return settings
}

// unfold replaces an object within the server by its members: Zed wrote a program as
// {"command": {"path", "args", "env"}}, Cline writes {"transport": {…}} as well, and Continue has headers in
// {"requestOptions": {…}}.
func (s *source) unfold(form form) {
	key := map[bool]string{form == zedForm: "command", form == clineForm: "transport", form == continueForm: "requestOptions"}[true]
	var inner map[string]json.RawMessage
	if key == "" || json.Unmarshal(s.members[key], &inner) != nil {
		return
	}
	delete(s.members, key)
	for name, value := range inner {
		if name == "path" {
			name = "command"
		}
		s.members[name] = value
	}
}

// allowed returns the list of allowed tools, nil for all.
func (s *source) allowed() *[]string {
	for _, key := range []string{"tools", "includeTools"} {
		if tools := get[*[]string](s, key); tools != nil && !slices.Contains(*tools, "*") {
			return tools
		}
	}
	return get[*[]string](s, "toolFilters")
}

// common reads the members that most forms share.
func (s *source) common(settings *serverconfig.Settings) {
	settings.Args, settings.Command = get[[]string](s, "args"), get[string](s, "command")
	settings.Env, settings.Headers = s.values("env"), s.values("headers")
	settings.Disabled = get[bool](s, "disabled")
}

// codex reads the members of Codex.
func (s *source) codex(settings *serverconfig.Settings) {
	settings.Args, settings.Command = get[[]string](s, "args"), get[string](s, "command")
	settings.Env, settings.InheritEnv = s.values("env"), get[[]string](s, "env_vars")
	settings.Disabled = s.off()
	settings.Headers = s.values("http_headers")
	if variable := get[string](s, "bearer_token_env_var"); variable != "" {
		settings.Headers["Authorization"] = "Bearer ${" + variable + "}"
	}
	for name, variable := range s.values("env_http_headers") {
		settings.Headers[name] = "${" + variable + "}"
	}
	settings.ToolFilters = filters(get[*[]string](s, "enabled_tools"), get[[]string](s, "disabled_tools"))
}

// off reports whether "enabled" is false.
func (s *source) off() bool {
	enabled := get[*bool](s, "enabled")
	return enabled != nil && !*enabled
}

// values reads an object of texts. Numbers and booleans become texts, as in hosts.
func (s *source) values(key string) map[string]string {
	values := map[string]string{}
	for name, value := range get[map[string]any](s, key) {
		switch value := value.(type) {
		case string:
			values[name] = value
		case nil:
		default:
			text, _ := json.Marshal(value) // a decoded value can always be encoded
			values[name] = string(text)
		}
	}
	return values
}

// filters returns the toolFilters for a list of allowed tools and one of denied tools; nil if
// there is neither.
func filters(allowed *[]string, denied []string) (filters []string) {
	switch {
	case allowed != nil:
		filters = slices.DeleteFunc(slices.Clone(*allowed), func(tool string) bool { return slices.Contains(denied, tool) })
		if filters == nil {
			filters = []string{}
		}
	case len(denied) > 0:
		filters = []string{"*"}
		for _, tool := range denied {
			filters = append(filters, "!"+tool)
		}
	}
	return filters
}
