package guard

import (
	"encoding/json"
	"net/http"
)

// refused is the code of errors of a server's own (JSON-RPC 2.0, section 5.1), which the official
// SDKs use for refused requests.
const refused = -32000

// Refuse answers a request with a status and a message, which hosts show, so it must contain no
// secret. The body is a JSON-RPC error, since clients of MCP look for one. It does not wait for
// the request's body, and ends the connection where there may be one.
func Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.ContentLength != 0 {
		// Otherwise net/http reads the body first, however slowly it comes.
		header.Set("Connection", "close")
	}
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	body, _ := json.Marshal(struct { // strings and numbers cannot fail
		Version string  `json:"jsonrpc"`
		ID      *int    `json:"id"`
		Error   failure `json:"error"`
	}{Version: "2.0", Error: failure{Code: refused, Message: message}})
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that is gone needs no answer
}
