package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// parse reads what format wrote. It is strict: a lock that is read differently from how
// it looks would be worse than no lock.
func parse(data []byte) (*domain.Lock, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := syntax(data); err != nil {
		return nil, err
	}
	version, toolboxes, err := root(data)
	if err != nil {
		return nil, err
	}
	if string(version) != lockVersion {
		return nil, fmt.Errorf("its member %q is not %s", versionKey, lockVersion)
	}
	lock := &domain.Lock{}
	err = each(toolboxes, `its member "toolboxes"`, func(toolbox string, servers json.RawMessage) error {
		return each(servers, fmt.Sprintf("toolbox '%s'", toolbox), func(server string, tools json.RawMessage) error {
			id := domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}
			pins, err := parsePins(id, tools)
			lock.Servers = append(lock.Servers, domain.LockedServer{ID: id, Tools: pins})
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return lock, nil
}

// syntax returns an error with the line in which a text stops being JSON.
func syntax(data []byte) error {
	err := json.Unmarshal(data, new(json.RawMessage))
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:min(int64(len(data)), wrong.Offset)], []byte("\n"))
		return fmt.Errorf("line %d is not valid JSON: %w", line, wrong)
	}
	return err
}

// root returns the members of the file.
func root(data []byte) (version, toolboxes json.RawMessage, err error) {
	err = each(data, "it", func(key string, value json.RawMessage) error {
		switch key {
		case versionKey:
			version = value
		case toolboxesKey:
			toolboxes = value
		default:
			return fmt.Errorf("it has the unknown member '%s'", key)
		}
		return nil
	})
	return version, toolboxes, err
}

// parsePins reads the tools of one server.
func parsePins(server domain.ServerID, tools json.RawMessage) ([]domain.Pin, error) {
	var pins []domain.Pin
	where := fmt.Sprintf("server '%s' of toolbox '%s'", server.Server, server.Toolbox)
	err := each(tools, where, func(tool string, entry json.RawMessage) error {
		pin, err := parsePin(tool, fmt.Sprintf("tool '%s' of %s", tool, where), entry)
		pins = append(pins, pin)
		return err
	})
	domain.SortPins(pins)
	return pins, err
}

// parsePin reads one tool. Its digest must match its definition, since people review
// the definition and tools are compared with the digest.
func parsePin(tool, where string, entry json.RawMessage) (domain.Pin, error) {
	pin := domain.Pin{Tool: tool}
	err := each(entry, where, func(key string, value json.RawMessage) error {
		switch key {
		case digestKey:
			pin.Digest = jsonscan.Text(value)
		case definitionKey:
			pin.Definition = canonical(value)
		default:
			return fmt.Errorf("%s has the unknown member '%s'", where, key)
		}
		return nil
	})
	if err != nil {
		return domain.Pin{}, err
	}
	if pin.Definition == nil || digest(pin.Definition) != pin.Digest {
		return domain.Pin{}, fmt.Errorf("the %s of %s does not match its definition", digestKey, where)
	}
	return pin, nil
}

// each calls visit for each member of an object. A repeated member is an error.
func each(object json.RawMessage, what string, visit func(name string, value json.RawMessage) error) error {
	if jsonscan.Kind(object) != '{' {
		return fmt.Errorf("%s is not an object", what)
	}
	seen := map[string]bool{}
	return jsonscan.NewScanner().EachMember(object, func(name, value []byte) error {
		if seen[string(name)] {
			return fmt.Errorf("%s has '%s' twice", what, name)
		}
		seen[string(name)] = true
		return visit(string(name), value)
	})
}
