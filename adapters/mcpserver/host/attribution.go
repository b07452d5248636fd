package host

import (
	"bytes"
	"encoding/json"
	"strings"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// A host shows what servers ask as questions of the workbench, so each says whose it is. A
// server's own text stands behind the first line, and the id of a page that it asks to open
// is one of its own. All other bytes stay, but for members whose names differ from those of
// the protocol by case, and repeated ones: a host might read these in place of those.
//
// Decision: sampling has no text for people, and what it has for the model is the server's. Its
// _meta names the server, as that of a listed resource does.

// ServerKey is the member of _meta that says whose a listed resource or a request is.
const ServerKey = "mcp-workbench/server"

// ServerPath returns a server as ServerKey has it.
func ServerPath(server domain.ServerID) string {
	return string(server.Toolbox) + "/" + string(server.Server)
}

// attributed returns a request of a server that says who asks.
func attributed(server domain.ServerID, request ports.Message) ports.Message {
	switch request.Method {
	case domain.MethodElicitationCreate:
		request.Params = attributedElicitation(server, request.Params)
	case domain.MethodSamplingCreateMessage:
		params := withoutVariants(request.Params, "_meta")
		meta := withoutVariants(jsonscan.Member(params, "_meta"), ServerKey)
		request.Params = jsonscan.With(params, "_meta", jsonscan.With(meta, ServerKey, jsonscan.Quote(ServerPath(server))))
	}
	return request
}

// attributedElicitation returns the parameters of an elicitation.
func attributedElicitation(server domain.ServerID, params json.RawMessage) json.RawMessage {
	params = withoutVariants(params, "mode", "message", "url", elicitationID)
	lines := []string{domain.ServerAsks(server)}
	if address := jsonscan.Member(params, "url"); address != nil {
		lines = append(lines, domain.PageAsked(jsonscan.Text(address)))
	}
	if message := jsonscan.Text(jsonscan.Member(params, "message")); message != "" {
		lines = append(lines, message)
	}
	params = jsonscan.With(params, "message", jsonscan.Quote(strings.Join(lines, "\n")))
	return withOwnID(server, params)
}

// elicitationID names a page that a person is asked to open.
const elicitationID = "elicitationId"

// withOwnID returns parameters in which the id of a page is one that no other server, and
// not the workbench, has.
func withOwnID(server domain.ServerID, params json.RawMessage) json.RawMessage {
	id := jsonscan.Member(params, elicitationID)
	if id == nil {
		return params
	}
	text := jsonscan.Text(id)
	if jsonscan.Kind(id) != '"' {
		text = string(id)
	}
	own := withoutSlash.Replace(string(server.Toolbox)) + "/" + withoutSlash.Replace(string(server.Server)) + "/" + text
	return jsonscan.With(params, elicitationID, jsonscan.Quote(own))
}

// withoutSlash writes names so that the ids of two servers are never the same.
var withoutSlash = strings.NewReplacer("%", "%25", "/", "%2F")

// Attributed returns an answer of a server in which every question says who asks: those of a
// result that asks for input, and the pages of an error that demands them.
func Attributed(server domain.ServerID, answer ports.Answer) ports.Answer {
	switch {
	case answer.Error != nil:
		answer.Error = attributedError(server, answer.Error)
	case mentionsInput(answer.Result):
		answer.Result = attributedResult(server, answer.Result)
	}
	return answer
}

// inputRequired is the type of a result that asks for input (2026-07-28).
const inputRequired = "input_required"

// AsksForInput reports whether a result says that it is none yet.
func AsksForInput(result json.RawMessage) bool {
	return mentionsInput(result) && jsonscan.Text(jsonscan.Member(result, "resultType")) == inputRequired
}

// mentionsInput reports whether a result may ask for input: it has the word, or escapes that
// may hide it. That spares nearly every result a scan.
func mentionsInput(result json.RawMessage) bool {
	return bytes.Contains(result, []byte(inputRequired)) || bytes.Contains(result, []byte(`\u00`))
}

// attributedResult returns a result whose inputRequests say who asks, if it has any.
func attributedResult(server domain.ServerID, result json.RawMessage) json.RawMessage {
	const member = "inputRequests"
	if !hasVariant(result, member) {
		return result
	}
	result = withoutVariants(result, "resultType", member, "requestState")
	changed := jsonscan.Object{}
	err := jsonscan.EachMember(jsonscan.Member(result, member), func(key, value []byte) error {
		value = withoutVariants(value, "method", "params")
		request := ports.Message{Method: jsonscan.Text(jsonscan.Member(value, "method")), Params: jsonscan.Member(value, "params")}
		if params := attributed(server, request).Params; !bytes.Equal(params, request.Params) {
			value = jsonscan.With(value, "params", params)
		}
		changed = changed.Raw(string(key), value)
		return nil
	})
	if err != nil {
		return result // it asks for nothing that a host could read
	}
	return jsonscan.With(result, member, changed.JSON())
}

// attributedError returns an error object whose pages say who asks to open them.
func attributedError(server domain.ServerID, object json.RawMessage) json.RawMessage {
	object = withoutVariants(object, "code", "message", "data")
	data := jsonscan.Member(object, "data")
	if !hasVariant(data, "elicitations") {
		return object
	}
	data = withoutVariants(data, "elicitations")
	pages := []byte{'['}
	err := new(jsonscan.Scanner).EachElement(jsonscan.Member(data, "elicitations"), func(page []byte) error {
		if len(pages) > 1 {
			pages = append(pages, ',')
		}
		pages = append(pages, attributedElicitation(server, page)...)
		return nil
	})
	if err != nil {
		return object
	}
	return jsonscan.With(object, "data", jsonscan.With(data, "elicitations", append(pages, ']')))
}

// hasVariant reports whether an object has a member of that name, in whatever case.
func hasVariant(object json.RawMessage, name string) (found bool) {
	_ = jsonscan.EachMember(object, func(member, _ []byte) error { // what is no object has no members
		found = found || strings.EqualFold(string(member), name)
		return nil
	})
	return found
}

// withoutVariants returns an object that has each of the members once at most, the last if
// there are two, and none whose name differs by case only. Any other object is returned as
// it is.
func withoutVariants(object json.RawMessage, names ...string) json.RawMessage {
	last, doubtful := map[string]int{}, false
	at := 0
	nameOf := func(member []byte) string {
		for _, name := range names {
			if strings.EqualFold(string(member), name) {
				return name
			}
		}
		return ""
	}
	_ = jsonscan.EachMember(object, func(member, _ []byte) error { // what is no object has no members
		if name := nameOf(member); name != "" {
			_, twice := last[name]
			exact := string(member) == name
			doubtful = doubtful || twice || !exact
			if exact {
				last[name] = at
			}
		}
		at++
		return nil
	})
	if !doubtful {
		return object
	}
	var kept jsonscan.Object
	at = -1
	_ = jsonscan.EachMember(object, func(member, value []byte) error {
		at++
		if name := nameOf(member); name != "" {
			if place, exact := last[name]; !exact || place != at {
				return nil
			}
		}
		kept = kept.Raw(string(member), value)
		return nil
	})
	return kept.JSON()
}
