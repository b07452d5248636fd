// Command oracle records the answers of mcp-go's server for
// answering_like_mcp_go_test.go. It reads the lines of answers.jsonl on standard input
// and prints them with new answers. The program itself does not link mcp-go's server, so
// neither does its module file; run it with another:
//
//	cp go.mod /tmp/oracle.mod && cp go.sum /tmp/oracle.sum
//	go get -modfile=/tmp/oracle.mod github.com/mark3labs/mcp-go/server
//	cd adapters/mcpserver/testdata
//	go run -modfile=/tmp/oracle.mod ./oracle < answers.jsonl > new.jsonl && mv new.jsonl answers.jsonl
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type exchange struct {
	Send   string          `json:"send"`
	Answer json.RawMessage `json:"answer"`
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
		var e exchange
		if err := in.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer, err := json.Marshal(newServer().HandleMessage(context.Background(), json.RawMessage(e.Send)))
		if err != nil {
			return err
		}
		e.Answer = answer
		if err := out.Encode(e); err != nil {
			return err
		}
	}
}

// newServer returns a server that declares what the workbench does.
func newServer() *server.MCPServer {
	s := server.NewMCPServer("mcp-workbench", "1.2.3", server.WithToolCapabilities(false),
		server.WithResourceCapabilities(true, true), server.WithPromptCapabilities(true), server.WithCompletions(), server.WithLogging(), server.WithInstructions("No toolboxes configured.\n\nTo configure toolboxes, add them to your workbench-config.json file.\nSee documentation for configuration format."))
	for _, name := range []string{"open_toolbox", "use_tool"} {
		tool := mcp.NewToolWithRawSchema(name, "a tool", json.RawMessage(`{"type":"object"}`))
		s.AddTool(tool, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("done"), nil
		})
	}
	return s
}
