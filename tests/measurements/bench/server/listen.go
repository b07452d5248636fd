package main

import (
	"io"
	"net/http"

	"mcp-workbench/tests/measurements/bench/wire"
)

// listen answers requests over HTTP until the input ends.
func (s *server) listen(input io.Reader) error {
	return wire.Serve(input, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || err != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		request := parse(body)
		if request.id == nil || request.method == nil {
			w.WriteHeader(http.StatusAccepted) // a notification
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := &server{tools: s.tools, out: w}
		_ = answer.handle(request) // it fails if the host is gone
	}))
}
