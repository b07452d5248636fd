package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Call is a tool call of the model. The model makes the calls of its script
// one after the other, each after the result of the previous one.
type Call struct {
	// Tool is the end of the name by which the host offers the tool: hosts put the
	// server's name in front.
	Tool string
	// Namespace is the namespace of the tool if the host leaves it out of its list, "" if
	// the model can only call listed tools.
	Namespace string
	// Arguments are a raw object.
	Arguments string
}

// Closing is the last text of the model, after its calls.
const Closing = "That is all."

// Server is a running model. It is safe for concurrent use.
type Server struct {
	calls []Call
	http  *httptest.Server

	mu       sync.Mutex // guards the fields below
	requests []Request
}

// Start starts a model that makes these calls. Close ends it.
func Start(calls ...Call) *Server {
	server := &Server{calls: calls}
	server.http = httptest.NewServer(http.HandlerFunc(server.answer))
	return server
}

// URL returns the address, without a path and a slash.
func (s *Server) URL() string { return s.http.URL }

// Close ends the server and the connections that hosts left open.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests returns the requests of hosts so far, in the order of arrival,
// without requests that offer no tools, such as those for titles.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// formatOf returns the format of the API that a path belongs to, nil for none.
func formatOf(path string) format {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return messages{}
	case strings.HasSuffix(path, "/responses"):
		return responses{}
	case strings.HasSuffix(path, "/chat/completions"):
		return completions{}
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		return contents{}
	}
	return nil
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	f := formatOf(r.URL.Path)
	if err != nil || f == nil || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	request, err := readRequest(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(request.Tools) > 0 {
		s.mu.Lock()
		s.requests = append(s.requests, request)
		s.mu.Unlock()
	}
	if !request.stream && !strings.Contains(r.URL.Path, "stream") {
		w.Header().Set("Content-Type", "application/json")
		write(w, f.whole(s.next(request)))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range f.stream(s.next(request)) {
		if kind, named := event["type"].(string); named {
			_, _ = fmt.Fprintf(w, "event: %s\n", kind) // the host is gone
		}
		_, _ = io.WriteString(w, "data: ")
		write(w, event)
		_, _ = io.WriteString(w, "\n\n")
	}
}

// next returns the turn that follows the conversation in the request.
func (s *Server) next(request Request) turn {
	calls := len(request.Results)
	if len(request.Tools) == 0 || calls >= len(s.calls) {
		return turn{text: Closing}
	}
	call := s.calls[calls]
	t := turn{id: fmt.Sprintf("call_%d", calls+1), arguments: json.RawMessage(call.Arguments)}
	for _, tool := range request.Tools {
		if strings.HasSuffix(tool, call.Tool) {
			t.tool = tool
			return t
		}
	}
	if call.Namespace == "" {
		return turn{text: "There is no tool " + call.Tool + "."}
	}
	t.tool, t.namespace = call.Tool, call.Namespace
	return t
}

func write(w io.Writer, value object) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(text) // the host is gone
}
