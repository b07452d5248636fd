package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// parse reads what format wrote. It is strict: a lock that means something other than it seems to
// say would be worse than none.
func parse(data []byte) (*domain.Lock, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := syntax(data); err != nil {
		return nil, err
	}
	members, err := root(data)
	if err != nil {
		return nil, err
	}
	lock := &domain.Lock{}
	err = eachServer(members[toolboxesKey], toolboxesKey, func(id domain.ServerID, tools json.RawMessage) error {
		locked, err := parseTools(serverName(id), tools)
		lock.Servers = append(lock.Servers, domain.LockedServer{ID: id, Tools: locked})
		return err
	})
	if err == nil {
		err = parseInstructions(members[instructionsKey], lock.Servers)
	}
	if err == nil {
		lock.Packages, err = parsePackages(members[packagesKey])
	}
	if err != nil {
		return nil, err
	}
	return lock, nil
}

// syntax returns an error with the line of the first mistake if a text is not JSON in UTF-8. Bytes that
// are not UTF-8 would be shown, compared and written as other ones.
func syntax(data []byte) error {
	number := 0
	for line := range bytes.Lines(data) {
		if number++; !utf8.Valid(line) {
			return fmt.Errorf("line %d is not valid UTF-8", number)
		}
	}
	err := json.Unmarshal(data, new(json.RawMessage))
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:min(int64(len(data)), wrong.Offset)], []byte("\n"))
		return fmt.Errorf("line %d is not valid JSON: %w", line, wrong)
	}
	return err
}

// root returns the members of the file, and an error if it has other ones or another version.
func root(data []byte) (map[string]json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	var unknown string
	err := each(data, "it", func(key string, value json.RawMessage) error {
		members[key] = value
		if !slices.Contains([]string{versionKey, toolboxesKey, instructionsKey, packagesKey}, key) && unknown == "" {
			unknown = key
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case string(members[versionKey]) != version:
		return nil, fmt.Errorf("its member %q is not %s", versionKey, version)
	case unknown != "":
		return nil, fmt.Errorf("it has the unknown member '%s'", unknown)
	}
	return members, nil
}

// parseTools reads the tools of one server.
func parseTools(where string, tools json.RawMessage) ([]domain.LockedTool, error) {
	var locked []domain.LockedTool
	err := each(tools, where, func(name string, entry json.RawMessage) error {
		tool, err := parseTool(name, fmt.Sprintf("tool '%s' of %s", name, where), entry)
		locked = append(locked, tool)
		return err
	})
	domain.SortTools(locked)
	return locked, err
}

// parseTool reads one tool: a definition, or a list of two.
func parseTool(name, where string, entry json.RawMessage) (domain.LockedTool, error) {
	tool := domain.LockedTool{Name: name}
	if rawjson.Kind(entry) != '[' {
		pin, optional, err := parsePin(where, entry)
		tool.Pins, tool.Optional = []domain.Pin{pin}, optional
		return tool, err
	}
	err := rawjson.NewScanner().EachElement(entry, func(element []byte) error {
		pin, optional, err := parsePin(where, element)
		switch {
		case err != nil:
			return err
		case optional:
			return fmt.Errorf("%s has %q in a list of definitions", where, optionalKey)
		case tool.Has(pin):
			return fmt.Errorf("%s has the same definition twice", where)
		}
		tool.Pins = append(tool.Pins, pin)
		return nil
	})
	if err == nil && len(tool.Pins) != 2 {
		err = fmt.Errorf("%s has %d instead of 2 definitions in its list", where, len(tool.Pins))
	}
	return tool, err
}

// parsePin reads one definition of a tool. Its digest must match: people review the definition, and
// tools are compared with the digest.
func parsePin(where string, entry json.RawMessage) (pin domain.Pin, optional bool, err error) {
	err = each(entry, where, func(key string, value json.RawMessage) error {
		switch key {
		case digestKey:
			pin.Digest = rawjson.Text(value)
		case definitionKey:
			pin.Definition = canonical(value)
		case optionalKey:
			if optional = string(value) == "true"; !optional {
				return fmt.Errorf("%q of %s is not true", optionalKey, where)
			}
		default:
			return fmt.Errorf("%s has the unknown member '%s'", where, key)
		}
		return nil
	})
	if err != nil {
		return domain.Pin{}, false, err
	}
	if pin.Definition == nil || safefile.Digest(pin.Definition) != pin.Digest {
		return domain.Pin{}, false, fmt.Errorf("the %s of %s does not match its definition", digestKey, where)
	}
	return pin, optional, nil
}

// eachServer calls visit for each server in a member of the file, which has servers by toolbox.
func eachServer(toolboxes json.RawMessage, key string, visit func(id domain.ServerID, value json.RawMessage) error) error {
	suffix := " of the " + key
	if key == toolboxesKey {
		suffix = ""
	}
	return each(toolboxes, fmt.Sprintf("its member %q", key), func(toolbox string, servers json.RawMessage) error {
		return each(servers, fmt.Sprintf("toolbox '%s'%s", toolbox, suffix), func(server string, value json.RawMessage) error {
			return visit(domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}, value)
		})
	})
}

// serverName names a server in errors.
func serverName(id domain.ServerID) string {
	return fmt.Sprintf("server '%s' of toolbox '%s'", id.Server, id.Toolbox)
}

// each calls visit for each member of an object. A repeated member is an error.
func each(object json.RawMessage, what string, visit func(name string, value json.RawMessage) error) error {
	if rawjson.Kind(object) != '{' {
		return fmt.Errorf("%s is not an object", what)
	}
	seen := map[string]bool{}
	return rawjson.NewScanner().EachMember(object, func(name, value []byte) error {
		if seen[string(name)] {
			return fmt.Errorf("%s has '%s' twice", what, name)
		}
		seen[string(name)] = true
		return visit(string(name), value)
	})
}
