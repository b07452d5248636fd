package mcpserver

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
)

// hostError returns a server's error object for the host, in the server's bytes. A code about headers or versions is
// about the connection between the workbench and the server, and a host would take it for its own, which all servers
// share: it becomes an internal error with the server's message, and its code and data in data.
func hostError(object json.RawMessage) json.RawMessage {
	code := errorCode(object)
	if !slices.Contains([]int{mcp.HEADER_MISMATCH, mcp.UNSUPPORTED_PROTOCOL_VERSION}, code) {
		return object
	}
	said := rawjson.Object{}.Int("code", int64(code))
	if data := rawjson.Member(object, "data"); data != nil {
		said = said.Raw("data", data)
	}
	return rawjson.Object{}.Int("code", mcp.INTERNAL_ERROR).
		Text("message", rawjson.Text(rawjson.Member(object, "message"))).
		Raw("data", said.JSON()).JSON()
}

// errorCode returns the code of an error object, 0 if it has none.
func errorCode(object json.RawMessage) int {
	code, _ := strconv.Atoi(string(rawjson.Member(object, "code"))) // 0 is no code of an error
	return code
}
