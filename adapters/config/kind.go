package config

import (
	"slices"
	"strconv"
)

// kindAliases are the names that hosts have for a kind of transport.
var kindAliases = map[string]string{
	"streamable-http": "http",
	"streamableHttp":  "http",
	"streamable_http": "http",
}

// kind returns the kind of a server's transport, and whether there is one of it:
// what "transport" or "type" say, else "http" for a server with a "url", else
// "stdio".
func (l *loader) kind(server node, members []member) (string, bool) {
	var given []member
	var url *member
	for i, m := range members {
		switch m.name {
		case "transport", "type":
			given = append(given, m)
		case "url":
			url = &members[i]
		}
	}
	if len(given) > 0 {
		return l.givenKind(given)
	}
	if url != nil {
		return "http", l.knownKind("http", url.node, `"url", which needs the transport "http"`)
	}
	return "stdio", l.knownKind("stdio", server, `no transport, which means "stdio"`)
}

// givenKind returns the kind that one or both of the keys name.
func (l *loader) givenKind(given []member) (string, bool) {
	var kinds []string
	for _, m := range given {
		text, ok := m.text()
		if !ok {
			l.wrongKind(m.node, "a transport: "+oneOf(l.kinds))
			return "", false
		}
		if alias, ok := kindAliases[text]; ok {
			text = alias
		}
		if !l.knownKind(text, m.node, m.shown()) {
			return "", false
		}
		kinds = append(kinds, text)
	}
	if last := given[len(given)-1]; kinds[0] != kinds[len(kinds)-1] {
		l.wrong(last.offset(), last.path, last.shown(), strconv.Quote(kinds[0])+`, as "`+given[0].name+`" says`)
		return "", false
	}
	return kinds[0], true
}

// knownKind reports whether the kind is known, and notes a problem when it is not.
func (l *loader) knownKind(kind string, n node, found string) bool {
	if slices.Contains(l.kinds, kind) {
		return true
	}
	l.wrong(n.offset(), n.path, found, "a transport that is known here: "+oneOf(l.kinds))
	return false
}
