package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// A host shows questions of servers as questions of the workbench, so each says whose it is. A
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
		params := rawjson.Distinct(request.Params, "_meta")
		meta := rawjson.Distinct(rawjson.Member(params, "_meta"), ServerKey)
		request.Params = rawjson.With(params, "_meta", rawjson.With(meta, ServerKey, rawjson.Quote(ServerPath(server))))
	}
	return request
}

// attributedElicitation returns the parameters of an elicitation.
func attributedElicitation(server domain.ServerID, params json.RawMessage) json.RawMessage {
	params = rawjson.Distinct(params, "mode", "message", "url", elicitationID)
	lines := []string{domain.ServerAsks(server)}
	if address := rawjson.Member(params, "url"); address != nil {
		lines = append(lines, domain.PageAsked(rawjson.Text(address)))
	}
	if message := rawjson.Text(rawjson.Member(params, "message")); message != "" {
		lines = append(lines, message)
	}
	params = rawjson.With(params, "message", rawjson.Quote(strings.Join(lines, "\n")))
	return withOwnID(server, params)
}

// elicitationID names a page that a person is asked to open.
const elicitationID = "elicitationId"

// withOwnID returns parameters in which the id of a page is one that no other server, and
// not the workbench, has.
func withOwnID(server domain.ServerID, params json.RawMessage) json.RawMessage {
	id := rawjson.Member(params, elicitationID)
	if id == nil {
		return params
	}
	text := rawjson.Text(id)
	if rawjson.Kind(id) != '"' {
		text = string(id)
	}
	own := withoutSlash.Replace(string(server.Toolbox)) + "/" + withoutSlash.Replace(string(server.Server)) + "/" + text
	return rawjson.With(params, elicitationID, rawjson.Quote(own))
}

// withoutSlash writes names so that the ids of two servers are never the same.
var withoutSlash = strings.NewReplacer("%", "%25", "/", "%2F")

// Attributed returns an answer of a server in which every question says who asks: those of a
// result that asks for input, and the pages of an error that demands them. A result that asks
// for something else than hosts are asked for is an error, as it is where hosts get requests.
func Attributed(server domain.ServerID, answer ports.Answer) (ports.Answer, error) {
	var err error
	switch {
	case answer.Error != nil:
		answer.Error = attributedError(server, answer.Error)
	case mentionsInput(answer.Result):
		answer.Result, err = attributedResult(server, answer.Result)
	}
	return answer, err
}

// inputRequired is the type of a result that asks for input (2026-07-28).
const inputRequired = "input_required"

// AsksForInput reports whether a result asks for input instead of being complete.
func AsksForInput(result json.RawMessage) bool {
	return mentionsInput(result) && rawjson.Text(rawjson.Member(result, "resultType")) == inputRequired
}

// mentionsInput reports whether a result may ask for input: it has the word, or escapes that
// may hide it. That spares nearly every result a scan.
func mentionsInput(result json.RawMessage) bool {
	return bytes.Contains(result, []byte(inputRequired)) || bytes.Contains(result, []byte(`\u00`))
}

// errForeignRequest is about a result that asks a host for what no host is asked for. It has no
// word of the server, since a model may read it.
var errForeignRequest = errors.New("its result asks the host for something else than elicitation, sampling or roots")

// attributedResult returns a result whose inputRequests say who asks, if it has any.
func attributedResult(server domain.ServerID, result json.RawMessage) (json.RawMessage, error) {
	const member = "inputRequests"
	if !rawjson.HasVariant(result, member) {
		return result, nil
	}
	result = rawjson.Distinct(result, "resultType", member, "requestState")
	changed := rawjson.Object{}
	err := rawjson.EachMember(rawjson.Member(result, member), func(key, value []byte) error {
		value = rawjson.Distinct(value, "method", "params")
		request := ports.Message{Method: rawjson.Text(rawjson.Member(value, "method")), Params: rawjson.Member(value, "params")}
		if (keyedRequest{message: request}).foreign() {
			return errForeignRequest
		}
		if params := attributed(server, request).Params; !bytes.Equal(params, request.Params) {
			value = rawjson.With(value, "params", params)
		}
		changed = changed.Raw(string(key), value)
		return nil
	})
	switch {
	case errors.Is(err, errForeignRequest):
		return nil, &domain.ServerUnavailableError{ID: server, Reason: err}
	case err == nil: // otherwise it asks for nothing that a host could read
		result = rawjson.With(result, member, changed.JSON())
	}
	return result, nil
}

// attributedError returns an error object whose pages say who asks to open them.
func attributedError(server domain.ServerID, object json.RawMessage) json.RawMessage {
	object = rawjson.Distinct(object, "code", "message", "data")
	data := rawjson.Member(object, "data")
	if !rawjson.HasVariant(data, "elicitations") {
		return object
	}
	data = rawjson.Distinct(data, "elicitations")
	pages := []byte{'['}
	err := new(rawjson.Scanner).EachElement(rawjson.Member(data, "elicitations"), func(page []byte) error {
		if len(pages) > 1 {
			pages = append(pages, ',')
		}
		pages = append(pages, attributedElicitation(server, page)...)
		return nil
	})
	if err != nil {
		return object
	}
	return rawjson.With(object, "data", rawjson.With(data, "elicitations", append(pages, ']')))
}
