package guard

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// refused is one of the codes for errors that servers define (JSON-RPC 2.0, section 5.1). The
// official SDKs use it for refused requests.
const refused = -32000

// Refuse answers a request with a status and a message, which hosts show, so it must contain no
// secret. The body is a JSON-RPC error, since clients of MCP look for one. It does not wait for
// the request's body, and ends the connection if there may be one.
func Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.ContentLength != 0 {
		// Otherwise net/http reads the body first, however slowly it comes.
		header.Set("Connection", "close")
	}
	text, _ := json.Marshal(message) // a string cannot fail
	w.WriteHeader(status)
	// A client that is gone needs no answer.
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n", refused, text)
}
