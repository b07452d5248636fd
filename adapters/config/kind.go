package config

import (
	"maps"
	"slices"
	"strconv"

	"mcp-workbench/adapters/config/tree"
)

// kind returns the kind of a server's transport, and whether it is known: the value of
// "transport" or "type", else "http" for a server with a "url", else
// "stdio".
func (r *toolboxReader) kind(server tree.Node, members tree.Object) (string, bool) {
	var given tree.Object
	var url *tree.Member
	for i, m := range members {
		switch m.Name {
		case "transport", "type":
			given = append(given, m)
		case "url":
			url = &members[i]
		}
	}
	if len(given) > 0 {
		return r.givenKind(given)
	}
	if url != nil {
		return "http", r.knownKind("http", url.Node, `"url", which needs the transport "http"`)
	}
	return "stdio", r.knownKind("stdio", server, `no transport, which means "stdio"`)
}

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
