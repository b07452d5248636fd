package config

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// check asks the transport what is wrong with a server's settings. The transport sees
// them before expansion, so it cannot show an expanded value. Literal secrets are
// hidden in its messages.
func check(f *tree.Findings, server domain.Server, transport ports.Transport, n tree.Node) {
	places := settingPlaces{root: n}
	redact := server.Secrets.Redactor()
	for _, err := range leaves(transport.Check(server.Configured)) {
		if warning, isWarning := errors.AsType[*domain.SettingWarningError](err); isWarning {
			f.Warn(places.find(warning.Key), redact(warning.Text))
			continue
		}
		var setting *domain.SettingError
		if !errors.As(err, &setting) {
			problem := tree.Problem{File: f.File, KeyPath: n.Path.String(), Message: redact(err.Error())}
			f.Problems = append(f.Problems, tree.Finding{Problem: problem, Place: n.Place()})
			continue
		}
		f.Wrong(places.find(setting.Key), redact(setting.Found), redact(setting.Wanted))
	}
}

// warnOfPlaceholders warns about secrets whose values are still placeholders of a documentation page.
func warnOfPlaceholders(f *tree.Findings, server domain.Server, described keys.Set, n tree.Node) {
	places := settingPlaces{root: n}
	warn := func(at []string, name, value string) {
		if instead := masking.InsteadOfPlaceholder(name, value); instead != "" {
			f.Warn(places.find(at), instead)
		}
	}
	for _, value := range described.Values(server.Configured) {
		key := value.Key
		var args []string
		switch {
		case key.Is(keys.Line) && json.Unmarshal(value.Raw, &args) == nil:
			for i := range args {
				if name, text := masking.Argument(args, i); masking.IsSecretName(name) {
					warn(append(slices.Clip(value.At), strconv.Itoa(i)), name, text)
				}
			}
		case key.Is(keys.Variables) && masking.IsSecretName(key.Name):
			warn(value.At, key.Name, rawjson.Text(value.Raw))
		case key.Is(keys.Secret), key.Is(keys.Data) && masking.IsSecretName(key.Name):
			warn(value.At, string(server.ID.Server)+" "+key.Name, rawjson.Text(value.Raw))
		}
	}
}

// leaves returns the errors that errors.Join joined, on every level.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var errs []error
	for _, inner := range joined.Unwrap() {
		errs = append(errs, leaves(inner)...)
	}
	return errs
}

// settingPlaces finds where the settings of a server are in the file.
type settingPlaces struct {
	root tree.Node
	// members caches the members of objects, so that an object is searched once, however
	// many of its members are wrong.
	members map[*hujson.Object]map[string]*hujson.Value
}

// find returns the place of the value that the keys lead to. If there is no such value,
// the offset is that of the innermost value on the way to it.
func (s *settingPlaces) find(keys []string) tree.Place {
	value, path, offset := s.root.Value, s.root.Path, 0
	for _, key := range keys {
		var array *hujson.Array
		if value != nil {
			offset = value.StartOffset
			array, _ = value.Value.(*hujson.Array)
		}
		if index, err := strconv.ParseUint(key, 10, 31); array != nil && err == nil {
			path = path.Element(int(index))
			if value = nil; int(index) < len(array.Elements) {
				value = &array.Elements[index]
			}
			continue
		}
		path = path.Member(key)
		value = s.member(value, key)
	}
	if value != nil {
		offset = value.StartOffset
	}
	return tree.Place{Offset: offset, Path: path}
}

// member returns the first member of that name, or nil.
func (s *settingPlaces) member(value *hujson.Value, name string) *hujson.Value {
	if value == nil {
		return nil
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	members, ok := s.members[object]
	if !ok {
		members = make(map[string]*hujson.Value, len(object.Members))
		for i := range slices.Backward(object.Members) {
			members[tree.Unquoted(object.Members[i].Name.Value.(hujson.Literal))] = &object.Members[i].Value
		}
		if s.members == nil {
			s.members = map[*hujson.Object]map[string]*hujson.Value{}
		}
		s.members[object] = members
	}
	return members[name]
}
