package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"mcp-workbench/adapters/config/tree"
)

// Without "transport", a server with an address has one kind, and any other server is a program. The files of hosts follow this
// rule too, and users paste them, so these keys have names here.
const (
	commandKey, kindOfPrograms   = "command", "stdio"
	urlKey, kindOfAddresses      = "url", "http"
	transportKey, hostsTransport = "transport", "type"
)

// ImpliedKind returns the kind of a server that names none.
func ImpliedKind(hasAddress bool) string {
	if hasAddress {
		return kindOfAddresses
	}
	return kindOfPrograms
}

// kind returns the kind of a server's transport, and whether it is known: the value of
// "transport" or "type", else "http" for a server with a "url", else
// "stdio".
func (r *toolboxReader) kind(server tree.Node, members tree.Object) (string, bool) {
	given := slices.DeleteFunc(slices.Clone(members), func(m tree.Member) bool { return !isKind(m) })
	if len(given) > 0 {
		return r.givenKind(given)
	}
	if url, ok := members.Get(urlKey); ok {
		return kindOfAddresses, r.knownKind(kindOfAddresses, url.Node, `"url", which needs the transport "http"`)
	}
	return kindOfPrograms, r.knownKind(kindOfPrograms, server, `no transport, which means "stdio"`)
}

// refuseTwoWays reports a problem when a server has both a command and a URL, or one of them and the kind of the other,
// since it is unclear which one is meant, and returns whether it has.
func (r *toolboxReader) refuseTwoWays(members tree.Object, kind string) bool {
	const program, address = "for a program on this machine", "for a server elsewhere"
	command, hasCommand := members.Get(commandKey)
	hasURL := members.Has(urlKey)
	given, legal := slices.IndexFunc(members, isKind), transportKeys(r.transports, kind).Names()
	takesCommand, takesURL := slices.Contains(legal, commandKey), slices.Contains(legal, urlKey)
	switch {
	case hasCommand && hasURL:
		r.Wrong(command.Key(), `"command" together with "url"`, `one of them: "command" `+program+`, "url" `+address)
	case given >= 0 && hasCommand && takesURL && !takesCommand:
		r.Wrong(members[given].Place(), members[given].Shown()+` together with "command"`,
			fmt.Sprintf(`%q %s, or "url" instead of "command" %s`, kindOfPrograms, program, address))
	case given >= 0 && hasURL && takesCommand && !takesURL:
		r.Wrong(members[given].Place(), members[given].Shown()+` together with "url"`,
			fmt.Sprintf(`%q %s, or "command" instead of "url" %s`, kindOfAddresses, address, program))
	default:
		return false
	}
	return true
}

func isKind(m tree.Member) bool { return m.Name == transportKey || m.Name == hostsTransport }

// givenKind returns the kind that one or both of the keys name.
func (r *toolboxReader) givenKind(given tree.Object) (string, bool) {
	var kinds []string
	for _, m := range given {
		text, ok := r.Text(m.Node, "a transport: "+tree.OneOf(r.kinds()))
		if !ok {
			return "", false
		}
		if alias, ok := kindAliases[text]; ok {
			text = alias
		}
		if !r.knownKind(text, m.Node, m.Shown()) {
			return "", false
		}
		kinds = append(kinds, text)
	}
	if last := given[len(given)-1]; kinds[0] != kinds[len(kinds)-1] {
		r.Wrong(last.Place(), last.Shown(), strconv.Quote(kinds[0])+`, as "`+given[0].Name+`" says`)
		return "", false
	}
	return kinds[0], true
}

// knownKind reports whether the kind is known, and reports a problem if not.
func (r *toolboxReader) knownKind(kind string, n tree.Node, found string) bool {
	if _, known := r.transports[kind]; known {
		return true
	}
	r.Wrong(n.Place(), found, "a transport that is known here: "+tree.OneOf(r.kinds()))
	return false
}

// kinds returns the names of the transports, sorted.
func (r *toolboxReader) kinds() []string { return slices.Sorted(maps.Keys(r.transports)) }
