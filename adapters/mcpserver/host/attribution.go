package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// A host shows questions of servers as questions of the workbench, so each question names its
// server. The server's own text comes after the first line, and the ids of pages to open are
// different for each server. All other bytes are kept, except for repeated members and those whose
// names differ from the protocol's only by case: a host could read them instead.
//
// Decision: sampling has no text for users, and its text for the model belongs to the server. Its
// _meta names the server, like that of a listed resource.

// ServerKey is the member of _meta that names the server of a listed resource or a request.
const ServerKey = "mcp-workbench/server"

// ServerPath returns the value of ServerKey for a server.
func ServerPath(server domain.ServerID) string {
	return string(server.Toolbox) + "/" + string(server.Server)
}

// attributed returns the request with the name of its server.
func attributed(server domain.ServerID, request ports.Message) ports.Message {
	switch mcp.MCPMethod(request.Method) {
	case mcp.MethodElicitationCreate:
		request.Params = attributedElicitation(server, request.Params)
	case mcp.MethodSamplingCreateMessage:
		params := rawjson.Distinct(request.Params, "_meta")
		meta := rawjson.Distinct(rawjson.Member(params, "_meta"), ServerKey)
		request.Params = rawjson.With(params, "_meta", rawjson.With(meta, ServerKey, rawjson.Quote(ServerPath(server))))
	}
	return request
}

// attributedElicitation returns the parameters of an elicitation with the name of its server.
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

// elicitationID is the member with the id of a page to open.
const elicitationID = "elicitationId"

// withOwnID returns parameters in which the id of a page differs from those of all other servers
// and of the workbench.
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

// withoutSlash escapes names, so that the ids of two servers are never the same.
var withoutSlash = strings.NewReplacer("%", "%25", "/", "%2F")

// Attributed returns an answer of a server in which every question names the server: the requests
// for input in a result, and the pages to open in an error. A request for anything but
// elicitation, sampling or roots is an error.
func Attributed(server domain.ServerID, answer ports.Answer) (ports.Answer, error) {
	var err error
	switch {
	case answer.Error != nil:
		answer.Error = attributedError(server, answer.Error)
	case mentionsInput(answer):
		answer.Result, err = attributedResult(server, answer.Result)
	}
	return answer, err
}

// AsksForInput reports whether the result of an answer asks for input instead of being complete.
func AsksForInput(answer ports.Answer) bool {
	return mentionsInput(answer) && rawjson.Text(rawjson.Member(answer.Result, "resultType")) == string(mcp.ResultTypeInputRequired)
}

// mentionsInput reports whether the result of an answer may ask for input: its type was not recognized when
// it was read, and it contains the word, or escapes that can hide it.
func mentionsInput(answer ports.Answer) bool {
	result := answer.Result
	return answer.Reading.ResultType(result) == ports.UnknownResult && (bytes.Contains(result, []byte(mcp.ResultTypeInputRequired)) || bytes.Contains(result, []byte(`\u00`)))
}

// errForeignRequest means that a result asks for something that hosts cannot be asked for. It quotes no
// text of the server, since models can read it.
var errForeignRequest = errors.New("its result asks the host for something other than elicitation, sampling or roots")

// errNoRequests means that what a result asks for is not readable as requests, so that it cannot name the server.
var errNoRequests = errors.New("inputRequests of its result is not an object")

// attributedResult returns a result whose inputRequests, if any, name the server.
func attributedResult(server domain.ServerID, result json.RawMessage) (json.RawMessage, error) {
	const member = "inputRequests"
	if !rawjson.HasVariant(result, member) {
		return result, nil
	}
	result = rawjson.Distinct(result, "resultType", member, "requestState")
	changed := rawjson.Object{}
	err := rawjson.EachMember(rawjson.Member(result, member), func(key, value []byte) error {
		value = rawjson.Distinct(value, "method", "params")
		request := readRequest(key, value)
		if request.foreign() {
			return errForeignRequest
		}
		if params := attributed(server, request.message).Params; !bytes.Equal(params, request.message.Params) {
			value = rawjson.With(value, "params", params)
		}
		changed = changed.Raw(string(key), value)
		return nil
	})
	switch {
	case errors.Is(err, errForeignRequest):
		return nil, &domain.ServerUnavailableError{ID: server, Reason: err}
	case err != nil && !rawjson.IsNull(rawjson.Member(result, member)): // some hosts read lists as objects
		return nil, &domain.ServerUnavailableError{ID: server, Reason: errNoRequests}
	case err == nil:
		result = rawjson.With(result, member, changed.JSON())
	}
	return result, nil
}

// attributedError returns an error object whose pages to open name the server.
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
