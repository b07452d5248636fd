package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// readRoot returns the settings of the root. They are merged from all sources and, where only the file can have them, read
// from its members; those of each toolbox and approvals are not read yet. Given are the settings from variables and flags.
// Toolboxes are the names of the toolboxes of all files.
func (r *reader) readRoot(members tree.Object, options Options, toolboxes []string) (root *Root, given *koanf.Koanf, err error) {
	merged, given := koanf.New(delimiter), koanf.New(delimiter)
	root = new(Root)
	err = errors.Join(
		merged.Load(confmap.Provider(defaults(options.IdleTimeout), delimiter), nil),
		merged.Load(confmap.Provider(r.fileSettings(members), delimiter), nil),
		given.Load(env.Provider(delimiter, env.Opt{EnvironFunc: func() []string { return ownVariables(r.environment) }, TransformFunc: r.variable}), nil),
		given.Load(confmap.Provider(r.flagSettings(options.Flags), delimiter), nil),
		merged.Merge(given),
		merged.UnmarshalWithConf("", root, koanf.UnmarshalConf{Tag: "key"}),
	)
	if err != nil {
		return nil, nil, fmt.Errorf("merge the settings: %w", err)
	}
	root.Definitions = definitions.Settings{
		Default:    root.Form,
		ByToolbox:  map[domain.ToolboxName]definitions.Form{},
		Budget:     int(root.Limits.Definitions),
		Registered: root.ToolMode == Dynamic,
		ReadTool:   root.ReadTool && root.ToolMode != Dynamic,
		FindTool:   root.FindTool,
		Validation: validation(root.Validate),
	}
	if m, ok := members.Get(inheritEnvKey); ok {
		root.inheritEnv = rootInheritEnv(&r.Findings, m.Node)
	}
	root.Registry.Server.Limits = root.Limits
	readRegistry(r, members, &root.Registry)
	if m, ok := members.Get(httpKey); ok {
		root.HTTP = readHTTP(r, m.Node, toolboxes)
	}
	return root, given, nil
}

// defaults returns the default settings by path, with idle as the default idle timeout.
func defaults(idle time.Duration) map[string]any {
	values := map[string]any{}
	for _, entry := range settings {
		if entry.standard != nil {
			values[entry.path] = entry.standard
		}
		if entry.Name == idleTimeoutKey {
			values[entry.path] = int64(idle)
		}
	}
	for _, key := range rootKeys.With(keys.Switch) {
		object := reflect.ValueOf(standardRoot).FieldByName(key.Field)
		for _, member := range key.Keys() {
			values[key.Name+delimiter+member.Name] = object.FieldByName(member.Field).Int()
		}
	}
	return values
}

// fileSettings returns the settings at the root of the file by path, and reports its unknown keys.
func (r *reader) fileSettings(members tree.Object) map[string]any {
	values := map[string]any{}
	for _, m := range members {
		key, isLegal := rootKeys.Get(m.Name)
		member := func(below keys.Key, value int64) { values[m.Name+delimiter+below.Name] = value }
		switch {
		case m.Name == limitsKey:
			r.numbers(m.Node, limitKeys, wantedLimits, member)
		case !isLegal && !isHostFile(m, members):
			r.unknownKey(m, rootKeys.Names())
		case key.Is(keys.Switch) && m.Value.Value.Kind() == '{':
			r.numbers(m.Node, key.Keys(), key.Wanted, member)
		}
		if setting, ok := settingNamed(m.Name); ok {
			if value, ok := setting.read(r, m.Node); ok {
				values[setting.path] = value
			}
		}
	}
	return values
}

// variable returns the setting of a variable and its value, and no setting for a value that is not legal, which it
// reports. The message does not show the value.
func (r *reader) variable(name, text string) (path string, value any) {
	entry := settings[slices.IndexFunc(settings, func(s setting) bool { return variableOf(s.Name) == name })]
	value, ok := entry.parse(text)
	if !ok {
		r.WrongSource(name, entry.Name, "another value", entry.wanted)
		return "", nil
	}
	return entry.path, value
}

// flagSettings returns the settings that were given as flags by path.
func (r *reader) flagSettings(flags map[string]string) map[string]any {
	values := map[string]any{}
	for _, entry := range settings {
		text, given := flags[entry.Name]
		if !given {
			continue
		}
		value, ok := entry.parse(text)
		if !ok {
			r.WrongSource(flagOf(entry.Name), entry.Name, strconv.Quote(tree.Shortened(text)), entry.wanted)
			continue
		}
		values[entry.path] = value
	}
	return values
}

// ownVariables returns the workbench's own variables that set something, as os.Environ does, in the order of the settings.
func ownVariables(e *environment) []string {
	if len(e.own) == 0 {
		return nil
	}
	var entries []string
	for _, entry := range settings {
		if value, isSet := e.setting(variableOf(entry.Name)); isSet {
			entries = append(entries, variableOf(entry.Name)+"="+value)
		}
	}
	return entries
}

// warnUnknownVariables warns about variables that begin with WORKBENCH_, are unknown, and
// are not used in the file either.
func (r *reader) warnUnknownVariables() {
	if len(r.environment.own) == 0 {
		return
	}
	known := []string{pathVariable, allowForeignVariable, ToolboxesVariable}
	for _, entry := range settings {
		known = append(known, variableOf(entry.Name))
	}
	for _, name := range r.environment.own {
		if name == ListenVariable || slices.Contains(known, name) || r.environment.used[name] {
			continue
		}
		message := "unknown variable, ignored"
		if nearest, ok := domain.Nearest(name, known); ok {
			message += "; " + domain.DidYouMean(nearest)
		}
		r.WarnSource(name, message)
	}
}
