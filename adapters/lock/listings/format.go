package listings

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// The members of a file. Toolbox and server are for people.
const (
	versionKey      = "listingVersion"
	version         = "2"
	toolboxKey      = "toolbox"
	serverKey       = "server"
	saltKey         = "salt"
	settingsKey     = "settings"
	promptsKey      = "prompts"
	resourcesKey    = "resources"
	instructionsKey = "instructions"
	toolsKey        = "tools"
)

// errOther is the error for a file of another version of the program, or of a server with other settings.
var errOther = errors.New("it belongs to another version or to other settings")

// format returns the text of a file, with one tool per line.
func format(server domain.Server, list ports.KeptList) ([]byte, error) {
	salt := rand.Text()
	settings, err := settingsDigest(server, salt)
	if err != nil {
		return nil, err
	}
	members := listMembers(list)
	const others = 4 << 10
	return append(rawjson.NewObject(make([]byte, 0, len(members)+others)).
		Raw(versionKey, []byte(version)).
		Text(toolboxKey, string(server.ID.Toolbox)).
		Text(serverKey, string(server.ID.Server)).
		Text(saltKey, salt).
		Text(settingsKey, settings).
		Members(members).
		JSON(), '\n'), nil
}

// listMembers returns the last members of a file, with what the server listed. A list can be long, so room for it is made once.
func listMembers(list ports.KeptList) []byte {
	const separators, others = len(",\n"), 64 << 10
	size := len(list.Instructions) + others
	for _, tool := range list.Tools {
		size += len(tool.Definition) + separators
	}
	begun := rawjson.NewObject(make([]byte, 0, size)).Bool(promptsKey, list.Prompts).Bool(resourcesKey, list.Resources).
		Text(instructionsKey, list.Instructions).Raw(toolsKey, []byte{'['}).JSON()
	members := begun[1 : len(begun)-1]
	for i, tool := range list.Tools {
		if i > 0 {
			members = append(members, ',')
		}
		members = append(append(members, '\n'), tool.Definition...)
	}
	return append(members, "\n]"...)
}

// isListing reports whether a file contains exactly this list of the server.
func isListing(text []byte, server domain.Server, list ports.KeptList) bool {
	_, err := parse(text, server)
	return err == nil && bytes.HasSuffix(text, append(listMembers(list), '}'))
}

// parse reads what format wrote. It is strict, since other programs can change the file.
func parse(text []byte, server domain.Server) (list ports.KeptList, err error) {
	if !json.Valid(text) || rawjson.Kind(text) != '{' {
		return list, errors.New("it is not a JSON object")
	}
	members := map[string]json.RawMessage{}
	err = rawjson.NewScanner().EachMember(text, func(name, value []byte) error {
		if _, twice := members[string(name)]; twice {
			return fmt.Errorf("it has the member %q twice", name)
		}
		members[string(name)] = value
		return nil
	})
	if err != nil {
		return list, err
	}
	if string(members[versionKey]) != version {
		return list, errOther
	}
	digest, err := settingsDigest(server, rawjson.Text(members[saltKey]))
	if err != nil {
		return list, err
	}
	if subtle.ConstantTimeCompare([]byte(rawjson.Text(members[settingsKey])), []byte(digest)) == 0 {
		return list, errOther
	}
	if rawjson.Kind(members[toolsKey]) != '[' {
		return list, fmt.Errorf("its member %q is not a list", toolsKey)
	}
	list.Prompts, list.Resources = string(members[promptsKey]) == "true", string(members[resourcesKey]) == "true"
	list.Instructions = rawjson.Text(members[instructionsKey])
	list.Tools, err = parseTools(members[toolsKey])
	return list, err
}

func parseTools(list json.RawMessage) ([]domain.ToolInfo, error) {
	var tools []domain.ToolInfo
	names := map[string]bool{}
	err := rawjson.NewScanner().EachElement(list, func(definition []byte) error {
		if rawjson.Kind(definition) != '{' {
			return errors.New("a tool in it is not an object")
		}
		name := rawjson.Text(rawjson.Member(definition, "name")) // the last of several counts, as when it is listed
		switch {
		case name == "":
			return errors.New("a tool in it has no name")
		case names[name]:
			return fmt.Errorf("it has the tool %q twice", name)
		}
		names[name] = true
		tools = append(tools, domain.ToolInfo{Name: name, Shown: domain.ShownText(name), Definition: definition})
		return nil
	})
	return tools, err
}

// settingsDigest returns a digest of the settings of a server. It leaves out values that can be secret,
// and adjustments, since the file has the server's own definitions.
func settingsDigest(server domain.Server, salt string) (string, error) {
	object := rawjson.Object{}.Text("salt", salt).Text("transport", server.Transport)
	err := rawjson.EachMember(server.Configured, func(name, value []byte) error {
		switch string(name) {
		case "env", "headers":
			value = namesOf(value)
		case "oauth", "tools":
			return nil
		case "url":
			value = rawjson.Quote(withoutSecrets(rawjson.Text(value)))
		}
		object = object.Raw(string(name), value)
		return nil
	})
	if err != nil && len(server.Configured) > 0 {
		return "", fmt.Errorf("read the settings of server %q: %w", server.ID.Server, err)
	}
	sum := sha256.Sum256(object.JSON())
	return hex.EncodeToString(sum[:]), nil
}

// namesOf returns the names of an object's members as a list.
func namesOf(object []byte) []byte {
	var names []string
	_ = rawjson.EachMember(object, func(name, _ []byte) error { // the configuration is valid
		names = append(names, string(name))
		return nil
	})
	return rawjson.Object{}.Texts("names", names).JSON()
}

// withoutSecrets returns an address without login, query and fragment.
func withoutSecrets(address string) string {
	if parsed, err := url.Parse(address); err == nil {
		parsed.User, parsed.RawQuery, parsed.Fragment = nil, "", ""
		return parsed.String()
	}
	before, _, _ := strings.Cut(address, "?") // such as one whose host is a variable
	scheme, rest, _ := strings.Cut(before, "://")
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		rest = rest[i+1:]
	}
	return scheme + "://" + rest
}
