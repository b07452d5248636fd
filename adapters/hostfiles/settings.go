package hostfiles

import (
	"maps"
	"slices"
)

// settings reads what every form says in its own words.
func (s *source) settings(form form) Settings {
	settings := Settings{
		Args: get[[]string](s, "args"), Env: s.values("env"), Cwd: get[string](s, "cwd"),
		URL: get[string](s, "url"), Headers: s.values("headers"), Disabled: get[bool](s, "disabled"),
	}
	kind := get[string](s, "type")
	switch form {
	case codexForm:
		s.codex(&settings)
	case geminiForm:
		settings.Command = get[string](s, "command")
		if settings.URL != "" && kind == "" {
			kind = "sse" // "url" is HTTP+SSE there, "httpUrl" is streamable HTTP
		}
		if url := get[string](s, "httpUrl"); url != "" {
			settings.URL, kind = url, "http"
		}
		settings.ToolFilters = filters(get[*[]string](s, "includeTools"), get[[]string](s, "excludeTools"))
	case opencodeForm:
		if line := get[[]string](s, "command"); len(line) > 0 {
			settings.Command, settings.Args = line[0], line[1:]
		}
		settings.Env = s.values("environment")
		settings.Disabled = s.off()
	default:
		settings.Command = get[string](s, "command")
		if kind == "" {
			kind = get[string](s, "transport")
		}
		if url := get[string](s, "serverUrl"); url != "" {
			settings.URL = url
		}
		settings.ToolFilters = filters(get[*[]string](s, "toolFilters"), get[[]string](s, "disabledTools"))
	}
	if settings.URL != "" && settings.Command == "" && kind == "sse" {
		settings.Transport = "sse"
	}
	if s.isRemote() {
		settings.OAuth = s.oauth(form)
	}
	return settings
}

// codex reads what only Codex says.
func (s *source) codex(settings *Settings) {
	settings.Command = get[string](s, "command")
	settings.InheritEnv = get[[]string](s, "env_vars")
	settings.Disabled = s.off()
	settings.Headers = s.values("http_headers")
	header := func(name, value string) {
		if settings.Headers == nil {
			settings.Headers = map[string]string{}
		}
		settings.Headers[name] = value
	}
	if variable := get[string](s, "bearer_token_env_var"); variable != "" {
		header("Authorization", "Bearer ${"+variable+"}")
	}
	variables := s.values("env_http_headers")
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		header(name, "${"+variables[name]+"}")
	}
	settings.ToolFilters = filters(get[*[]string](s, "enabled_tools"), get[[]string](s, "disabled_tools"))
}

// off reports whether "enabled" says no.
func (s *source) off() bool {
	enabled := get[*bool](s, "enabled")
	return enabled != nil && !*enabled
}

// values reads an object of texts. Numbers and booleans become texts, as hosts have it.
func (s *source) values(key string) map[string]string {
	values := map[string]string{}
	for name, value := range get[map[string]any](s, key) {
		switch value := value.(type) {
		case string:
			values[name] = value
		case nil:
		default:
			values[name] = jsonText(value)
		}
	}
	if len(values) == 0 {
		return nil
	}
	return values
}

// filters returns the toolFilters of a list of tools that exist and one of tools that do
// not; nil when there is neither.
func filters(allowed *[]string, denied []string) []string {
	var all []string
	switch {
	case allowed != nil:
		all = slices.DeleteFunc(slices.Clone(*allowed), func(tool string) bool { return slices.Contains(denied, tool) })
		if all == nil {
			all = []string{}
		}
	case len(denied) > 0:
		all = []string{"*"}
		for _, tool := range denied {
			all = append(all, "!"+tool)
		}
	}
	return all
}
