package httpserver

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain/rawjson"
)

// modernSession returns the session that a message of 2026-07-28 belongs to.
func (h *Handler) modernSession(q *httpRequest, in mcpserver.Incoming) (*session, *refusal) {
	if problem := h.checkModern(q.r, in); problem != nil {
		return nil, &refusal{status: http.StatusBadRequest, text: jsonrpc.RawError(in.ID(), problem).Message()}
	}
	s, err := h.join(sessionKey{identity: q.access.Identity, choice: q.access.Choice, clientName: in.ClientName(), capabilities: capabilitiesOf(in)}, q.access)
	if err != nil {
		return nil, refuseToBegin(in.ID(), err)
	}
	return s, nil
}

// capabilitiesOf returns the capabilities of the host of a message in canonical form, so that
// equal capabilities are equal strings.
func capabilitiesOf(in mcpserver.Incoming) string {
	canonical, err := rawjson.Canonical(in.Capabilities())
	if err != nil {
		return "" // a request is refused for that, and nothing else needs them
	}
	return string(canonical)
}

// checkModern returns the error object that refuses a message whose headers and body
// disagree, nil if they agree. It checks in the order of mcp-go.
func (h *Handler) checkModern(r *http.Request, in mcpserver.Incoming) []byte {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	switch {
	case version == "":
		return mismatch("the header " + mcp.HeaderProtocolVersion + " is missing")
	case in.Version() == "" && in.IsRequest():
		return jsonrpc.ErrorObject(mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyProtocolVersion)
	case in.Version() != "" && in.Version() != version:
		return mismatch("the header " + mcp.HeaderProtocolVersion + " and the _meta field " + mcp.MetaKeyProtocolVersion + " differ")
	case h.versions.WithoutModern:
		return mcpserver.UnsupportedVersion(version, mcp.LegacyProtocolVersions())
	}
	return checkNames(r, in)
}

// checkNames compares the method of a message, and the name in it, with the headers.
func checkNames(r *http.Request, in mcpserver.Incoming) []byte {
	if problem := compare(r, mcp.HeaderMethod, string(in.Method()), in.IsRequest()); problem != nil {
		return problem
	}
	name, wanted := in.HeaderName()
	if !wanted {
		return nil
	}
	return compare(r, mcp.HeaderName, name, in.IsRequest())
}

// compare returns the error object for a header that does not have the value of the body,
// nil if it has.
func compare(r *http.Request, header, value string, required bool) []byte {
	given := r.Header.Values(header)
	if len(given) == 0 {
		if required {
			return mismatch("the header " + header + " is missing")
		}
		return nil
	}
	decoded, ok := mcp.DecodeHeaderValue(given[0])
	if !ok || decoded != value || len(given) > 1 {
		return mismatch("the header " + header + " and the body differ")
	}
	return nil
}

func mismatch(why string) []byte { return jsonrpc.ErrorObject(mcp.HEADER_MISMATCH, why) }
