// Command oracle records the answers of mcp-go's server over HTTP for
// answering_like_mcp_go_test.go. It reads the lines of answers.jsonl on standard input and
// prints them with new answers. The program itself does not link mcp-go's server, so neither
// does its module file; run it with another:
//
//	cp go.mod /tmp/oracle.mod && cp go.sum /tmp/oracle.sum
//	go get -modfile=/tmp/oracle.mod github.com/mark3labs/mcp-go/server
//	cd adapters/httpserver/testdata
//	go run -modfile=/tmp/oracle.mod ./oracle < answers.jsonl > new.jsonl && mv new.jsonl answers.jsonl
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"spec","version":"1"}}}`

// request is a request over HTTP; "SESSION" in a header stands for a session that was begun.
type request struct {
	Name    string            `json:"name"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Answer  answer            `json:"answer"`
}

type answer struct {
	Status  int    `json:"status"`
	Type    string `json:"type,omitempty"`
	Session bool   `json:"session,omitempty"`
	Code    int    `json:"code,omitempty"`
}

func main() {
	if err := record(); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func record() error {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		var r request
		if err := in.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.Answer = ask(r)
		if err := out.Encode(r); err != nil {
			return err
		}
	}
}

func ask(r request) answer {
	core := server.NewMCPServer("mcp-workbench", "1.2.3", server.WithToolCapabilities(false))
	tool := mcp.NewToolWithRawSchema("open_toolbox", "a tool", json.RawMessage(`{"type":"object"}`))
	core.AddTool(tool, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("done"), nil
	})
	s := server.NewStreamableHTTPServer(core, server.WithStateful(true))
	session := do(s, request{Method: "POST", Headers: map[string]string{"Content-Type": "application/json"}, Body: initialize}).Header().Get("Mcp-Session-Id")
	for name, value := range r.Headers {
		r.Headers[name] = strings.ReplaceAll(value, "SESSION", session)
	}
	recorded := do(s, r)
	for name, value := range r.Headers {
		r.Headers[name] = strings.ReplaceAll(value, session, "SESSION")
	}
	var body struct {
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(recorded.Body.Bytes(), &body) // a body that is not JSON has no code
	kind, _, _ := strings.Cut(recorded.Header().Get("Content-Type"), ";")
	return answer{Status: recorded.Code, Type: kind, Session: recorded.Header().Get("Mcp-Session-Id") != "", Code: body.Error.Code}
}

func do(s http.Handler, r request) *httptest.ResponseRecorder {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond) // a stream has no end
	defer cancel()
	request := httptest.NewRequest(r.Method, "/mcp", strings.NewReader(r.Body)).WithContext(ctx)
	for name, value := range r.Headers {
		request.Header.Set(name, value)
	}
	recorded := httptest.NewRecorder()
	s.ServeHTTP(recorded, request)
	return recorded
}
